package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationStore
import LocationdService

/// A report from the monitoring keeper to the service.
package enum MonitoringReport: Sendable {
  case answer(ServiceEvent, to: ClientID)
  /// The uses that a list requests, which the service authorizes, and the clients that wait for its events. A removed list
  /// requests none.
  case wanted(MonitoringListID, MonitoringList, MonitoringUses, receivers: [ClientID])
  /// Request positions; a 68 % radius up to this is sufficient. `nil`: request none.
  case look(sufficient: Meters?)
  /// Send every position to the keeper, whichever client requested it; or none.
  case listen(Bool)
  case launch(MonitoringLaunching)
  /// A user has saved a command.
  case noted(userID: UInt32)
  /// The attempt was counted, and this is its number. `nil`: the event was delivered already.
  case counted(event: UInt64, MonitoringDelivery, attempt: Int?)
  /// The attempt could not be counted; deliver the event later.
  case notCounted(event: UInt64, MonitoringDelivery)
  case news(MonitoringNews)
  /// A request was refused because this limit was reached.
  case reached(ServiceBound)
  /// An order other than a fix has been executed, and its results were reported before. Only in virtual time.
  case carriedOut
  /// The thread has ended: normally (`nil`), or because of this error.
  case ended(SystemError?)
}

/// A command or notification to start for an event.
package struct MonitoringLaunching: Sendable {
  package var event: MonitoringEvent
  package var list: MonitoringList
  /// Number of earlier attempts.
  package var attempts: Int
  /// `nil`: show a notification on the user's desktop.
  package var command: CommandToken?
}

/// Monitoring events that are worth a line in the log; they never contain a position.
package enum MonitoringNews: Hashable, Sendable {
  /// Monitoring has resumed with this many lists and regions.
  case resumed(lists: Int, regions: Int)
  /// Lists or events cannot be stored; `nil`: they can again.
  case cannotKeep(path: String, reason: String?)
  /// A damaged file was renamed to this name, and a new one created.
  case setAside(String)
  /// This many events of a list were dropped because its program did not receive them.
  case dropped(list: String, Int)
}
