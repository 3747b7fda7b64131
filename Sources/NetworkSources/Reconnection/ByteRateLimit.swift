package import Geodesy

/// Bounds the rate of a source, so that a hostile or broken sender costs little: no receiver sends as much.
package struct ByteRateLimit: Sendable {
  /// Bytes per second, and the most that may come at once.
  package static let bytesPerSecond = 200_000

  private var available = Double(Self.bytesPerSecond)
  private var updatedAt: Instant?

  package init() {}

  /// Counts bytes that were read; returns how long to read nothing.
  package mutating func take(_ count: Int, at now: Instant) -> Duration {
    let limit = Double(Self.bytesPerSecond)
    if let updatedAt { available = min(limit, available + max(.zero, now - updatedAt).inSeconds * limit) }
    updatedAt = now
    available -= Double(count)
    return available < 0 ? .milliseconds(Int64((-available / limit * 1000).rounded(.up))) : .zero
  }
}
