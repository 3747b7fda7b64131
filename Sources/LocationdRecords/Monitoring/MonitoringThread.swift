package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
import LocationStore
import LocationdService
import Synchronization

/// Runs the monitoring keeper on its own thread, started at the first use: a million regions and a slow storage card do not
/// delay clients that wait for a fix.
package final class MonitoringThread {
  /// Limits of the queue while the disk hangs.
  private static let maximumWaiting = (fixes: 64, requests: 256, ofUser: 48)

  /// A thread that failed is restarted after this time.
  private static let rest: Duration = .seconds(10)

  private let loop: EventLoop
  package let folder: String
  private let outlives: Bool
  private let mostRegions: Int
  private let isVirtual: Bool
  private let now: () -> Instant
  private let onReport: (MonitoringReport) -> Void
  private let orders: LoopMailbox<(MonitoringOrder, at: Instant)>
  private let reports: LoopMailbox<MonitoringReport>
  private let waiting = Waiting()
  private var worker: WorkerThread?
  private var isEnding = false
  /// Requests without an answer yet, including those of disconnected clients: the thread executes them nevertheless.
  private var unanswered: [(client: ClientID, request: RequestID, userID: UInt32)] = []
  /// Clients that have sent a request: the thread is not informed when any other client disconnects.
  private var askers: Set<ClientID> = []
  private var following: [(client: ClientID, request: RequestID)] = []
  private var unsettledOrders = 0

  /// Counts the fixes that are queued for the thread.
  private final class Waiting: Sendable {
    let fixes = Atomic<Int>(0)
  }

  /// - Parameters:
  ///   - loop: the service's event loop.
  ///   - now: the service's current time, which is sent with every order.
  ///   - outlives: whether a daemon hosts the store.
  ///   - isVirtual: time comes from a recording that is replayed at full speed; no timers are used.
  ///   - onReport: executes, on the loop's thread, what the keeper requests from the service.
  package init(
    loop: EventLoop, now: @escaping () -> Instant, folder: String, outlives: Bool, mostRegions: Int, isVirtual: Bool,
    onReport: @escaping (MonitoringReport) -> Void
  ) throws(SystemError) {
    (self.loop, self.now, self.folder, self.outlives) = (loop, now, folder, outlives)
    (self.mostRegions, self.isVirtual, self.onReport) = (mostRegions, isVirtual, onReport)
    orders = try LoopMailbox()
    reports = try LoopMailbox()
    try loop.receive(from: reports) { [weak self] in self?.hear($0) }
  }

  deinit { if worker != nil { orders.post((.end, at: now())) } }

  /// Whether the thread exists, and so may have pending work.
  package var isRunning: Bool { worker != nil }

  /// Whether the queue of fixes is full: a source that can wait does so before it sends more.
  package var isBehind: Bool { waiting.fixes.load(ordering: .relaxed) >= Self.maximumWaiting.fixes }

  /// Whether orders other than fixes are pending, so that the required positions are not known yet. Only in virtual time,
  /// where a recording could end before the thread has reported them.
  package var isUnsettled: Bool { unsettledOrders > 0 }

  /// Resumes what was monitored when the service ended.
  package func resume() throws(SystemError) {
    if outlives, MonitoringStore.exists(in: folder) { try post(.begin) }
  }

  /// Sends a request; `false`: the queue is full.
  package func ask(
    _ request: MonitoringRequest, _ id: RequestID, from client: ClientID, of identity: ClientIdentity,
    _ allowance: MonitoringAllowance = .granted
  ) throws(SystemError) -> Bool {
    let ofUser = unanswered.count { $0.userID == identity.userID }
    guard !isEnding, unanswered.count < Self.maximumWaiting.requests, ofUser < Self.maximumWaiting.ofUser else {
      return false
    }
    // Every program with a delegate asks, and most of them monitor nothing: start no thread for those.
    if worker == nil, let answer = request.answerOfNothing, !MonitoringStore.exists(in: folder) {
      onReport(.answer(.monitoring(id, answer), to: client))
      return true
    }
    try post(.request(request, id, from: client, of: identity, allowance))
    if request.isStream { following.append((client, id)) } else { unanswered.append((client, id, identity.userID)) }
    askers.insert(client)
    return true
  }

  /// Whether a client's request is a continuing one.
  package func follows(_ request: RequestID, of client: ClientID) -> Bool {
    following.contains { $0.client == client && $0.request == request }
  }

  package func cancel(_ request: RequestID, of client: ClientID) {
    following.removeAll { $0.client == client && $0.request == request }
    tell(.cancel(request, of: client))
  }

  /// A client has disconnected.
  package func leave(_ client: ClientID) {
    guard askers.remove(client) != nil else { return }
    following.removeAll { $0.client == client }
    tell(.left(client))
  }

  /// Sends an order that matters only to a running thread.
  package func tell(_ order: MonitoringOrder) {
    guard worker != nil, !isEnding else { return }
    if case .fix = order {
      guard isVirtual || !isBehind else { return }
      waiting.fixes.add(1, ordering: .relaxed)
      return orders.post((order, at: now()))
    }
    hand(order)
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
  private func post(_ order: MonitoringOrder) throws(SystemError) {
    if worker == nil { worker = try begin() }
    hand(order)
  }

  private func hand(_ order: MonitoringOrder) {
    if isVirtual { unsettledOrders += 1 }
    orders.post((order, at: now()))
  }

  private func begin() throws(SystemError) -> WorkerThread {
    // Created here so that its failure is reported to the caller; from then on it belongs to the thread.
    let loop = try EventLoop(ownsProcess: false)
    var limits = LookLimits()
    if isVirtual {
      // A recording does not advance while no positions are requested.
      (limits.shortestRest, limits.patience) = (.seconds(1 << 40), .seconds(1 << 40))
    }
    let desk = MonitoringDesk(
      loop: loop,
      MonitoringKeeper(
        folder: folder, outlives: outlives, mostRegions: mostRegions, limits: limits, present: now(),
        report: { [reports] in reports.post($0) }),
      isVirtual: isVirtual)
    _ = orders.takeAll()
    waiting.fixes.store(0, ordering: .relaxed)
    unsettledOrders = 0
    try loop.receive(from: orders) { [waiting, reports, isVirtual, unowned desk] order, present in
      let isFix = if case .fix = order { true } else { false }
      if isFix { waiting.fixes.subtract(1, ordering: .relaxed) }
      desk.carryOut(order, at: present)
      if isVirtual, !isFix { reports.post(.carriedOut) }
    }
    return try WorkerThread(name: "monitoring") { [reports] in
      do throws(SystemError) {
        try withExtendedLifetime(desk) { () throws(SystemError) in try loop.run() }
        reports.post(.ended(nil))
      } catch {
        reports.post(.ended(error))
      }
    }
  }

  private func hear(_ report: MonitoringReport) {
    switch report {
    case .answer(let event, let client):
      unanswered.removeAll { $0.client == client && $0.request == event.request }
    case .carriedOut:
      unsettledOrders = max(0, unsettledOrders - 1)
      return
    case .ended(let error):
      worker = nil
      unsettledOrders = 0
      ended(error)
    case .wanted, .look, .listen, .launch, .noted, .counted, .notCounted, .news, .reached: break
    }
    onReport(report)
  }

  /// The keeper has ended and cannot answer: fail the requests that wait for it.
  private func ended(_ error: SystemError?) {
    let reason = error?.description ?? "the service is ending"
    for (client, request) in unanswered.map({ ($0.client, $0.request) }) + following {
      let failure = LocationFailure.monitoring(.cannotKeep(path: folder, reason: reason, .busy))
      onReport(.answer(.failed(request, failure), to: client))
    }
    (unanswered, following) = ([], [])
    guard let error, !isEnding else { return }
    onReport(.news(.cannotKeep(path: folder, reason: error.description)))
    loop.schedule(at: loop.now + Self.rest) { [weak self] in
      if let self, !isEnding { try? resume() }
    }
  }
}
