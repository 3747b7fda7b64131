import Dispatch
import LocationIPC
import Regions
import Synchronization

/// What is monitored for this program, where its managers' threads and the service's meet: one list for all of them.
final class SharedMonitoring: Sendable {
  /// The only one.
  static let shared = SharedMonitoring()

  /// How long anybody waits to know what an earlier run has monitored; it takes some milliseconds.
  private static let patience = DispatchTimeInterval.seconds(1)

  private struct State {
    var machine: ProgramMonitoring
    var managers: [UInt64: ManagerEngine] = [:]
    var outbox = RequestOutbox()
    /// Whether it was looked up whether an earlier run has monitored something.
    var hasLooked = false
    var isBegun = false
  }

  private let list = ProgramDescription.listName
  private let state: Mutex<State>
  private let connection = Mutex<ServiceConnection?>(nil)
  /// Left once it is known what an earlier run has monitored.
  private let isAwaited = DispatchGroup()

  private init() {
    state = Mutex(State(machine: ProgramMonitoring(list: list)))
    isAwaited.enter()
  }

  /// The manager has a delegate from now on: it hears what happens, and what was missed.
  func listen(_ engine: ManagerEngine) {
    guard let manager = engine.manager else { return }
    state.withLock { $0.managers[manager] = engine }
    handle(.listens(manager))
    look()
  }

  /// The manager wants something.
  func handle(_ engine: ManagerEngine, _ input: (UInt64) -> ProgramMonitoring.Input) {
    guard let manager = engine.manager else { return }
    state.withLock { $0.managers[manager] = engine }
    handle(input(manager))
  }

  /// The manager is no more.
  func forget(_ engine: ManagerEngine) {
    guard let manager = engine.manager else { return }
    // Let go of outside the lock.
    let known = state.withLock { $0.managers.removeValue(forKey: manager) }
    if known != nil { handle(.gone(manager)) }
  }

  /// What is monitored, as far as it is known after a moment.
  var regions: [Region] {
    look()
    if state.withLock({ $0.isBegun && !$0.machine.isKnown }) { _ = isAwaited.wait(timeout: .now() + Self.patience) }
    return state.withLock { Array($0.machine.regions.values) }
  }

  // MARK: -

  /// Asks for what an earlier run has monitored, where there may be something. For a program that monitors nothing no service is begun.
  private func look() {
    let isFirst = state.withLock { state in
      defer { state.hasLooked = true }
      return !state.hasLooked
    }
    if isFirst, LocationService.shared.mayMonitor(list) { handle(.begin) }
  }

  private func handle(_ input: ProgramMonitoring.Input) {
    let actions = state.withLock { state in
      let actions = state.machine.handle(input)
      for case .send(let request) in actions {
        state.outbox.add(request)
        state.isBegun = true
      }
      return actions
    }
    send()
    for action in actions {
      switch action {
      case .send: break
      case .tell(let managers, let notice): for manager in managers { tell(manager, notice) }
      case .known: isAwaited.leave()
      }
    }
  }

  private func tell(_ manager: UInt64, _ notice: MonitoringNotice) {
    let isTaken = state.withLock { $0.managers[manager] }?.tell(notice) ?? false
    guard !isTaken, let event = notice.event else { return }
    handle(.told(event: event, by: manager, isHeard: false))
  }

  private func send() {
    guard state.withLock({ $0.outbox.begin() }) else { return }
    while let request = state.withLock({ $0.outbox.next() }) { service.send(request) }
  }

  private var service: ServiceConnection {
    connection.withLock { connection in
      if let connection { return connection }
      let made = LocationService.shared.connect { [self] event in
        handle(event.map { .event($0) } ?? .serviceEnded)
      }
      connection = made
      return made
    }
  }
}

/// Requests in the order in which a machine behind a lock has made them, handed on outside of it: the service may answer from within.
struct RequestOutbox {
  private var waiting: [ClientRequest] = []
  private var isSending = false

  mutating func add(_ request: ClientRequest) { waiting.append(request) }

  /// Whether who asks is to hand on what waits; else somebody does already.
  mutating func begin() -> Bool {
    defer { isSending = true }
    return !isSending
  }

  /// The next one; `nil`: that was all, and nobody hands on any more.
  mutating func next() -> ClientRequest? {
    guard waiting.isEmpty else { return waiting.removeFirst() }
    isSending = false
    return nil
  }
}
