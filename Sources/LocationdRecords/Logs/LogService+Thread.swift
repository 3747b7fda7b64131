package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationStore

/// The logs on their thread.
extension LogService: RecordsWorker {
  package struct Settings: Sendable {
    package var stateFolder: String
    /// Whether this process records; otherwise it only reads what another process has recorded.
    package var records: Bool
    /// Whether time comes from a recording that is replayed as fast as possible.
    package var isVirtual: Bool

    package init(stateFolder: String, records: Bool, isVirtual: Bool) {
      (self.stateFolder, self.records, self.isVirtual) = (stateFolder, records, isVirtual)
    }
  }

  package static var threadName: String { "logs" }
  package static func hasRecords(_ settings: Settings) -> Bool { hasIndex(in: settings.stateFolder) }
  package static func resumes(_ settings: Settings) -> Bool { settings.records }

  package static func failure(_ settings: Settings, reason: String) -> LocationFailure {
    .log(.cannotKeep(path: settings.stateFolder, reason: reason, cause: .busy))
  }

  package static func cannotKeep(_ settings: Settings, reason: String) -> LogReport {
    .event(.cannotKeep(path: settings.stateFolder, reason: reason))
  }

  package convenience init(_ settings: Settings, at now: Instant, report: @escaping (LogReport) -> Void) {
    var pace = LogSyncPolicy()
    // A service may be killed soon after each start; therefore its first sync comes early. A replay needs none.
    if !settings.isVirtual { pace.firstSync = .milliseconds(250) }
    self.init(stateFolder: settings.stateFolder, records: settings.records, pace: pace, at: now, report: report)
  }
}

/// The service's side of the logs.
extension RecordsThread where Worker == LogService {
  /// The limit of fixes corresponds to seven minutes at ten per second.
  package convenience init(
    _ settings: LogService.Settings, loop: EventLoop, now: @escaping () -> Instant,
    onReport: @escaping (LogReport) -> Void
  ) throws(SystemError) {
    try self.init(
      settings, loop: loop, now: now, limits: Limits(fixes: 4096), isVirtual: settings.isVirtual, onReport: onReport)
  }

  /// Sends a request to the logs; returns `false` if the queue is full.
  package func ask(
    _ request: LogRequest, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(SystemError) -> Bool {
    try send(
      .request(request, id, from: client, of: requester), id, from: client, ofUser: requester?.identity.userID)
  }

  /// Passes an event that the service has sent to a log to the log's thread.
  package func receive(_ event: ServiceEvent, for log: ClientID) {
    guard isActive else { return }
    switch event {
    case .update: guard hasRoomForFix else { return missed += 1 }
    case .streamChanged(_, .suspended), .streamChanged(_, .resumed): break
    default: return
    }
    if missed > 0 {
      onReport(.event(.missed(fixes: missed)))
      missed = 0
    }
    sendFix(.event(event, for: log))
  }
}

/// An order from the service to the logs.
package enum LogOrder: RecordsOrder {
  /// Resume the logs that were being recorded when the service ended.
  case begin
  /// `of`: the client's identity as an owner of logs; `nil` for this process itself.
  case request(LogRequest, RequestID, from: ClientID, of: LogOwner?)
  /// A client has disconnected.
  case left(ClientID)
  /// An event that the service sent to a log.
  case event(ServiceEvent, for: ClientID)
  /// Report the current state of the logs.
  case describe
  /// Write everything to disk and end.
  case end

  package var isEnd: Bool { if case .end = self { true } else { false } }
  package var isQueuedFix: Bool { if case .event = self { true } else { false } }
}

/// A report from the logs to the service.
package enum LogReport: RecordsReport {
  /// A log's request for fixes.
  case ask(ClientRequest, by: ClientID, for: IndexedLog)
  /// A log is no longer recorded.
  case left(ClientID)
  /// The answer to a client's request.
  case answer(ServiceEvent, to: ClientID)
  case event(LogServiceEvent)
  /// The logs, in answer to `.describe`; `nil` if there are none, or if they cannot be read.
  case account([LogDescription]?)
  /// The thread has ended, and no log is recorded any more.
  case ended

  package var answered: (event: ServiceEvent, client: ClientID)? {
    if case .answer(let event, let client) = self { (event, client) } else { nil }
  }
}

/// Log events that are worth a line in the service's log.
package enum LogServiceEvent: Hashable, Sendable {
  /// The log is being recorded; with a problem, it should be recorded but cannot be.
  case recording(String, LogProblem?)
  case stopped(String)
  /// This many fixes were not recorded because the disk was too slow.
  case missed(fixes: Int)
  /// Recording has stopped, and its end could not be written to disk.
  case endLost(String, LogProblem)
  /// The index was damaged and was renamed to this name.
  case setAside(String)
  /// The index had lost the log, which was recovered from its track; `isRecorded`: whether it is to be recorded.
  case adopted(String, isRecorded: Bool)
  /// Data cannot be stored in the state folder, or read from it.
  case cannotKeep(path: String, reason: String)
}
