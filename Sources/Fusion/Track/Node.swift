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
