package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
import Synchronization

/// Runs a worker on its own thread, which is started at the first use, so that a slow storage card or a million regions
/// do not delay clients that wait for a fix.
///
/// Every request gets an answer: if the thread fails, the pending requests fail, and the thread is started again.
package final class RecordsThread<Worker: RecordsWorker> {
  /// Limits of the queue while the disk hangs.
  package struct Limits: Sendable {
    package var fixes: Int
    package var requests = 256
    package var requestsOfUser = Int.max

    package init(fixes: Int) { self.fixes = fixes }
  }

  /// A thread that failed is restarted after this time.
  private static var restartPause: Duration { .seconds(10) }

  package let settings: Worker.Settings
  let isVirtual: Bool
  private let limits: Limits
  private let loop: EventLoop
  private let now: () -> Instant
  let onReport: (Worker.Report) -> Void
  private let orders: LoopMailbox<(Worker.Order, at: Instant)>
  private let outcomes: LoopMailbox<Outcome>
  private let waiting = Waiting()
  private var thread: WorkerThread?
  private var isEnding = false
  /// Requests without an answer, including those of disconnected clients, because the thread executes them
  /// nevertheless.
  private var unanswered: [Request] = []
  /// Requests that receive answers until they are canceled.
  private var continuing: [Request] = []
  /// Clients that have sent a request: the worker is not informed of the disconnection of any other client.
  private var requesters: Set<ClientID> = []
  private var unsettledOrders = 0
  /// The number of fixes that were dropped because the queue was full, and that have not been reported yet.
  var missed = 0
  /// Whether there are records on disk, so that the worker has work to do. Stays `true` once it is.
  package private(set) lazy var hasRecords = Worker.hasRecords(settings)

  private struct Request {
    let client: ClientID
    let id: RequestID
    let userID: UInt32?

    func isThat(_ id: RequestID, of client: ClientID) -> Bool { self.id == id && self.client == client }
  }

  /// Messages from the thread.
  private enum Outcome: Sendable {
    case report(Worker.Report)
    /// An order other than a fix has been executed, and its results were reported before this. Sent only in virtual
    /// time.
    case executed
    /// The thread has ended: normally (`nil`), or because of this error.
    case ended(SystemError?)
  }

  /// Counts the fixes that are queued for the thread.
  private final class Waiting: Sendable {
    let fixes = Atomic<Int>(0)
  }

  /// - Parameters:
  ///   - loop: the service's event loop.
  ///   - now: the service's current time, which accompanies every order.
  ///   - isVirtual: whether time comes from a recording that is replayed as fast as possible; then no timers are used.
  ///   - onReport: executes the worker's requests to the service, on the loop's thread.
  package init(
    _ settings: Worker.Settings, loop: EventLoop, now: @escaping () -> Instant, limits: Limits, isVirtual: Bool,
    onReport: @escaping (Worker.Report) -> Void
  ) throws(SystemError) {
    (self.settings, self.loop, self.now, self.limits) = (settings, loop, now, limits)
    (self.isVirtual, self.onReport) = (isVirtual, onReport)
    orders = try LoopMailbox()
    outcomes = try LoopMailbox()
    try loop.receive(from: outcomes) { [weak self] in self?.receive($0) }
  }

  deinit { if thread != nil { orders.post((.end, at: now())) } }

  /// Whether the thread exists, so that it may have pending work.
  package var isRunning: Bool { thread != nil }

  /// Whether the queue of fixes is full. If it is, a source that can wait must wait before it sends more.
  package var isBehind: Bool { waiting.fixes.load(ordering: .relaxed) >= limits.fixes }

  /// Whether orders other than fixes are pending, so that the worker's requirements are not known yet. Used only in
  /// virtual time, where a recording could end before the worker has reported them.
  package var isUnsettled: Bool { unsettledOrders > 0 }

  // MARK: - Orders

  /// Continues the work that was in progress when the service ended.
  package func resume() throws(SystemError) {
    if Worker.resumes(settings), hasRecords { try post(.begin) }
  }

  /// Sends a client's request; returns `false` if the queue is full.
  func send(
    _ order: Worker.Order, _ id: RequestID, from client: ClientID, ofUser userID: UInt32?, isContinuing: Bool = false
  ) throws(SystemError) -> Bool {
    guard hasRoom(forUser: userID) else { return false }
    try post(order)
    // This request may create the first record.
    hasRecords = true
    let request = Request(client: client, id: id, userID: userID)
    if isContinuing { continuing.append(request) } else { unanswered.append(request) }
    requesters.insert(client)
    return true
  }

  /// Whether one more request of a user is accepted; `nil` for this process itself.
  func hasRoom(forUser userID: UInt32?) -> Bool {
    guard !isEnding, unanswered.count < limits.requests else { return false }
    return unanswered.count { $0.userID == userID } < limits.requestsOfUser
  }

  /// Whether a client's request continues until it is canceled.
  package func isContinuing(_ id: RequestID, of client: ClientID) -> Bool {
    continuing.contains { $0.isThat(id, of: client) }
  }

  /// Forgets a continuing request that the client has canceled.
  func forget(_ id: RequestID, of client: ClientID) { continuing.removeAll { $0.isThat(id, of: client) } }

  /// Handles the disconnection of a client.
  package func leave(_ client: ClientID) {
    guard requesters.remove(client) != nil else { return }
    continuing.removeAll { $0.client == client }
    send(.left(client))
  }

  /// Sends an order that matters only to a running thread.
  package func send(_ order: Worker.Order) {
    if isActive { hand(order) }
  }

  /// Sends an order to the thread, which is started if it does not run.
  package func post(_ order: Worker.Order) throws(SystemError) {
    if thread == nil { thread = try begin() }
    hand(order)
  }

  /// Whether one more fix is accepted. A replay waits until the queue has room; a receiver cannot.
  var hasRoomForFix: Bool { isVirtual || !isBehind }

  /// Sends a fix, or an event that has to keep its place among the fixes, to a running thread.
  func sendFix(_ order: Worker.Order) {
    guard isActive else { return }
    waiting.fixes.add(1, ordering: .relaxed)
    orders.post((order, at: now()))
  }

  /// Requests that everything is written to disk and the thread ends; `isRunning` becomes `false` when that is done.
  package func end() {
    guard isActive else { return }
    isEnding = true
    orders.post((.end, at: now()))
  }

  /// The same for a service whose loop has stopped: blocks until everything is on disk.
  package func finish() {
    end()
    thread.take()?.join()
  }

  var isActive: Bool { thread != nil && !isEnding }

  private func hand(_ order: Worker.Order) {
    if isVirtual { unsettledOrders += 1 }
    orders.post((order, at: now()))
  }

  private func begin() throws(SystemError) -> WorkerThread {
    // Created here so that a failure is reported to the caller; from then on the loop belongs to the thread.
    let loop = try EventLoop(ownsProcess: false)
    let worker = Worker(settings, at: now()) { [outcomes] in outcomes.post(.report($0)) }
    let run = WorkerRun(loop: loop, worker, isVirtual: isVirtual)
    // Orders that were left by the previous thread are dropped: no client waits for them any more.
    _ = orders.takeAll()
    waiting.fixes.store(0, ordering: .relaxed)
    unsettledOrders = 0
    try loop.receive(from: orders) { [waiting, outcomes, isVirtual, unowned run] order, present in
      let isFix = order.isQueuedFix
      if isFix { waiting.fixes.subtract(1, ordering: .relaxed) }
      run.execute(order, at: present)
      if isVirtual, !isFix { outcomes.post(.executed) }
    }
    return try WorkerThread(name: Worker.threadName) { [outcomes] in
      do throws(SystemError) {
        try withExtendedLifetime(run) { () throws(SystemError) in try loop.run() }
        outcomes.post(.ended(nil))
      } catch {
        outcomes.post(.ended(error))
      }
    }
  }

  // MARK: - Outcomes

  private func receive(_ outcome: Outcome) {
    switch outcome {
    case .report(let report):
      if let (event, client) = report.answered { unanswered.removeAll { $0.isThat(event.request, of: client) } }
      onReport(report)
    case .executed: unsettledOrders = max(0, unsettledOrders - 1)
    case .ended(let error): ended(error)
    }
  }

  /// Called when the worker has ended and cannot answer: the pending requests fail.
  private func ended(_ error: SystemError?) {
    thread = nil
    unsettledOrders = 0
    let reason = error?.description ?? "the service is ending"
    let failure = Worker.failure(settings, reason: reason)
    for request in unanswered + continuing { onReport(.answer(.failed(request.id, failure), to: request.client)) }
    (unanswered, continuing) = ([], [])
    if error != nil, !isEnding {
      onReport(Worker.cannotKeep(settings, reason: reason))
      loop.schedule(at: loop.now + Self.restartPause) { [weak self] in
        if let self, !isEnding { try? resume() }
      }
    }
    onReport(.ended)
  }
}

/// Work on the records that a service keeps.
package protocol RecordsWorker: AnyObject, SendableMetatype {
  /// The values that the worker needs from the start.
  associatedtype Settings: Sendable
  associatedtype Order: RecordsOrder
  associatedtype Report: RecordsReport

  /// Shown by tools, at most 15 bytes.
  static var threadName: String { get }
  /// Whether there are records on disk.
  static func hasRecords(_ settings: Settings) -> Bool
  /// Whether this process, when it starts, resumes the work that the records describe.
  static func resumes(_ settings: Settings) -> Bool
  /// The failure for a client whose request cannot be executed.
  static func failure(_ settings: Settings, reason: String) -> LocationFailure
  /// Reports that nothing can be stored or read.
  static func cannotKeep(_ settings: Settings, reason: String) -> Report

  /// - Parameter report: receives the worker's requests to the service, and its answers to clients.
  init(_ settings: Settings, at now: Instant, report: @escaping (Report) -> Void)
  /// When `wake` is due.
  var nextDeadline: Instant? { get }
  func handle(_ order: Order, at now: Instant)
  /// Called when `nextDeadline` has been reached; an early call has no effect.
  func wake(at now: Instant)
}

/// An order from the service to a worker.
package protocol RecordsOrder: Sendable {
  /// Continue the work that was in progress when the service ended.
  static var begin: Self { get }
  /// A client has disconnected.
  static func left(_ client: ClientID) -> Self
  /// Write everything to disk and end.
  static var end: Self { get }
  var isEnd: Bool { get }
  /// Whether the order is a fix, or an event that has to keep its place among the fixes, and therefore counts in their
  /// queue.
  var isQueuedFix: Bool { get }
}

/// A report from a worker to the service.
package protocol RecordsReport: Sendable {
  static func answer(_ event: ServiceEvent, to client: ClientID) -> Self
  /// The event and the client of an answer; `nil` for another report.
  var answered: (event: ServiceEvent, client: ClientID)? { get }
  /// The thread has ended; all requests of the worker end with it.
  static var ended: Self { get }
}

/// The thread's side: passes orders to the worker, and wakes it at its deadlines.
private final class WorkerRun<Worker: RecordsWorker> {
  private let loop: EventLoop
  private let worker: Worker
  /// Whether time comes from a recording; then overdue work is done with the next order.
  private let isVirtual: Bool
  private var timer: TimerID?
  private var wakeAt: Instant?

  init(loop: EventLoop, _ worker: Worker, isVirtual: Bool) {
    (self.loop, self.worker, self.isVirtual) = (loop, worker, isVirtual)
  }

  func execute(_ order: Worker.Order, at now: Instant) {
    worker.handle(order, at: now)
    if order.isEnd { return loop.stop() }
    arm()
  }

  private func arm() {
    guard !isVirtual else { return }
    let deadline = worker.nextDeadline
    guard deadline != wakeAt else { return }
    if let timer { loop.cancel(timer) }
    wakeAt = deadline
    timer = deadline.map { deadline in
      loop.schedule(at: deadline) { [unowned self] in
        (timer, wakeAt) = (nil, nil)
        worker.wake(at: loop.now)
        arm()
      }
    }
  }
}
