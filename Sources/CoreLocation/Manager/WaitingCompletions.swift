import Foundation

/// Completions of a manager's that wait for their answers; threads may share it, and the answers are told on its own.
final class WaitingCompletions {
  private let lock = NSLock()
  private var waiting: [UInt64: ((any Error)?) -> Void] = [:]
  private var next: UInt64 = 1

  /// The number under which it waits.
  func add(_ body: @escaping ((any Error)?) -> Void) -> UInt64 {
    lock.withLock {
      defer { next += 1 }
      waiting[next] = body
      return next
    }
  }

  /// What waits under that number; it waits no more.
  func take(_ number: UInt64) -> (((any Error)?) -> Void)? { lock.withLock { waiting.removeValue(forKey: number) } }
}
