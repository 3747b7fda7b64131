package import Geodesy
import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationStore

/// A report from the monitoring service to the service.
package enum MonitoringReport: RecordsReport {
  case answer(ServiceEvent, to: ClientID)
  /// The uses that a list requests, which the service authorizes, and the clients that wait for the list's events. A
  /// removed list requests no uses.
  case wanted(MonitoringListID, MonitoringList, MonitoringUses, receivers: [ClientID])
  /// Request positions; a 68 % radius up to this value is sufficient. `nil`: request none.
  case checkPosition(sufficient: Meters?)
  /// Send every position to the monitoring service, whichever client requested it; `false`: send none.
  case listen(Bool)
  case launch(MonitoringLaunching)
  /// For the destinations of positions: a border was crossed, or a visit began or ended, in a list for which access is allowed. It is
  /// reported again until it is `delivered`; `isRepeated`: the destinations may have it already.
  case happened(MonitoringEvent, of: MonitoringList, isRepeated: Bool)
  /// A user has saved a command or a notification.
  case noted(userID: UInt32)
  /// The attempt was counted; `attempt` is its number, or `nil` if the event needs no further delivery.
  case counted(event: UInt64, MonitoringDelivery, attempt: Int?)
  /// The attempt could not be counted; deliver the event later.
  case notCounted(event: UInt64, MonitoringDelivery)
  case event(MonitoringServiceEvent)
  /// A request was refused because this limit was reached.
  case reached(ServiceBound)
  /// The thread has ended, and nothing is monitored any more.
  case ended

  package var answered: (event: ServiceEvent, client: ClientID)? {
    if case .answer(let event, let client) = self { (event, client) } else { nil }
  }
}

/// A command or notification to start for an event.
package struct MonitoringLaunching: Sendable {
  package var event: MonitoringEvent
  package var list: MonitoringList
  /// Number of earlier attempts.
  package var attempts: Int
  /// The command to run; `nil` to show a notification on the user's desktop.
  package var command: CommandToken?
}

/// Monitoring events that are worth a line in the log; they never contain a position.
package enum MonitoringServiceEvent: Hashable, Sendable {
  /// Monitoring has resumed with this many lists and regions.
  case resumed(lists: Int, regions: Int)
  /// Lists or events cannot be stored; `nil`: they can be stored again.
  case cannotKeep(path: String, reason: String?)
  /// A damaged file was renamed to this name, and a new one was created.
  case setAside(String)
}
