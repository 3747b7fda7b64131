import Geodesy

/// What a receiver's positions are off by along a route: errors that last, as real ones do.
///
/// - Under an open sky a drift with a time constant of 35 s, and 2 % of its variance anew at each epoch. A recorded u-blox F9K
///   in a car (1,627 s beside an inertial system) has an autocorrelation of 0.99 after 1 s, 0.92 after 5, 0.77 after 10, 0.54
///   after 20, 0.19 after 60; e^(−t/35 s) is 0.97, 0.87, 0.75, 0.56, 0.18.
/// - Reflections: half of their variance anew at each epoch, half with a time constant of 10 s. Single-point fixes in the
///   streets of Nagoya (1,107 s) have 0.25 and 0.46 after 1 s (north, east), 0.11 and 0.25 after 5, 0 after 20. All of it swells
///   and ebbs by a factor of variance 1 and a time constant of 20 s, which makes the rare large errors that such streets
///   have: a product of two normal numbers exceeds three standard deviations seven times as often as one does.
/// - The height is off by 1.5 times as much, as its dilution is.
/// - Of reflections a receiver knows half (an assumption: on that drive 4 to 10 % of the errors are beyond three times what it
///   says of itself).
struct RouteErrors: Sendable {
  /// What one epoch is off by, metres, and what the receiver believes of that: standard deviations.
  struct Errors: Hashable {
    var north: Double
    var east: Double
    var height: Double
    var horizontalDeviation: Double
    var verticalDeviation: Double
  }

  private static let freshShareOfDrift = 0.02
  private static let verticalFactor = 1.5
  private static let knownShareOfReflections = 0.5

  private let noise: SeededNoise
  private var drifts = [GaussMarkov](repeating: GaussMarkov(timeConstant: .seconds(35)), count: 3)
  private var lingering = [GaussMarkov](repeating: GaussMarkov(timeConstant: .seconds(10)), count: 3)
  private var swell = GaussMarkov(timeConstant: .seconds(20))

  init(seed: UInt64) { noise = SeededNoise(seed: seed) }

  private static let channels: [[SeededNoise.Channel]] = [
    [.north, .driftNorth, .reflectionNorth, .lingeringNorth], [.east, .driftEast, .reflectionEast, .lingeringEast],
    [.height, .driftHeight, .reflectionHeight, .lingeringHeight],
  ]

  /// The errors of the epoch of that number, `step` after the one before.
  mutating func next(
    epoch: Int, after step: Duration, noiseMeters: Double, multipathMeters: Double
  ) -> Errors {
    let noise = noise
    let swelling = swell.next(after: step, noise.gaussian(epoch: epoch, .swell))
    let fresh = Self.freshShareOfDrift
    let axes = Self.channels.indices.map { axis in
      let numbers = Self.channels[axis].map { noise.gaussian(epoch: epoch, $0) }
      let drift =
        drifts[axis].next(after: step, numbers[1]) * (1 - fresh).squareRoot() + numbers[0] * fresh.squareRoot()
      let reflection = (lingering[axis].next(after: step, numbers[3]) + numbers[2]) * 0.5.squareRoot() * swelling
      return noiseMeters * drift + multipathMeters * reflection
    }
    let believed = Math.hypot(noiseMeters, multipathMeters * Self.knownShareOfReflections)
    return Errors(
      north: axes[0], east: axes[1], height: axes[2] * Self.verticalFactor, horizontalDeviation: believed,
      verticalDeviation: believed * Self.verticalFactor)
  }
}
