package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
import LocationStore
package import LocationdService

/// Monitoring on its thread.
extension MonitoringService: RecordsWorker {
  package struct Settings: Sendable {
    package var folder: String
    /// Whether a daemon hosts the store, so that monitoring continues after the requesting process has exited.
    package var outlives: Bool
    package var mostRegions: Int
    /// Whether time comes from a recording that is replayed as fast as possible.
    package var isVirtual: Bool
    /// Whether there are destinations of positions when the service starts.
    package var hasDestinations: Bool

    package init(folder: String, outlives: Bool, mostRegions: Int, isVirtual: Bool, hasDestinations: Bool = false) {
      (self.folder, self.outlives, self.mostRegions, self.isVirtual) = (folder, outlives, mostRegions, isVirtual)
      self.hasDestinations = hasDestinations
    }
  }

  package static var threadName: String { "monitoring" }
  package static func hasRecords(_ settings: Settings) -> Bool { MonitoringStore.exists(in: settings.folder) }
  package static func resumes(_ settings: Settings) -> Bool { settings.outlives }

  package static func failure(_ settings: Settings, reason: String) -> LocationFailure {
    .monitoring(.cannotKeep(path: settings.folder, reason: reason, .busy))
  }

  package static func cannotKeep(_ settings: Settings, reason: String) -> MonitoringReport {
    .event(.cannotKeep(path: settings.folder, reason: reason))
  }

  package convenience init(_ settings: Settings, at now: Instant, report: @escaping (MonitoringReport) -> Void) {
    var limits = MonitoringIntervals()
    if settings.isVirtual {
      // A recording does not advance while no positions are requested.
      (limits.shortestRest, limits.patience) = (.seconds(1 << 40), .seconds(1 << 40))
    }
    self.init(
      folder: settings.folder, outlives: settings.outlives, mostRegions: settings.mostRegions, limits: limits,
      isVirtual: settings.isVirtual, hasDestinations: settings.hasDestinations, present: now, report: report)
  }
}

/// The service's side of monitoring.
extension RecordsThread where Worker == MonitoringService {
  package convenience init(
    _ settings: MonitoringService.Settings, loop: EventLoop, now: @escaping () -> Instant,
    onReport: @escaping (MonitoringReport) -> Void
  ) throws(SystemError) {
    var limits = Limits(fixes: 64)
    limits.requestsOfUser = 48
    try self.init(
      settings, loop: loop, now: now, limits: limits, isVirtual: settings.isVirtual, onReport: onReport)
  }

  /// Sends a request; returns `false` if the queue is full.
  package func ask(
    _ request: MonitoringRequest, _ id: RequestID, from client: ClientID, of identity: ClientIdentity,
    _ allowance: MonitoringAllowance = .granted
  ) throws(SystemError) -> Bool {
    guard hasRoom(forUser: identity.userID) else { return false }
    // Every program with a delegate makes such requests, and most programs monitor nothing: no thread is started for
    // those.
    if !isRunning, let answer = request.answerOfNothing, !MonitoringStore.exists(in: settings.folder) {
      onReport(.answer(.monitoring(id, answer), to: client))
      return true
    }
    return try send(
      .request(request, id, from: client, of: identity, allowance), id, from: client, ofUser: identity.userID,
      isContinuing: request.isStream)
  }

  /// Cancels a continuing request.
  package func cancel(_ id: RequestID, of client: ClientID) {
    forget(id, of: client)
    send(.cancel(id, of: client))
  }

  /// Sends a monitoring fix, unless the queue is full: the next fix makes up for it.
  package func receive(_ fix: MonitoringFix) {
    if hasRoomForFix { sendFix(.fix(fix)) }
  }
}

extension MonitoringRequest {
  /// The answer if nothing was ever monitored; `nil` if the request has to be handled on the thread.
  fileprivate var answerOfNothing: MonitoringAnswer? {
    switch self {
    case .state: .state(nil)
    case .read: .regions([], next: nil)
    case .lists: .lists([])
    case .visits: .visits([])
    case .importedVisits: .importedVisits([], next: nil)
    case .removeVisits: .removedVisits(0)
    case .add, .remove, .removeAll, .setVisits, .setSignificantChanges, .follow, .acknowledge, .room, .importVisits: nil
    }
  }
}
