/// The estimated position and velocity at one moment, in a flat frame of meters east and north.
///
/// Errors are assumed to be circular, so both axes share one covariance: three numbers instead of ten. Its steps are the inner
/// loop of `Window` and are inlined there: passing them by value costs as much as the steps themselves.
struct StateEstimate {
  /// Meters east and north.
  var place: SIMD2<Double>
  /// Meters per second east and north.
  var velocity: SIMD2<Double>
  /// Variance of the position along either axis, m².
  var placeVariance: Double
  /// Covariance of position and velocity along one axis, m²/s.
  var covariance: Double
  /// Variance of the velocity along either axis, m²/s²; the initial value is that of 100 m/s.
  var velocityVariance: Double

  /// Anywhere on Earth, at any speed: both are known after two positions.
  static let nowhere = StateEstimate(
    place: .zero, velocity: .zero, placeVariance: 1e14, covariance: 0, velocityVariance: 1e4)

  /// The estimate after `dt` seconds: the velocity stays the same, and wanders by white acceleration of the density `noise` in
  /// m²/s³ (Bar-Shalom, Li, Kirubarajan, Estimation with Applications, 2001, section 6.2.2).
  @inline(__always) func advanced(by dt: Double, noise q: Double) -> StateEstimate {
    let (a, b, c) = (placeVariance, covariance, velocityVariance)
    return StateEstimate(
      place: place + velocity * dt, velocity: velocity,
      placeVariance: a + dt * (2 * b + dt * (c + q * dt * (1 / 3.0))),
      covariance: b + dt * (c + q * dt * 0.5),
      velocityVariance: c + q * dt)
  }

  /// Updates the estimate with a measured position of this variance per axis, m², by its weight, 0…1.
  @inline(__always) mutating func update(place measured: SIMD2<Double>, variance: Double, weight: Double) {
    let share = 1 / (placeVariance * weight + variance)
    let (rest, taken) = (variance * share, weight * share)
    let (gain, velocityGain) = (placeVariance * taken, covariance * taken)
    let surprise = measured - place
    place += surprise * gain
    velocity += surprise * velocityGain
    velocityVariance -= velocityGain * covariance
    covariance *= rest
    placeVariance *= rest
  }

  /// Updates the estimate with a measured velocity of this variance per axis, m²/s², by its weight, 0…1.
  @inline(__always) mutating func update(velocity measured: SIMD2<Double>, variance: Double, weight: Double) {
    let share = 1 / (velocityVariance * weight + variance)
    let (rest, taken) = (variance * share, weight * share)
    let (gain, placeGain) = (velocityVariance * taken, covariance * taken)
    let surprise = measured - velocity
    place += surprise * placeGain
    velocity += surprise * gain
    placeVariance -= placeGain * covariance
    covariance *= rest
    velocityVariance *= rest
  }

  /// The gain of the smoother, Pᶠ Fᵀ (Pᵖ)⁻¹, for the step of `dt` seconds from this estimate to its prediction.
  @inline(__always) private func gain(
    _ predicted: StateEstimate, dt: Double
  ) -> (g11: Double, g12: Double, g21: Double, g22: Double) {
    let (a, b, c) = (placeVariance, covariance, velocityVariance)
    let (m11, m22) = (a + b * dt, b + c * dt)
    let (p, r, s) = (predicted.placeVariance, predicted.covariance, predicted.velocityVariance)
    let share = 1 / (p * s - r * r)
    return ((m11 * s - b * r) * share, (b * p - m11 * r) * share, (m22 * s - c * r) * share, (c * p - m22 * r) * share)
  }

  /// Position and velocity of this estimate, improved like `smoothed(by:predicted:dt:)`, without the variances.
  ///
  /// - Parameters:
  ///   - place: the improved position one step later.
  ///   - velocity: the improved velocity one step later.
  @inline(__always) func smoothed(
    by place: SIMD2<Double>, _ velocity: SIMD2<Double>, predicted: StateEstimate, dt: Double
  ) -> (place: SIMD2<Double>, velocity: SIMD2<Double>) {
    let (g11, g12, g21, g22) = gain(predicted, dt: dt)
    let (place, velocity) = (place - predicted.place, velocity - predicted.velocity)
    return (self.place + place * g11 + velocity * g12, self.velocity + place * g21 + velocity * g22)
  }

  /// This estimate, improved by later measurements: `next` is the estimate one step later, and `predicted` is the prediction
  /// for that step, made from this estimate before any later measurement (Rauch, Tung, Striebel, AIAA Journal 3, 1965).
  @inline(__always) func smoothed(by next: StateEstimate, predicted: StateEstimate, dt: Double) -> StateEstimate {
    let (g11, g12, g21, g22) = gain(predicted, dt: dt)
    // P = Pᶠ + G (Pⁿ − Pᵖ) Gᵀ.
    let (a, b, c) = (placeVariance, covariance, velocityVariance)
    let (p, r, s) = (predicted.placeVariance, predicted.covariance, predicted.velocityVariance)
    let (place, velocity) = (next.place - predicted.place, next.velocity - predicted.velocity)
    let (dp, dr, ds) = (next.placeVariance - p, next.covariance - r, next.velocityVariance - s)
    let (h11, h12, h21, h22) = (g11 * dp + g12 * dr, g11 * dr + g12 * ds, g21 * dp + g22 * dr, g21 * dr + g22 * ds)
    return StateEstimate(
      place: self.place + place * g11 + velocity * g12,
      velocity: self.velocity + place * g21 + velocity * g22,
      placeVariance: a + h11 * g11 + h12 * g12,
      covariance: b + h11 * g21 + h12 * g22,
      velocityVariance: c + h21 * g21 + h22 * g22)
  }
}

extension SIMD2<Double> {
  /// Its length squared.
  var squaredLength: Double { x * x + y * y }
  /// Its length.
  var length: Double { squaredLength.squareRoot() }
}
