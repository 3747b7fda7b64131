package import Fleet
package import FleetDestinations
package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy

/// The destinations on their thread.
extension FleetService: RecordsWorker {
  package struct Settings: Sendable {
    package var stateFolder: String
    /// Whether this process sends; otherwise it has no destinations.
    package var sends: Bool
    package var isVirtual: Bool
    /// Whether the machine has a grid for reduced accuracy; without it, destinations with reduced accuracy are not opened.
    package var hasGrid: Bool
    package var release: String

    package init(
      stateFolder: String, sends: Bool, isVirtual: Bool, hasGrid: Bool, release: String
    ) {
      (self.stateFolder, self.sends, self.isVirtual) = (stateFolder, sends, isVirtual)
      (self.hasGrid, self.release) = (hasGrid, release)
    }

    var folder: String { stateFolder + "/fleet" }
  }

  package static var threadName: String { "fleet" }
  package static func hasRecords(_ settings: Settings) -> Bool {
    ((try? PrivateFolder.folders(in: settings.folder)) ?? []).contains(where: FleetDestination.isName)
  }
  package static func resumes(_ settings: Settings) -> Bool { settings.sends }

  package static func failure(_ settings: Settings, reason: String) -> LocationFailure {
    .fleet(.cannotKeep(path: settings.folder, reason: reason))
  }

  package static func cannotKeep(_ settings: Settings, reason: String) -> FleetServiceReport {
    .event(.cannotKeep(path: settings.folder, reason: reason))
  }

  package convenience init(_ settings: Settings, at now: Instant, report: @escaping (FleetServiceReport) -> Void) {
    self.init(settings, clock: FleetSystemClock(), at: now, report: report)
  }
}

/// The time of day for a fleet service.
package protocol FleetClock {
  var now: FleetIntake.Clock { get }
}

/// The system's clock and zone.
package struct FleetSystemClock: FleetClock {
  package init() {}
  package var now: FleetIntake.Clock {
    let time = WallClock.believable
    let local = time.flatMap { LocalTime.clock(of: $0)?.clock }
    guard let time, let local else { return FleetIntake.Clock(time: time, offset: .zero) }
    return FleetIntake.Clock(time: time, offset: local - time)
  }
}

/// The service's side of the destinations.
extension RecordsThread where Worker == FleetService {
  package convenience init(
    _ settings: FleetService.Settings, loop: EventLoop, now: @escaping () -> Instant,
    onReport: @escaping (FleetServiceReport) -> Void
  ) throws(SystemError) {
    try self.init(
      settings, loop: loop, now: now, limits: Limits(fixes: 4096), isVirtual: settings.isVirtual, onReport: onReport)
  }

  /// Sends a request to the destinations; returns `false` if the queue is full.
  package func ask(_ request: FleetRequest, _ id: RequestID, from client: ClientID) throws(SystemError) -> Bool {
    try send(.request(request, id, from: client), id, from: client, ofUser: nil)
  }

  /// Passes an event that the service has sent to a destination to the thread.
  ///
  /// - Parameter reduced: the machine's reduced position, for a destination that sends only that.
  package func receive(_ event: ServiceEvent, reduced: PositionFix?, for destination: ClientID) {
    guard isActive else { return }
    switch event {
    case .update: guard hasRoomForFix else { return }
    case .streamChanged(_, .suspended), .streamChanged(_, .resumed), .authorization(_, .state): break
    default: return
    }
    sendFix(.event(event, reduced: reduced, for: destination))
  }
}

/// An order from the service to the destinations.
package enum FleetOrder: RecordsOrder {
  case begin
  case request(FleetRequest, RequestID, from: ClientID)
  case left(ClientID)
  /// An event that the service sent to a destination, and the machine's reduced position if it sends only that.
  case event(ServiceEvent, reduced: PositionFix?, for: ClientID)
  /// A region of that user was entered or left, or a visit began or ended.
  case happened(FleetHappening, ofUser: UInt32)
  /// What the helper sent on a connection; `inflow`: its messages that wait for the thread.
  case helper(FleetLinkID, FleetHelperMessage, inflow: FleetInflow)
  /// The network may be back.
  case networkChanged
  case describe
  case end

  package var isEnd: Bool { if case .end = self { true } else { false } }
  package var isQueuedFix: Bool { if case .event = self { true } else { false } }
}

/// An event for the destinations, which the monitoring stores until they have it on the disk.
package struct FleetHappening: Hashable, Sendable {
  package var event: FleetEvent
  /// Its number in the monitoring, greater than those of all events before it.
  package var number: UInt64
  /// Whether the destinations may have it already.
  package var isRepeated: Bool

  package init(event: FleetEvent, number: UInt64, isRepeated: Bool) {
    (self.event, self.number, self.isRepeated) = (event, number, isRepeated)
  }
}

/// One connection of a destination; never used again.
package struct FleetLinkID: Hashable, Sendable {
  package let rawValue: UInt64
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A report from the destinations to the service.
package enum FleetServiceReport: RecordsReport {
  /// A destination's request for fixes.
  case ask(ClientRequest, by: ClientID, for: String)
  /// This destination sends only the reduced position.
  case reduces(ClientID)
  /// A destination needs no fixes any more.
  case left(ClientID)
  /// An administrator has added (`true`) or removed a destination, which has or has no longer access to locations.
  case granted(Bool, name: String)
  /// Open a connection to the helper, and send it this message first.
  case open(FleetLinkID, FleetConnection)
  case send(FleetLinkID, FleetHelperMessage)
  /// Close the connection properly (`true`: with `.close`), or at once.
  case close(FleetLinkID, isProper: Bool)
  case answer(ServiceEvent, to: ClientID)
  /// The event with this number is on the disk in all outboxes that take it.
  case recorded(event: UInt64)
  case event(FleetServiceEvent)
  /// The destinations, after every change.
  case account([FleetReport])
  case ended

  package var answered: (event: ServiceEvent, client: ClientID)? {
    if case .answer(let event, let client) = self { (event, client) } else { nil }
  }
}

/// Events of destinations that are worth a line in the service's log; they never contain a position.
package enum FleetServiceEvent: Hashable, Sendable {
  /// The state of a destination has changed.
  case changed(String, FleetReport.State, FleetProblem?)
  /// So many records were deleted unsent.
  case lost(String, Int)
  case cannotKeep(path: String, reason: String)
  /// The settings of a destination are no valid ones: nothing is sent to it.
  case unreadable(path: String)
}
