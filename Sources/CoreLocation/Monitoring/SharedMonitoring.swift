import Dispatch
import LocationIPC
import Regions
import Synchronization

/// The regions, visits and significant changes monitored for this program, shared by its managers' threads and the service's
/// thread: one list for all managers.
final class SharedMonitoring: Sendable {
  /// The shared instance.
  static let shared = SharedMonitoring()

  /// Maximum wait for the list of an earlier run; loading it usually takes some milliseconds.
  private static let patience = DispatchTimeInterval.seconds(1)

  private struct State {
    var machine: ProgramMonitoring
    var managers: [UInt64: ManagerEngine] = [:]
    /// Whether the list of an earlier run has been looked up.
    var hasRequestedList = false
    var isBegun = false
  }

  private let list = ProgramDescription.listName
  private let state: Mutex<State>
  private let conversation = ServiceConversation()
  /// Left once the list of an earlier run is known.
  private let isAwaited = DispatchGroup()

  private init() {
    state = Mutex(State(machine: ProgramMonitoring(list: list, numbers: LocationService.shared.numbers)))
    isAwaited.enter()
  }

  /// Called when the manager has a delegate: the delegate receives missed and new events.
  func listen(_ engine: ManagerEngine) {
    guard let manager = engine.manager else { return }
    state.withLock { $0.managers[manager] = engine }
    handle(.listens(manager))
    requestStoredList()
  }

  /// Handles a request of the manager.
  func handle(_ engine: ManagerEngine, _ input: (UInt64) -> ProgramMonitoring.Input) {
    guard let manager = engine.manager else { return }
    state.withLock { $0.managers[manager] = engine }
    handle(input(manager))
  }

  /// Called when the manager has been released.
  func forget(_ engine: ManagerEngine) {
    guard let manager = engine.manager else { return }
    // Released outside the lock.
    let known = state.withLock { $0.managers.removeValue(forKey: manager) }
    if known != nil { handle(.gone(manager)) }
  }

  /// The monitored regions; waits at most `patience` for those of an earlier run.
  var regions: [Region] {
    requestStoredList()
    if state.withLock({ $0.isBegun && !$0.machine.isKnown }) { _ = isAwaited.wait(timeout: .now() + Self.patience) }
    return state.withLock { Array($0.machine.regions.values) }
  }

  // MARK: -

  /// Requests the list of an earlier run, if there may be one. A program that monitors nothing starts no service.
  private func requestStoredList() {
    let isFirst = state.withLock { state in
      defer { state.hasRequestedList = true }
      return !state.hasRequestedList
    }
    if isFirst, LocationService.shared.mayMonitor(list) { handle(.begin) }
  }

  private func handle(_ input: ProgramMonitoring.Input) {
    let actions = state.withLock { state in
      let actions = state.machine.handle(input)
      for case .send(let id, let request) in actions {
        conversation.send(.anyMonitoring(request), as: id) { [self] in handle(.answer(id, $0)) }
        state.isBegun = true
      }
      return actions
    }
    conversation.flush { [self] in handle(.serviceEnded) }
    for action in actions {
      switch action {
      case .send: break
      case .notify(let managers, let notice): for manager in managers { notify(manager, notice) }
      case .known: isAwaited.leave()
      }
    }
  }

  private func notify(_ manager: UInt64, _ notice: MonitoringNotification) {
    let isTaken = state.withLock { $0.managers[manager] }?.enqueue(notice) ?? false
    guard !isTaken, let event = notice.event else { return }
    handle(.delivered(event: event, by: manager, isReceived: false))
  }
}
