import Geodesy

/// The pauses after failures: each twice as long as the one before, half of it random, so that devices that lost their server together do
/// not come back together.
struct FleetBackOff: Sendable {
  private let first: Duration
  private let longest: Duration
  private var failures = 0
  private var random: UInt64

  init(first: Duration, longest: Duration, seed: UInt64) { (self.first, self.longest, random) = (first, longest, seed) }

  mutating func reset() { failures = 0 }

  /// The next pause.
  mutating func next() -> Duration {
    let whole = min(longest, first * (1 << min(failures, 20)))
    failures += 1
    // SplitMix64.
    random &+= 0x9E37_79B9_7F4A_7C15
    var bits = random
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return whole / 2 + whole / 2 * (Double(bits >> 11) / Double(1 << 53))
  }
}
