import Geodesy

/// 68 % radii of the estimator's output; `Tuning.Radius` describes how they were found.
enum RadiusModel {
  /// Radius of the circle that contains 68.27 % of a circular two-dimensional normal distribution, in its sigmas per axis: √(−2
  /// ln(1 − 0.6827)).
  static let sigmasOfRadius68 = 1.515

  /// Radius of a position that is passed through: the receiver's own, if the receiver reports its errors.
  static func asReported(_ fix: PositionFix, noise: StreamNoise, _ tuning: Tuning.Radius) -> Double {
    switch fix.horizontalRadiusBasis {
    case .accuracy, .datum: fix.horizontalRadius68.value
    case .dilution, .assumed:
      withNoise(calm(fix, tuning), of: fix, share: tuning.noiseShare, noise: noise, tuning)
    }
  }

  /// Radius of a position whose receiver reports no accuracy: `settled`, increased by the stream's noise. As long as the stream
  /// was observed only for a short time, at least a part of the radius that was assumed without evidence.
  static func withNoise(
    _ settled: Double, of fix: PositionFix, share: Double, noise: StreamNoise, _ tuning: Tuning.Radius
  ) -> Double {
    max(root(settled, share * noise.meters(tuning)), noise.doubt(tuning) * fix.horizontalRadius68.value)
  }

  /// The remaining error of a smooth stream, meters.
  private static func calm(_ fix: PositionFix, _ tuning: Tuning.Radius) -> Double {
    let radius = fix.horizontalRadius68.value
    return switch fix.kind {
    // Dead reckoning and held heights are smooth and wrong; carrier phase has its reported accuracy from the start.
    case .estimated, .twoDimensional, .rtkFloat, .rtkFixed: radius
    case .threeDimensional where fix.horizontalRadiusBasis == .dilution: tuning.calmShare * radius
    case .differential where fix.horizontalRadiusBasis == .dilution: tuning.calmDifferentialShare * radius
    // Measured on streams whose accuracies were removed: a smooth one is as good as one with an HDOP of 1 (Radius.md).
    case .threeDimensional, .differential: tuning.assumed
    }
  }

  /// Radius of the track's estimate.
  ///
  /// - Parameters:
  ///   - scatter: the scatter of the track's window.
  ///   - reported: radius of the received fix, meters.
  ///   - isStanding: whether a standstill is assumed from the positions alone.
  static func ofTrack(
    _ state: StateEstimate, _ scatter: Window.Scatter, reported: Double, hasVelocity: Bool, isStanding: Bool,
    _ tuning: Tuning.Radius
  ) -> Double {
    let own = sigmasOfRadius68 * max(0, state.placeVariance).squareRoot()
    let shares = tuning.shares(hasVelocity: hasVelocity)
    let lasting = isStanding ? tuning.lastingAtStandstill : tuning.lasting
    let common = max(min(reported, tuning.assumed), lasting * sigmasOfRadius68 * scatter.sigma)
    return root(root(shares.own * own, shares.revision * scatter.revision), common)
  }

  /// Radius of the speed of the track's estimate, m/s.
  static func speedOfTrack(_ state: StateEstimate, hasVelocity: Bool, _ tuning: Tuning.Radius) -> Double {
    tuning.shares(hasVelocity: hasVelocity).speed * max(0, state.velocityVariance).squareRoot()
  }

  /// Radius of a track that was extrapolated for `seconds` at `speed`, m/s.
  static func coasted(_ radius: Double, seconds: Double, speed: Double, _ tuning: Tuning.Radius) -> Double {
    let wandering = sigmasOfRadius68 * (tuning.coastNoise * seconds * seconds * seconds / 3).squareRoot()
    let lost = tuning.coastLoss * (speed * seconds - way(at: speed, seconds: seconds, tuning))
    let reach = (speed + PositionFix.assumedSpeedMetersPerSecond) * seconds
    return min(root(radius, min(root(wandering, lost), reach)), max(radius, PositionFix.greatestRadius68.value))
  }

  /// Distance over which a track is extrapolated, meters: its speed fades exponentially.
  static func way(at speed: Double, seconds: Double, _ tuning: Tuning.Radius) -> Double {
    let τ = max(tuning.coastTime, tuning.coastTimePerSpeed * speed)
    return speed * τ * (1 - Math.exp(-seconds / τ))
  }

  /// √(a² + b²).
  private static func root(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
}

/// How far the positions of a stream scatter about the prediction from their velocities: the only sign of a receiver's errors
/// if it reports no accuracy.
///
/// A smooth stream may still be off: a filter's errors wander slowly, and nothing in the stream shows them. So the first
/// seconds do not count as evidence.
struct StreamNoise {
  /// Running mean of the squared residuals (`FilteredInputDetector`), m².
  private var variance = 0.0
  /// The last residual, meters; 0 if the last step had none.
  private var newest = 0.0
  private var count = 0.0
  /// Observed time, seconds.
  private var seconds = 0.0

  /// Handles a residual in meters and the time since the previous position, seconds.
  mutating func add(_ surprise: Double, after dt: Double, _ tuning: Tuning.Radius) {
    newest = min(surprise, tuning.greatestNoise)
    count += 1
    seconds += dt
    // A plain mean until the observed time reaches the length of the memory.
    let share = min(1, max(dt / tuning.noiseTime, 1 / (count + 1)))
    variance += (newest * newest - variance) * share
  }

  /// Records a step without a residual.
  mutating func skip() { newest = 0 }

  /// The recent noise, meters.
  func meters(_ tuning: Tuning.Radius) -> Double {
    max(variance.squareRoot(), tuning.newestNoiseShare * newest)
  }

  /// How much of the assumption made without any evidence remains, 1…0.
  func doubt(_ tuning: Tuning.Radius) -> Double { max(0, 1 - seconds / tuning.settlingTime) }
}
