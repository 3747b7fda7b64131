import Synchronization

/// The open sessions of this program, as far as they affect its other sessions and its updates.
final class ProcessSessions: Sendable {
  /// The shared instance.
  static let shared = ProcessSessions()

  private struct State {
    var sessions: [UInt64: CLServiceSession.AuthorizationRequirement] = [:]
    var activities: Set<UInt64> = []
    var listeners: [UInt64: @Sendable () -> Void] = [:]
    var next: UInt64 = 1

    mutating func newNumber() -> UInt64 {
      defer { next += 1 }
      return next
    }
  }

  private let state = Mutex(State())

  /// The CLServiceSessions of this program.
  var coverage: SessionMachine.Coverage {
    state.withLock { state in
      if state.sessions.values.contains(where: { $0 != .none }) { return .requiring }
      return state.sessions.isEmpty ? .missing : .unasking
    }
  }

  /// Whether a CLBackgroundActivitySession keeps the program in use.
  var isActive: Bool { state.withLock { !$0.activities.isEmpty } }

  /// A CLServiceSession has started.
  func add(_ requirement: CLServiceSession.AuthorizationRequirement) -> UInt64 {
    change { state in
      let number = state.newNumber()
      state.sessions[number] = requirement
      return number
    }
  }

  /// A CLServiceSession has ended.
  func remove(_ number: UInt64) { change { _ = $0.sessions.removeValue(forKey: number) } }

  /// A number for a CLBackgroundActivitySession.
  func newNumber() -> UInt64 { state.withLock { $0.newNumber() } }

  /// A CLBackgroundActivitySession has become active or inactive.
  func setActive(_ number: UInt64, _ isActive: Bool) {
    guard state.withLock({ $0.activities.contains(number) }) != isActive else { return }
    change { state in
      if isActive { state.activities.insert(number) } else { state.activities.remove(number) }
    }
  }

  /// Calls `body` on every change.
  func listen(_ body: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { state in
      let number = state.newNumber()
      state.listeners[number] = body
      return number
    }
  }

  func forget(_ listener: UInt64) { _ = state.withLock { $0.listeners.removeValue(forKey: listener) } }

  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, listeners) = state.withLock { state in
      (body(&state), state.listeners.sorted { $0.key < $1.key }.map(\.value))
    }
    for listener in listeners { listener() }
    return result
  }
}
