package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
import LocationStore
package import LocationdService
import Synchronization

/// What is monitored for programs that come and go, on a thread of its own, which begins with the first need of it: a million regions
/// and a slow card hold up nobody who waits for a fix.
package final class MonitoringThread {
  /// So much may wait for a disk that hangs.
  private static let maximumWaiting = (fixes: 64, requests: 256, ofUser: 48)

  /// A thread that failed is begun anew after this.
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
  /// Requests that have not been answered yet, also of clients that have gone since: the thread has them to do all the same.
  private var unanswered: [(client: ClientID, request: RequestID, userID: UInt32)] = []
  /// Who has asked for something: the thread need not hear of others that go.
  private var askers: Set<ClientID> = []
  private var following: [(client: ClientID, request: RequestID)] = []
  private var unsettledOrders = 0

  /// What the thread has not come to yet.
  private final class Waiting: Sendable {
    let fixes = Atomic<Int>(0)
  }

  /// - Parameters:
  ///   - loop: the service's.
  ///   - now: the service's present, which comes with every order.
  ///   - outlives: whether a daemon hosts it.
  ///   - isVirtual: the time is that of a recording that is played as fast as it can be read: no timer goes.
  ///   - onReport: carries out, on the loop's thread, what is wanted of the service.
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

  /// Whether the thread is there, and so may have something under way.
  package var isRunning: Bool { worker != nil }

  /// Whether as many fixes wait as may: who can wait with the next ones does.
  package var isBehind: Bool { waiting.fixes.load(ordering: .relaxed) >= Self.maximumWaiting.fixes }

  /// Whether the thread has not carried out all orders, fixes excepted, so that nobody knows which positions it wants. Only in
  /// virtual time, where a recording could be over before it has said so.
  package var isUnsettled: Bool { unsettledOrders > 0 }

  /// Goes on with what was monitored when the service ended.
  package func resume() throws(SystemError) {
    if outlives, MonitoringStore.exists(in: folder) { try post(.begin) }
  }

  /// Asks something; `false`: too much is waiting already.
  package func ask(
    _ request: MonitoringRequest, _ id: RequestID, from client: ClientID, of identity: ClientIdentity,
    _ allowance: MonitoringAllowance = .granted
  ) throws(SystemError) -> Bool {
    let ofUser = unanswered.count { $0.userID == identity.userID }
    guard !isEnding, unanswered.count < Self.maximumWaiting.requests, ofUser < Self.maximumWaiting.ofUser else {
      return false
    }
    // Every program with a delegate asks, and most of them monitor nothing: no thread for those.
    if worker == nil, let answer = request.answerOfNothing, !MonitoringStore.exists(in: folder) {
      onReport(.answer(.monitoring(id, answer), to: client))
      return true
    }
    try post(.request(request, id, from: client, of: identity, allowance))
    if request.isStream { following.append((client, id)) } else { unanswered.append((client, id, identity.userID)) }
    askers.insert(client)
    return true
  }

  /// Whether a client's request is one that goes on.
  package func follows(_ request: RequestID, of client: ClientID) -> Bool {
    following.contains { $0.client == client && $0.request == request }
  }

  package func cancel(_ request: RequestID, of client: ClientID) {
    following.removeAll { $0.client == client && $0.request == request }
    tell(.cancel(request, of: client))
  }

  /// A client has gone.
  package func leave(_ client: ClientID) {
    guard askers.remove(client) != nil else { return }
    following.removeAll { $0.client == client }
    tell(.left(client))
  }

  /// Something that matters only to a thread that is there.
  package func tell(_ order: MonitoringOrder) {
    guard worker != nil, !isEnding else { return }
    if case .fix = order {
      guard isVirtual || !isBehind else { return }
      waiting.fixes.add(1, ordering: .relaxed)
      return orders.post((order, at: now()))
    }
    hand(order)
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
  private func post(_ order: MonitoringOrder) throws(SystemError) {
    if worker == nil { worker = try begin() }
    hand(order)
  }

  private func hand(_ order: MonitoringOrder) {
    if isVirtual { unsettledOrders += 1 }
    orders.post((order, at: now()))
  }

  private func begin() throws(SystemError) -> WorkerThread {
    // Made here, where its failure is heard; from then on it is the thread's.
    let loop = try EventLoop(ownsProcess: false)
    var limits = LookLimits()
    if isVirtual {
      // A recording does not go on while nobody asks for positions.
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

  /// The keeper is gone: nobody else says so to those who wait for it.
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
