/// The measurement errors of a simulated receiver: seeded, so that the same epoch always has the same errors. With a
/// fix in three dimensions and without faults, the receiver reports exactly these values as its accuracy.
package struct Noise: Hashable, Sendable {
  /// The seed of the errors.
  package var seed: UInt64 = 1
  /// Standard deviation of north and of east, in meters.
  package var horizontalMeters = 1.2
  /// Standard deviation of the height, in meters.
  package var verticalMeters = 2.0
  /// Standard deviation of each component of the velocity, in meters per second.
  package var speedMetersPerSecond = 0.05

  package init() {}

  /// No error at all. The receiver then reports the best accuracy that its messages can express.
  package static let none: Noise = {
    var noise = Noise()
    noise.horizontalMeters = 0
    noise.verticalMeters = 0
    noise.speedMetersPerSecond = 0
    return noise
  }()
}

/// Reproducible random numbers: the same seed, epoch and channel always give the same number, in any order of calls.
struct SeededNoise: Sendable {
  /// The seed of all numbers.
  var seed: UInt64

  /// A quantity of an epoch; each channel has its own numbers.
  enum Channel: UInt64 {
    case north, east, height, velocityNorth, velocityEast, velocityDown, signal, garbage
    case driftNorth, driftEast, driftHeight, reflectionNorth, reflectionEast, reflectionHeight, lingeringNorth,
      lingeringEast, lingeringHeight, swell
    // Draws of blocks (`CoverageIntervals`).
    case resampling
  }

  /// The `index`-th number of an epoch's channel: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
  /// 2014) over all its inputs.
  func bits(epoch: Int, _ channel: Channel, index: Int = 0) -> UInt64 {
    var state = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    state = Self.mix(state ^ UInt64(truncatingIfNeeded: epoch))
    state = Self.mix(state ^ channel.rawValue << 32 ^ UInt64(truncatingIfNeeded: index))
    return state
  }

  /// A normal number of standard deviation 1, as the sum of twelve uniform ones minus six: needs no logarithm, and is
  /// never beyond ±6.
  func gaussian(epoch: Int, _ channel: Channel) -> Double {
    (0..<12).reduce(-6.0) { $0 + Double(bits(epoch: epoch, channel, index: $1) >> 11) * 0x1p-53 }
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
