import Foundation

/// What is to be told of a manager's calls once they have returned, in their order. A manager that threads share is called on
/// any of them, and tells on its own.
final class Announcements {
  private let lock = NSLock()
  private var waiting: [() -> Void] = []

  func add(_ body: @escaping () -> Void) { lock.withLock { waiting.append(body) } }

  /// All that waits; it waits no more.
  func takeAll() -> [() -> Void] {
    lock.withLock {
      defer { waiting = [] }
      return waiting
    }
  }
}
