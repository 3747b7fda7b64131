import Geodesy

/// 68 % radii of what the estimator answers.
enum RadiusModel {
  /// Radius of the circle that holds 68.27 % of a round two-dimensional normal distribution, in its sigmas per axis:
  /// √(−2 ln(1 − 0.6827)).
  static let sigmasOfRadius68 = 1.515

  /// Of a place that is told on.
  static func asTold(_ radius: Double, isTold: Bool, surprise: Double, _ tuning: Tuning) -> Double {
    guard !isTold else { return radius }
    let noise = tuning.assumedNoiseShare * surprise
    return (tuning.assumedRadius * tuning.assumedRadius + noise * noise).squareRoot()
  }

  /// Of the track's answer.
  static func ofTrack(_ belief: Belief, told: Double, agreement: Double, _ tuning: Tuning) -> Double {
    let variance = tuning.trackVarianceShare * belief.placeVariance * sigmasOfRadius68 * sigmasOfRadius68
    let common = tuning.commonShare * told
    let doubt = tuning.doubt * (1 - agreement)
    return (variance + common * common + doubt * doubt).squareRoot()
  }

  /// Of a track that goes on by itself for so many seconds at such a speed.
  static func coasted(_ radius: Double, seconds: Double, speed: Double, _ tuning: Tuning) -> Double {
    let wandering = sigmasOfRadius68 * (tuning.coastNoise * seconds * seconds * seconds / 3).squareRoot()
    let reach = (speed + PositionFix.assumedSpeedMetersPerSecond) * seconds
    let growth = min(wandering, reach)
    return (radius * radius + growth * growth).squareRoot()
  }
}
