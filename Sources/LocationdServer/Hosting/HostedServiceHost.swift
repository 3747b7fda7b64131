package import Geodesy
package import LocationIPC
package import LocationPolicy
package import LocationStore
package import LocationdHost
package import LocationdRecords

/// The process around a hosted service, and the parts that it provides to the service.
package protocol HostedServiceHost: ServiceHost {
  /// Decides which streams pause, and receives the positions for that; `nil` if no stream pauses.
  var gate: (any ServiceGate)? { get }
  /// Decides about the access of logs and monitoring; `nil` if they have access to everything.
  var authority: (any RecordsAuthority)? { get }
  /// Starts commands and notifications for events; `nil` if this process starts none.
  var launches: MonitoringLaunches? { get }
  func receive(_ event: HostedServiceEvent)
}

/// A gate between a service and its clients, which holds streams back while they are of no use.
package protocol ServiceGate: AnyObject {
  /// The next deadline of a pause, in the service's time.
  var nextPauseDeadline: Instant? { get }
  /// Called when the time of `nextPauseDeadline` has come; an early call has no effect.
  func wake()
  /// Receives every position while that is requested by `HostedService.listenForGate`.
  func receive(_ position: PositionFix)
}

/// Decides about the access that logs and monitoring lists request for their owners.
package protocol RecordsAuthority: AnyObject {
  /// Handles a log's request; answers by `HostedService.send`, and by events for the log.
  func request(_ request: ClientRequest, by client: ClientID, for log: IndexedLog)
  /// Called when a log is no longer recorded.
  func leave(_ client: ClientID)
  /// Called when no log is recorded any more.
  func leaveAllLogs()
  /// Handles a destination's request, like a log's.
  func request(_ request: ClientRequest, by client: ClientID, forDestination name: String)
  /// This destination sends only the machine's reduced position: it gets that position beside each exact one.
  func reduce(forDestination client: ClientID)
  /// An administrator has added or removed a destination.
  func setGrant(_ isGranted: Bool, ofDestination name: String)
  /// Called when nothing is sent to any destination any more.
  func leaveAllDestinations()
  /// Handles the requested uses of a list, and the clients that wait for its events; answers by `HostedService.allow`.
  func monitor(_ uses: MonitoringUses, of id: MonitoringListID, _ list: MonitoringList, receivers: [ClientID])
  /// The event as the list's owner may receive it now; `nil`: not at all.
  func visible(_ event: MonitoringEvent, of list: MonitoringList, isShown: Bool) -> MonitoringEvent?
}

/// Events of a service for the daemon's log; they never contain a position.
package enum HostedServiceEvent: Hashable, Sendable {
  case device(DeviceEvent)
  case log(LogServiceEvent)
  case monitoring(MonitoringServiceEvent)
  case time(TimeEvent)
  case fleet(FleetServiceEvent)
  /// A request was refused because this limit was reached.
  case reached(ServiceBound)
}
