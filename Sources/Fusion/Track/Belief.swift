/// What is believed of place and velocity at one moment, in a flat frame of metres east and north.
///
/// Errors are taken to be round, so both axes share one covariance: three numbers instead of ten. Its steps are the inner loop of
/// `Window` and are put into it: passing them by value costs as much as they do.
struct Belief {
  /// Metres east and north.
  var place: SIMD2<Double>
  /// Metres per second east and north.
  var velocity: SIMD2<Double>
  /// Variance of the place along either axis, m².
  var placeVariance: Double
  /// Covariance of place and velocity along one axis, m²/s.
  var covariance: Double
  /// Variance of the velocity along either axis, m²/s²; the first guess is 100 m/s.
  var velocityVariance: Double

  /// Anywhere on Earth, at any speed: both are known after two places.
  static let nowhere = Belief(
    place: .zero, velocity: .zero, placeVariance: 1e14, covariance: 0, velocityVariance: 1e4)

  /// The belief some time later: it goes on as it went, and its velocity wanders by white acceleration of the density
  /// `noise` in m²/s³ (Bar-Shalom, Li, Kirubarajan, Estimation with Applications, 2001, section 6.2.2).
  @inline(__always) func advanced(by dt: Double, noise q: Double) -> Belief {
    let (a, b, c) = (placeVariance, covariance, velocityVariance)
    return Belief(
      place: place + velocity * dt, velocity: velocity,
      placeVariance: a + dt * (2 * b + dt * (c + q * dt * (1 / 3.0))),
      covariance: b + dt * (c + q * dt * 0.5),
      velocityVariance: c + q * dt)
  }

  /// Takes in a measured place of this variance per axis, m², by its weight, 0…1.
  @inline(__always) mutating func see(place measured: SIMD2<Double>, variance: Double, weight: Double) {
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

  /// Takes in a measured velocity of this variance per axis, m²/s², by its weight, 0…1.
  @inline(__always) mutating func see(velocity measured: SIMD2<Double>, variance: Double, weight: Double) {
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

  /// This belief when also what came after it is known: `next` is the belief one step later, which was `predicted` from
  /// this one before anything later was seen (Rauch, Tung, Striebel, AIAA Journal 3, 1965).
  @inline(__always) func smoothed(by next: Belief, predicted: Belief, dt: Double) -> Belief {
    // The gain G = Pᶠ Fᵀ (Pᵖ)⁻¹.
    let (a, b, c) = (placeVariance, covariance, velocityVariance)
    let (m11, m22) = (a + b * dt, b + c * dt)
    let (p, r, s) = (predicted.placeVariance, predicted.covariance, predicted.velocityVariance)
    let share = 1 / (p * s - r * r)
    let (g11, g12) = ((m11 * s - b * r) * share, (b * p - m11 * r) * share)
    let (g21, g22) = ((m22 * s - c * r) * share, (c * p - m22 * r) * share)
    // P = Pᶠ + G (Pⁿ − Pᵖ) Gᵀ.
    let (place, velocity) = (next.place - predicted.place, next.velocity - predicted.velocity)
    let (dp, dr, ds) = (next.placeVariance - p, next.covariance - r, next.velocityVariance - s)
    let (h11, h12, h21, h22) = (g11 * dp + g12 * dr, g11 * dr + g12 * ds, g21 * dp + g22 * dr, g21 * dr + g22 * ds)
    return Belief(
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

/// One moment of the track: what was measured then, and what is believed of it.
struct Node {
  /// On the estimator's axis of time.
  var seconds = 0.0
  /// Seconds since the node before; 0 for the first.
  var step = 0.0
  /// Density of the white acceleration on the way from the node before, m²/s³.
  var noise = 0.0

  /// Measured place, metres in the frame.
  var place = SIMD2<Double>.zero
  /// Its variance per axis, m².
  var placeVariance = 1.0
  /// Whether the place is believed however badly it fits.
  var isCertain = false
  /// Measured velocity, m/s; of no meaning where the variance is infinite.
  var velocity = SIMD2<Double>.zero
  /// Its variance per axis, m²/s²; infinite where none was measured.
  var velocityVariance = Double.infinity
  /// What was answered then, before anything later was seen, metres in the frame.
  var answered = SIMD2<Double>.zero
  /// How much of its error is new since the node before, 0…1.
  var novelty = 1.0

  /// How far the measured place is believed, 0…1.
  var placeWeight = 1.0
  /// How far the measured velocity is believed, 0…1.
  var velocityWeight = 1.0

  /// From all nodes before this one.
  var predicted = Belief.nowhere
  /// From those and this one.
  var filtered = Belief.nowhere
  /// From all nodes, those after it too.
  var smoothed = Belief.nowhere

  /// Takes the measurements of this moment into `predicted`.
  @inline(__always) mutating func filter() {
    filtered = predicted
    if velocityVariance < .infinity {
      filtered.see(velocity: velocity, variance: velocityVariance, weight: velocityWeight)
    }
    filtered.see(place: place, variance: placeVariance, weight: placeWeight * novelty)
  }

  /// How far each measurement is believed, seen from `smoothed`, if its errors are Student-t: (ν + 2) / (ν + e²) for two
  /// axes, never above 1 (Lange, Little, Taylor, JASA 84, 1989).
  @inline(__always) mutating func weigh(_ tuning: Tuning) {
    let ν = tuning.freedom
    let placeError = (place - smoothed.place).squaredLength
    placeWeight = isCertain ? 1 : min(1, (ν + 2) * placeVariance / (ν * placeVariance + placeError))
    guard velocityVariance < .infinity else { return }
    let velocityError = (velocity - smoothed.velocity).squaredLength
    velocityWeight = min(1, (ν + 2) * velocityVariance / (ν * velocityVariance + velocityError))
  }
}
