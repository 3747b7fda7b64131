import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdService

/// Runs the log keeper on its own thread: receives orders, sends reports, and wakes the keeper at its deadlines.
final class LogDesk {
  private let loop: EventLoop
  private let report: (LogReport) -> Void
  private var hearers: [ClientID: (ServiceEvent) -> Void] = [:]
  private var clients = 0
  private var timer: TimerID?
  private var wakeAt: Instant?

  private lazy var keeper = makeKeeper()
  private let stateFolder: String
  private let records: Bool
  /// Whether time comes from a recording: then overdue work is done with the next order.
  private let isVirtual: Bool
  private var present: Instant

  init(
    loop: EventLoop, stateFolder: String, records: Bool, isVirtual: Bool, report: @escaping (LogReport) -> Void
  ) {
    self.loop = loop
    present = loop.now
    self.isVirtual = isVirtual
    self.stateFolder = stateFolder
    self.records = records
    self.report = report
  }

  private func makeKeeper() -> LogKeeper {
    var pace = LogPace()
    // A service may be killed soon after each start, so its first sync comes early; a replay needs none.
    if !isVirtual { pace.firstSync = .milliseconds(250) }
    let keeper = LogKeeper(
      stateFolder: stateFolder, records: records, pace: pace,
      LogKeeper.Surroundings(
        now: { [unowned self] in present },
        connect: { [unowned self] in connect($0) },
        send: { [report] in report(.ask($0, by: $1, for: $2)) },
        leave: { [unowned self] in leave($0) },
        tell: { [report] in report(.answer($1, to: $0)) }))
    keeper.onNews = { [report] in report(.news($0)) }
    return keeper
  }

  func carryOut(_ order: LogOrder, at now: Instant) {
    present = now
    switch order {
    case .begin: keeper.begin()
    case .request(let request, let id, let client, let asker): keeper.handle(request, id, from: client, of: asker)
    case .left(let client): keeper.leave(client)
    case .heard(let event, let client): hearers[client]?(event)
    case .describe: report(.account(keeper.account))
    case .end:
      keeper.end()
      loop.stop()
    }
    armTimer()
  }

  private func connect(_ hear: @escaping (ServiceEvent) -> Void) -> ClientID {
    clients += 1
    let client = ClientID.log(clients)
    hearers[client] = hear
    return client
  }

  private func leave(_ client: ClientID) {
    hearers[client] = nil
    report(.left(client))
  }

  private func armTimer() {
    let deadline = keeper.nextDeadline
    guard !isVirtual, deadline != wakeAt else { return }
    if let timer { loop.cancel(timer) }
    wakeAt = deadline
    timer = deadline.map { deadline in
      loop.schedule(at: deadline) { [unowned self] in
        (timer, wakeAt) = (nil, nil)
        present = loop.now
        keeper.wake()
        armTimer()
      }
    }
  }
}
