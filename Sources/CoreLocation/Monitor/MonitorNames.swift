import Synchronization

/// The names of the monitors that live in this process.
final class MonitorNames: Sendable {
  static let shared = MonitorNames()
  private let taken = Mutex<Set<String>>([])

  /// Takes a name; no where another monitor has it.
  func take(_ name: String) -> Bool { taken.withLock { $0.insert(name).inserted } }

  /// Gives it back.
  func giveBack(_ name: String) { taken.withLock { _ = $0.remove(name) } }
}
