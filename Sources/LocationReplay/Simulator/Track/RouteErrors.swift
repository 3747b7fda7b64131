import Geodesy

/// The position errors of a receiver along a route, correlated in time as real ones are.
///
/// - Under an open sky a drift with a time constant of 35 s, and 2 % of its variance new at each epoch. A recorded
///   u-blox F9K in a car (1,627 s compared to an inertial system) has an autocorrelation of 0.99 after 1 s, 0.92 after
///   5, 0.77 after 10, 0.54 after 20, 0.19 after 60; e^(−t/35 s) is 0.97, 0.87, 0.75, 0.56, 0.18.
/// - Multipath: half of its variance new at each epoch, half with a time constant of 10 s. Single-point fixes in the
///   streets of Nagoya (1,107 s) have 0.25 and 0.46 after 1 s (north, east), 0.11 and 0.25 after 5, 0 after 20. The
///   whole multipath error grows and shrinks by a factor of variance 1 and a time constant of 20 s, which causes the
///   rare large errors of such streets: a product of two normal numbers exceeds three standard deviations seven times
///   as often as one does.
/// - The height error is 1.5 times as large, because the vertical dilution is larger.
/// - A receiver knows of half of the multipath (an assumption: on that drive 4 to 10 % of the errors exceed three times
///   the reported accuracy).
struct RouteErrors: Sendable {
  /// The errors of one epoch, meters, and the receiver's own estimate of them: standard deviations.
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

  /// The errors of the epoch with that number, `step` after the one before.
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

/// The conditions of a receiver on a route. Times count from the route's beginning.
package struct RouteConditions: Hashable, Sendable {
  /// The seed of the errors.
  package var seed: UInt64 = 1
  /// Standard deviation of north and of east under an open sky, meters.
  package var noiseMeters = 1.2
  /// Standard deviation that multipath adds to each of them everywhere, meters.
  package var multipathMeters = 0.0
  /// Street canyons: multipath of at least `canyonMultipathMeters`, and only the high satellites are used.
  package var canyons: [Range<Duration>] = []
  /// No satellites at all; afterwards no position for `reacquisition`.
  package var tunnels: [Range<Duration>] = []

  /// Standard deviation of multipath in street canyons, meters: single-point fixes of Nagoya had 4 m (north) and 6 m
  /// (east) over a drive of which half was in such streets.
  package static let canyonMultipathMeters = 6.0
  /// From the first satellite to the first position: a hot start (u-blox M10 data sheet: 1 s, and an epoch).
  package static let reacquisition = Duration.seconds(2)

  package init() {}

  /// The sky at one time.
  enum Sky: Hashable, Sendable {
    case open
    case canyon
    /// Satellites are received again, but there is no position yet.
    case returning
    case none
  }

  func sky(after elapsed: Duration) -> Sky {
    if tunnels.contains(where: { $0.contains(elapsed) }) { return .none }
    if tunnels.contains(where: { ($0.upperBound..<$0.upperBound + Self.reacquisition).contains(elapsed) }) {
      return .returning
    }
    return canyons.contains { $0.contains(elapsed) } ? .canyon : .open
  }
}

/// A first-order Gauss–Markov process of standard deviation 1: each value keeps e^(−Δt/τ) of the one before, and the rest is new
/// (Gelb, "Applied Optimal Estimation", 1974, section 2.2).
struct GaussMarkov: Hashable, Sendable {
  /// The time τ after which 1/e is kept.
  let timeConstant: Duration
  private var value: Double?

  init(timeConstant: Duration) { self.timeConstant = timeConstant }

  /// The value `step` after the one before, computed with a normal number `fresh` of standard deviation 1.
  mutating func next(after step: Duration, _ fresh: Double) -> Double {
    guard let value else {
      self.value = fresh
      return fresh
    }
    let kept = Math.exp(-step.inSeconds / timeConstant.inSeconds)
    let next = kept * value + (1 - kept * kept).squareRoot() * fresh
    self.value = next
    return next
  }
}
