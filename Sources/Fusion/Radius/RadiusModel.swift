import Geodesy

/// 68 % radii of what the estimator answers; how they were found is told in `Tuning.Radius`.
enum RadiusModel {
  /// Radius of the circle that holds 68.27 % of a round two-dimensional normal distribution, in its sigmas per axis:
  /// √(−2 ln(1 − 0.6827)).
  static let sigmasOfRadius68 = 1.515

  /// Of a place that is told on: what its receiver says, unless it says nothing of its errors.
  static func asTold(_ fix: PositionFix, noise: StreamNoise, _ tuning: Tuning.Radius) -> Double {
    switch fix.horizontalRadiusBasis {
    case .accuracy, .datum: fix.horizontalRadius68.value
    case .dilution, .assumed:
      withNoise(calm(fix, tuning), of: fix, share: tuning.noiseShare, noise: noise, tuning)
    }
  }

  /// Of a place whose receiver reports no accuracy: `settled` where the stream is smooth, more by its noise, and no less than a
  /// part of what was assumed without evidence as long as there is little of it.
  static func withNoise(
    _ settled: Double, of fix: PositionFix, share: Double, noise: StreamNoise, _ tuning: Tuning.Radius
  ) -> Double {
    max(root(settled, share * noise.meters(tuning)), noise.doubt(tuning) * fix.horizontalRadius68.value)
  }

  /// What is left of the errors of a smooth stream, metres.
  private static func calm(_ fix: PositionFix, _ tuning: Tuning.Radius) -> Double {
    let radius = fix.horizontalRadius68.value
    return switch fix.kind {
    // Dead reckoning and held heights are smooth and wrong; carrier phase is as good as it says from the start.
    case .estimated, .twoDimensional, .rtkFloat, .rtkFixed: radius
    case .threeDimensional where fix.horizontalRadiusBasis == .dilution: tuning.calmShare * radius
    case .differential where fix.horizontalRadiusBasis == .dilution: tuning.calmDifferentialShare * radius
    // Measured on streams whose accuracies were removed: a smooth one is as good as one with an HDOP of 1 (Radius.md).
    case .threeDimensional, .differential: tuning.assumed
    }
  }

  /// Of the track's answer.
  ///
  /// - Parameter told: radius of the fix that it answers, metres.
  static func ofTrack(
    _ belief: Belief, in window: Window, told: Double, hasVelocity: Bool, _ tuning: Tuning.Radius
  ) -> Double {
    let own = sigmasOfRadius68 * max(0, belief.placeVariance).squareRoot()
    let shares = tuning.shares(hasVelocity: hasVelocity)
    let common = max(min(told, tuning.assumed), tuning.lasting * sigmasOfRadius68 * window.sigma)
    return root(root(shares.own * own, shares.revision * window.revision), common)
  }

  /// Of the speed of the track's answer, m/s.
  static func speedOfTrack(_ belief: Belief, hasVelocity: Bool, _ tuning: Tuning.Radius) -> Double {
    tuning.shares(hasVelocity: hasVelocity).speed * max(0, belief.velocityVariance).squareRoot()
  }

  /// Of a track that goes on by itself for so many seconds at such a speed, m/s.
  static func coasted(_ radius: Double, seconds: Double, speed: Double, _ tuning: Tuning.Radius) -> Double {
    let wandering = sigmasOfRadius68 * (tuning.coastNoise * seconds * seconds * seconds / 3).squareRoot()
    let lost = tuning.coastLoss * (speed * seconds - way(at: speed, seconds: seconds, tuning))
    let reach = (speed + PositionFix.assumedSpeedMetersPerSecond) * seconds
    return min(root(radius, min(root(wandering, lost), reach)), max(radius, PositionFix.greatestRadius68.value))
  }

  /// How far a track goes on by itself, metres: its speed fades exponentially.
  static func way(at speed: Double, seconds: Double, _ tuning: Tuning.Radius) -> Double {
    let τ = max(tuning.coastTime, tuning.coastTimePerSpeed * speed)
    return speed * τ * (1 - Math.exp(-seconds / τ))
  }

  /// √(a² + b²).
  private static func root(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
}

/// How far the places of a stream scatter about where their velocities lead: the only sign of a receiver's errors where it reports
/// no accuracy.
///
/// A smooth stream may still be off: a filter's errors wander slowly, and nothing in the stream shows them. So the first seconds
/// count as evidence of nothing.
struct StreamNoise {
  /// Running mean of the squared surprises (`InputJudge`), m².
  private var variance = 0.0
  /// The last surprise, metres; 0 where the last step had none.
  private var newest = 0.0
  private var count = 0.0
  /// Time that was observed, seconds.
  private var seconds = 0.0

  /// Takes a surprise in metres and the time since the position before, seconds.
  mutating func add(_ surprise: Double, after dt: Double, _ tuning: Tuning.Radius) {
    newest = min(surprise, tuning.greatestNoise)
    count += 1
    seconds += dt
    // A plain mean until there is as much of it as the memory is long.
    let share = min(1, max(dt / tuning.noiseTime, 1 / (count + 1)))
    variance += (newest * newest - variance) * share
  }

  /// A step of which nothing can be said.
  mutating func skip() { newest = 0 }

  /// Metres, of late.
  func meters(_ tuning: Tuning.Radius) -> Double {
    max(variance.squareRoot(), tuning.newestNoiseShare * newest)
  }

  /// How much of the assumption made without any evidence is left, 1…0.
  func doubt(_ tuning: Tuning.Radius) -> Double { max(0, 1 - seconds / tuning.settlingTime) }
}
