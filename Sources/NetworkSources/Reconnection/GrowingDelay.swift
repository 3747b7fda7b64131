/// A delay that doubles with each failure up to a maximum, with a random part, so that clients that lost the same server
/// do not all come back at the same moment.
package struct GrowingDelay: Hashable, Sendable {
  package let first: Duration
  package let longest: Duration

  /// The random part: up to this share of the delay, in both directions.
  package static let jitterShare = 0.2

  /// A server that sends a receiver's bytes: 1, 2, 4 … 30 s.
  package static let stream = GrowingDelay(first: .seconds(1), longest: .seconds(30))
  /// An NTRIP caster, which bans clients that come back too often: 5, 10, 20 … 600 s.
  package static let caster = GrowingDelay(first: .seconds(5), longest: .seconds(600))

  package init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// The delay after `failures` (≥ 1) failures in a row, before its random part.
  package func base(after failures: Int) -> Duration {
    // 30 doublings are more than any delay needs.
    min(longest, first * (1 << min(max(failures - 1, 0), 30)))
  }

  package func delay(after failures: Int, _ jitter: inout Jitter) -> Duration {
    jitter.spread(base(after: failures), by: -Self.jitterShare...Self.jitterShare)
  }
}

/// Random numbers for delays, from a seed that the caller draws (SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014). The same seed gives the same delays.
package struct Jitter: Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// `duration` changed by a random share of it within `shares`.
  mutating func spread(_ duration: Duration, by shares: ClosedRange<Double>) -> Duration {
    duration + duration * (shares.lowerBound + unit() * (shares.upperBound - shares.lowerBound))
  }

  /// 0…<1.
  private mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) * 0x1p-53
  }
}
