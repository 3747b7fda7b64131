package import Geodesy

/// How many commands of one user are started in a while: some at once, then one each interval.
package struct LaunchPace: Hashable, Sendable {
  private let burst: Int
  private let interval: Duration
  private var left: Int
  /// When the next one is there again; `nil`: none is missing.
  private var refillAt: Instant?

  /// A burst of 10, then one every 2 s: a border that is crossed at walking pace is far from it, and a file of a thousand regions
  /// that begin at once does not start a thousand programs.
  package init(burst: Int = 10, interval: Duration = .seconds(2)) {
    (self.burst, self.interval, left) = (burst, interval, burst)
  }

  /// Until when none may start; `nil`, or over: one may.
  package var heldUntil: Instant? { left == 0 ? refillAt : nil }

  /// Whether one more may start now, which it does then.
  package mutating func take(at now: Instant) -> Bool {
    while let due = refillAt, due <= now {
      left += 1
      refillAt = left < burst ? due + interval : nil
    }
    guard left > 0 else { return false }
    left -= 1
    if refillAt == nil { refillAt = now + interval }
    return true
  }
}
