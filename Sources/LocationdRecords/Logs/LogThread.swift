package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationStore
import LocationdService
import Synchronization

/// Runs the log keeper on its own thread, started at the first use, so that a slow storage card does not delay clients that
/// wait for a fix.
package final class LogThread {
  /// Limits of the queue while the disk hangs: fixes (seven minutes at ten per second) and requests.
  private static let maximumWaiting = (fixes: 4096, requests: 256)
  /// A thread that failed is restarted after this time.
  private static let rest: Duration = .seconds(10)

  package let stateFolder: String
  private let records: Bool
  private let isVirtual: Bool
  private let loop: EventLoop
  private let now: () -> Instant
  private let onReport: (LogReport) -> Void
  private let orders: LoopMailbox<(LogOrder, at: Instant)>
  private let reports: LoopMailbox<LogReport>
  private let waiting = Waiting()
  private var worker: WorkerThread?
  private var isEnding = false
  /// Requests without an answer yet.
  private var unanswered: [(client: ClientID, request: RequestID)] = []
  /// Clients that have sent a request: the thread is not informed when any other client disconnects.
  private var askers: Set<ClientID> = []
  /// The keeper's internal clients of the service.
  private var clients: Set<ClientID> = []
  /// Fixes that were dropped because the queue was full.
  private var missed = 0

  /// Counts the fixes that are queued for the thread.
  private final class Waiting: Sendable {
    let fixes = Atomic<Int>(0)
  }

  /// - Parameters:
  ///   - loop: the service's event loop.
  ///   - now: the service's current time, which is sent with every order.
  ///   - records: whether this process records; otherwise it only reads what another process has recorded.
  ///   - isVirtual: time comes from a recording that is replayed at full speed; no timers are used.
  ///   - onReport: executes, on the loop's thread, what the logs request from the service.
  package init(
    loop: EventLoop, now: @escaping () -> Instant, stateFolder: String, records: Bool, isVirtual: Bool,
    onReport: @escaping (LogReport) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.now = now
    self.stateFolder = stateFolder
    self.records = records
    self.isVirtual = isVirtual
    self.onReport = onReport
    orders = try LoopMailbox()
    reports = try LoopMailbox()
    try loop.receive(from: reports) { [weak self] in self?.hear($0) }
  }

  deinit { if worker != nil { orders.post((.end, at: now())) } }

  /// Whether an index of logs exists; without one there are no logs. Once `true`, it stays so.
  package private(set) lazy var hasLogs = LogKeeper.hasIndex(in: stateFolder)

  /// Whether the thread exists, and so may have pending work.
  package var isRunning: Bool { worker != nil }

  /// Whether the queue of fixes is full: a source that can wait does so before it sends more.
  package var isBehind: Bool { waiting.fixes.load(ordering: .relaxed) >= Self.maximumWaiting.fixes }

  /// Resumes the logs that were being recorded when the service ended.
  package func resume() throws(SystemError) {
    if records, hasLogs { try post(.begin) }
  }

  /// Sends a request to the logs; `false`: the queue is full.
  package func ask(
    _ request: LogRequest, _ id: RequestID, from client: ClientID, of asker: LogOwner?
  ) throws(SystemError) -> Bool {
    guard !isEnding, unanswered.count < Self.maximumWaiting.requests else { return false }
    try post(.request(request, id, from: client, of: asker))
    // This request may create the first log.
    hasLogs = true
    unanswered.append((client, id))
    askers.insert(client)
    return true
  }

  /// Requests a report of the current state of the logs.
  package func describe() throws(SystemError) { try post(.describe) }

  /// A client has disconnected.
  package func leave(_ client: ClientID) {
    guard askers.remove(client) != nil else { return }
    unanswered.removeAll { $0.client == client }
    if worker != nil { orders.post((.left(client), at: now())) }
  }

  /// Forwards an event that the service sent to one of the internal clients.
  package func hear(_ event: ServiceEvent, by client: ClientID) {
    guard clients.contains(client) else { return }
    switch event {
    case .update:
      // A replay waits until the queue has room; a receiver cannot.
      guard isVirtual || !isBehind else { return missed += 1 }
    case .streamChanged(_, .suspended), .streamChanged(_, .resumed): break
    default: return
    }
    if missed > 0 {
      onReport(.news(.missed(fixes: missed)))
      missed = 0
    }
    waiting.fixes.add(1, ordering: .relaxed)
    orders.post((.heard(event, by: client), at: now()))
  }

  /// Requests that everything is written to disk and the thread ends; `isRunning` turns `false` when that is done.
  package func end() {
    guard worker != nil, !isEnding else { return }
    isEnding = true
    orders.post((.end, at: now()))
  }

  /// The same for a service whose loop has stopped: blocks until the disk is done.
  package func finish() {
    end()
    worker.take()?.join()
  }

  /// Sends an order to the thread, which is started if it does not run.
  private func post(_ order: LogOrder) throws(SystemError) {
    if worker == nil { worker = try begin() }
    orders.post((order, at: now()))
  }

  private func begin() throws(SystemError) -> WorkerThread {
    // Created here so that its failure is reported to the caller; from then on it belongs to the thread.
    let loop = try EventLoop(ownsProcess: false)
    let desk = LogDesk(loop: loop, stateFolder: stateFolder, records: records, isVirtual: isVirtual) { [reports] in
      reports.post($0)
    }
    // Nothing waits any more for the orders that the previous thread left.
    _ = orders.takeAll()
    waiting.fixes.store(0, ordering: .relaxed)
    try loop.receive(from: orders) { [waiting, unowned desk] order, present in
      if case .heard = order { waiting.fixes.subtract(1, ordering: .relaxed) }
      desk.carryOut(order, at: present)
    }
    return try WorkerThread(name: "logs") { [reports] in
      do throws(SystemError) {
        try withExtendedLifetime(desk) { () throws(SystemError) in try loop.run() }
        reports.post(.ended(nil))
      } catch {
        reports.post(.ended(error))
      }
    }
  }

  // MARK: - What the thread says

  private func hear(_ report: LogReport) {
    switch report {
    case .ask(_, let client, _): clients.insert(client)
    case .left(let client): clients.remove(client)
    case .answer(let event, let client):
      unanswered.removeAll { $0.client == client && $0.request == event.request }
    case .ended(let error):
      worker = nil
      ended(error)
    case .news, .account: break
    }
    onReport(report)
  }

  /// The keeper has ended and cannot answer: fail the requests that wait for it.
  private func ended(_ error: SystemError?) {
    for client in clients { onReport(.left(client)) }
    clients = []
    let reason = error?.description ?? "the service is ending"
    for (client, request) in unanswered {
      onReport(
        .answer(.failed(request, .log(.cannotKeep(path: stateFolder, reason: reason, cause: .busy))), to: client))
    }
    unanswered = []
    guard let error, !isEnding else { return }
    onReport(.news(.cannotKeep(path: stateFolder, reason: error.description)))
    loop.schedule(at: loop.now + Self.rest) { [weak self] in
      if let self, !isEnding { try? resume() }
    }
  }
}

/// An order from the service to the log thread.
enum LogOrder: Sendable {
  /// Resume the logs that were being recorded when the service ended.
  case begin
  /// `of`: the owner of the client; `nil`: this process itself.
  case request(LogRequest, RequestID, from: ClientID, of: LogOwner?)
  /// A client has disconnected.
  case left(ClientID)
  /// An event that the service sent to one of the keeper's internal clients.
  case heard(ServiceEvent, by: ClientID)
  /// Report the current state of the logs.
  case describe
  /// Write everything to disk and end.
  case end
}

/// A report from the log thread to the service.
package enum LogReport: Sendable {
  /// A request from one of the keeper's internal clients, for a log.
  case ask(ClientRequest, by: ClientID, for: KeptLog)
  /// One of the internal clients has disconnected.
  case left(ClientID)
  /// The answer to another client's request.
  case answer(ServiceEvent, to: ClientID)
  case news(LogNews)
  /// The logs, in answer to `.describe`; `nil`: there are none, or they cannot be read.
  case account([LogDescription]?)
  /// The thread has ended: normally (`nil`), or because of this error.
  case ended(SystemError?)
}

/// Log events that are worth a line in the service's log.
package enum LogNews: Hashable, Sendable {
  /// The log is being recorded; with a problem: it should be, but cannot.
  case recording(String, LogProblem?)
  case stopped(String)
  /// This many fixes were not recorded because the disk was too slow.
  case missed(fixes: Int)
  /// Recording has stopped, and its end could not be written to disk.
  case endLost(String, LogProblem)
  /// The index was damaged and was renamed to this name.
  case setAside(String)
  /// The index had lost the log, which was recovered from its tracks; whether it is to be recorded.
  case adopted(String, isRecorded: Bool)
  /// The data in the state folder cannot be read.
  case cannotKeep(path: String, reason: String)
}
