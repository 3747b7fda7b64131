package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationStore
package import LocationdService

/// What the keeper of what is monitored tells the service.
package enum MonitoringReport: Sendable {
  case answer(ServiceEvent, to: ClientID)
  /// What of a list is wanted, which is for others to allow, and which clients wait for it. Nothing is wanted of one that is gone.
  case wanted(MonitoringListID, MonitoringList, MonitoringUses, receivers: [ClientID])
  /// Ask for positions, of which this 68 % radius is good enough; `nil`: ask for none.
  case look(sufficient: Meters?)
  /// Tell every position that there is, whoever it was asked for; or none.
  case listen(Bool)
  case launch(MonitoringLaunching)
  /// A user has noted a command.
  case noted(userID: UInt32)
  /// The event was counted: it is told for that time. `nil`: it has been told.
  case counted(event: UInt64, MonitoringDelivery, attempt: Int?)
  /// It could not be counted: it is to be told later.
  case notCounted(event: UInt64, MonitoringDelivery)
  case news(MonitoringNews)
  /// Something was refused as there is as much of it as may be.
  case reached(ServiceBound)
  /// One order that was no fix has been carried out, and what came of it was told before; only in virtual time.
  case carriedOut
  /// The thread has ended: as it was told, or by that error.
  case ended(SystemError?)
}

/// What is to happen with an event beside telling whoever listens.
package struct MonitoringLaunching: Sendable {
  package var event: MonitoringEvent
  package var list: MonitoringList
  /// How often it was begun before.
  package var attempts: Int
  /// `nil`: the user's desktop is to show it.
  package var command: CommandToken?
}

/// What is worth a line in the log; never where anybody is.
package enum MonitoringNews: Hashable, Sendable {
  /// So many regions and lists are monitored again.
  case resumed(lists: Int, regions: Int)
  /// What is monitored, or has happened, cannot be kept; `nil`: it can again.
  case cannotKeep(path: String, reason: String?)
  /// A damaged file was given that name, and a new one begun.
  case setAside(String)
  /// So many events of a list went untold, as nobody heard them.
  case dropped(list: String, Int)
}
