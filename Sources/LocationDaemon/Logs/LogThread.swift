import Geodesy
import LinuxIO
import LocationIPC
import Synchronization

/// The logs of a service, kept on a thread of their own, which begins with the first need of it: a card that takes its time
/// holds up nobody who waits for a fix.
final class LogThread {
  /// So much may wait for a disk that hangs: seven minutes of ten fixes a second, those that come then are not recorded; and
  /// so many requests.
  private static let maximumWaiting = (fixes: 4096, requests: 256)

  let stateFolder: String
  private let records: Bool
  private let isVirtual: Bool
  private let loop: EventLoop
  private let now: () -> Instant
  private let onReport: (LogReport) -> Void
  private let orders: LoopMailbox<(LogOrder, at: Instant)>
  private let reports: LoopMailbox<LogReport>
  private let waiting = Waiting()
  private var worker: WorkerThread?

  /// What the thread has not come to yet.
  private final class Waiting: Sendable {
    let fixes = Atomic<Int>(0)
    let requests = Atomic<Int>(0)
  }

  /// - Parameters:
  ///   - loop: the service's.
  ///   - now: the service's present, which comes with every order.
  ///   - records: whether this process records; else it only reads what another has recorded.
  ///   - isVirtual: the time is that of a recording that is played as fast as it can be read: no fix of it is lost, and no
  ///     timer goes.
  ///   - onReport: carries out, on the loop's thread, what the logs want of the service.
  init(
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
    try loop.receive(from: reports) { onReport($0) }
  }

  deinit { end() }

  /// Whether there is an index of logs; a state folder without one has none.
  var hasLogs: Bool { LogKeeper.hasIndex(in: stateFolder) }

  /// Goes on with the logs that were recorded when the service ended.
  func resume() throws(SystemError) {
    if records, hasLogs { try post(.begin) }
  }

  /// Asks something of the logs; `false`: too much is waiting already.
  func ask(_ request: LogRequest, _ id: RequestID, from client: ClientID) throws(SystemError) -> Bool {
    guard waiting.requests.load(ordering: .relaxed) < Self.maximumWaiting.requests else { return false }
    waiting.requests.add(1, ordering: .relaxed)
    try post(.request(request, id, from: client))
    return true
  }

  /// Has the logs told as they are now.
  func describe() throws(SystemError) { try post(.describe) }

  /// A client has gone.
  func leave(_ client: ClientID) {
    if worker != nil { orders.post((.left(client), at: now())) }
  }

  /// Hands on what the service has told one of the logs' own clients.
  func hear(_ event: ServiceEvent, by client: ClientID) {
    guard case .update = event else { return }
    guard isVirtual || waiting.fixes.load(ordering: .relaxed) < Self.maximumWaiting.fixes else { return }
    waiting.fixes.add(1, ordering: .relaxed)
    orders.post((.heard(event, by: client), at: now()))
  }

  /// Waits until everything is on the disk and the thread has ended, and hears what it had yet to report.
  func end() {
    guard let worker = worker.take() else { return }
    orders.post((.end, at: now()))
    worker.join()
    for report in reports.takeAll() { onReport(report) }
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
    try loop.receive(from: orders) { [waiting] order, present in
      switch order {
      case .heard: waiting.fixes.subtract(1, ordering: .relaxed)
      case .request: waiting.requests.subtract(1, ordering: .relaxed)
      case .begin, .left, .describe, .end: break
      }
      desk.carryOut(order, at: present)
    }
    return try WorkerThread(name: "logs") { try? loop.run() }
  }
}
