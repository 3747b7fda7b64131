import Geodesy

/// 68 % radii of what the estimator answers; how they were found is told in `Tuning.Radius`.
enum RadiusModel {
  /// Radius of the circle that holds 68.27 % of a round two-dimensional normal distribution, in its sigmas per axis:
  /// √(−2 ln(1 − 0.6827)).
  static let sigmasOfRadius68 = 1.515

  /// Of a place that is told on: what its receiver says, unless it says nothing.
  static func asTold(_ fix: PositionFix, isTold: Bool, surprise: Double, _ tuning: Tuning.Radius) -> Double {
    isTold ? fix.horizontalRadius68.value : root(tuning.assumed, tuning.assumedNoise * surprise)
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
