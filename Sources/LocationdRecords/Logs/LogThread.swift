package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationdService
import Synchronization

/// The logs of a service, kept on a thread of their own, which begins with the first need of it: a card that takes its time
/// holds up nobody who waits for a fix.
package final class LogThread {
  /// So much may wait for a disk that hangs: seven minutes of ten fixes a second, and so many requests.
  private static let maximumWaiting = (fixes: 4096, requests: 256)
  /// A thread that failed is begun anew after this.
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
  /// Requests that have not been answered yet.
  private var unanswered: [(client: ClientID, request: RequestID)] = []
  /// Who has asked for something: the thread need not hear of others that go.
  private var askers: Set<ClientID> = []
  /// The keeper's own clients of the service.
  private var clients: Set<ClientID> = []
  /// Fixes that came while too many waited.
  private var missed = 0

  /// What the thread has not come to yet.
  private final class Waiting: Sendable {
    let fixes = Atomic<Int>(0)
  }

  /// - Parameters:
  ///   - loop: the service's.
  ///   - now: the service's present, which comes with every order.
  ///   - records: whether this process records; else it only reads what another has recorded.
  ///   - isVirtual: the time is that of a recording that is played as fast as it can be read: no timer goes.
  ///   - onReport: carries out, on the loop's thread, what the logs want of the service.
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

  /// Whether there is an index of logs; a state folder without one has none. It never goes again.
  package private(set) lazy var hasLogs = LogKeeper.hasIndex(in: stateFolder)

  /// Whether the thread is there, and so may have something under way.
  package var isRunning: Bool { worker != nil }

  /// Whether as many fixes wait as may: who can wait with the next ones does.
  package var isBehind: Bool { waiting.fixes.load(ordering: .relaxed) >= Self.maximumWaiting.fixes }

  /// Goes on with the logs that were recorded when the service ended.
  package func resume() throws(SystemError) {
    if records, hasLogs { try post(.begin) }
  }

  /// Asks something of the logs; `false`: too much is waiting already.
  package func ask(
    _ request: LogRequest, _ id: RequestID, from client: ClientID, of asker: LogOwner?
  ) throws(SystemError) -> Bool {
    guard !isEnding, unanswered.count < Self.maximumWaiting.requests else { return false }
    try post(.request(request, id, from: client, of: asker))
    // It may be the first one.
    hasLogs = true
    unanswered.append((client, id))
    askers.insert(client)
    return true
  }

  /// Has the logs told as they are now.
  package func describe() throws(SystemError) { try post(.describe) }

  /// A client has gone.
  package func leave(_ client: ClientID) {
    guard askers.remove(client) != nil else { return }
    unanswered.removeAll { $0.client == client }
    if worker != nil { orders.post((.left(client), at: now())) }
  }

  /// Hands on what the service has told one of the logs' own clients.
  package func hear(_ event: ServiceEvent, by client: ClientID) {
    guard clients.contains(client) else { return }
    switch event {
    case .update:
      // Whoever plays a recording waits; a receiver does not.
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

  /// Has everything brought to the disk, and the thread ended; `isRunning` tells when that is done.
  package func end() {
    guard worker != nil, !isEnding else { return }
    isEnding = true
    orders.post((.end, at: now()))
  }

  /// The same for a service whose loop does not run any more: waits for the disk.
  package func finish() {
    end()
    worker.take()?.join()
  }

  /// Has the thread do it, which is begun where it does not run.
  private func post(_ order: LogOrder) throws(SystemError) {
    if worker == nil { worker = try begin() }
    orders.post((order, at: now()))
  }

  private func begin() throws(SystemError) -> WorkerThread {
    // Made here, where its failure is heard; from then on it is the thread's.
    let loop = try EventLoop(ownsProcess: false)
    let desk = LogDesk(loop: loop, stateFolder: stateFolder, records: records, isVirtual: isVirtual) { [reports] in
      reports.post($0)
    }
    // What the thread before this one has left undone nobody waits for any more.
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

  /// The keeper is gone: nobody else says so to those who wait for it.
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
