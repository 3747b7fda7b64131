package import Geodesy

/// So many a second on average, and a burst of more after a pause.
package struct RateLimit: Sendable {
  package let perSecond: Int
  private let burst: Double
  private var tokens: Double
  private var filledAt: Instant

  package init(perSecond: Int, burst: Int, at now: Instant) {
    self.perSecond = perSecond
    self.burst = Double(burst)
    tokens = Double(burst)
    filledAt = now
  }

  /// When one more is within the limit, as things stand.
  package var nextAt: Instant { filledAt + .seconds(max(0, 1 - tokens) / Double(perSecond)) }

  /// Whether one more is within the limit.
  package mutating func take(at now: Instant) -> Bool {
    tokens = min(burst, tokens + max(0, (now - filledAt).inSeconds) * Double(perSecond))
    filledAt = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
