/// A reading of the machine's monotonic clock that keeps counting in suspend (Linux `CLOCK_BOOTTIME`), for order, age and
/// deadlines. It is unrelated to the time of day. A replay creates instants from recorded arrival times; therefore this is
/// not `ContinuousClock.Instant`, which only the running clock can create.
package struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since an arbitrary start (boot, or the beginning of a replay).
  package var nanoseconds: Int64

  /// The instant `nanoseconds` after the clock's start.
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The instant `duration` later; saturates at the limits of the count.
  package static func + (instant: Instant, duration: Duration) -> Instant {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    guard !overflow else { return Instant(nanoseconds: duration < .zero ? .min : .max) }
    return Instant(nanoseconds: sum)
  }

  /// The instant `duration` earlier; saturates at the limits of the count.
  package static func - (instant: Instant, duration: Duration) -> Instant { instant + (.zero - duration) }

  /// The time from `b` to `a`; negative if `a` is earlier.
  package static func - (a: Instant, b: Instant) -> Duration {
    let (difference, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return .nanoseconds(overflow ? (a < b ? .min : .max) : difference)
  }

  /// The earlier of two deadlines, either of which may be absent; `nil` if both are.
  package static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded toward zero; saturates beyond ±292 years.
  package var wholeNanoseconds: Int64 {
    if let attoseconds = shortAttoseconds { return attoseconds / 1_000_000_000 }
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carry ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in seconds.
  package var inSeconds: Double {
    let (seconds, attoseconds): (Int64, Int64)
    if let short = shortAttoseconds {
      (seconds, attoseconds) = short.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    } else {
      (seconds, attoseconds) = components
    }
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// The duration in attoseconds if 64 bits hold them (up to 9 seconds either way), else `nil`. This is a fast path: nearly all
  /// durations are this short, and `components` needs a 128-bit division.
  @inline(__always) private var shortAttoseconds: Int64? {
    let all = attoseconds
    let low = Int64(truncatingIfNeeded: all)
    return Int128(low) == all ? low : nil
  }
}
