/// One moment of the track: its measurements and its estimates.
struct Keyframe {
  /// On the estimator's time axis.
  var seconds = 0.0
  /// Seconds since the previous node; 0 for the first.
  var step = 0.0
  /// Density of the white acceleration since the previous node, m²/s³.
  var noise = 0.0

  /// Measured position, meters in the frame.
  var place = SIMD2<Double>.zero
  /// Its variance per axis, m².
  var placeVariance = 1.0 {
    didSet { certainty = 1 / placeVariance }
  }
  /// The inverse of that variance, m⁻².
  private(set) var certainty = 1.0
  /// Whether the position keeps its full weight however badly it fits.
  var isCertain = false
  /// Measured velocity, m/s; meaningless if the variance is infinite.
  var velocity = SIMD2<Double>.zero
  /// Its variance per axis, m²/s²; infinite if no velocity was measured.
  var velocityVariance = Double.infinity
  /// Whether the velocity was not measured, but is that of an assumed standstill.
  private(set) var isAssumedToStand = false
  /// The position that was returned then, before any later measurement, meters in the frame.
  var answered = SIMD2<Double>.zero
  /// How much of the measured position's error is new since the previous node, 0…1.
  var novelty = 1.0

  /// Weight of the measured position, 0…1.
  var placeWeight = 1.0
  /// Weight of the measured velocity, 0…1.
  var velocityWeight = 1.0

  /// From all earlier nodes.
  var predicted = StateEstimate.nowhere
  /// From the earlier nodes and this one.
  var filtered = StateEstimate.nowhere
  /// From all nodes, including later ones.
  var smoothed = StateEstimate.nowhere

  /// Assumes a standstill, unless a velocity was measured.
  ///
  /// - Parameter sigma: standard deviation of the assumed velocity per axis, m/s.
  mutating func assumeStandstill(sigma: Double) {
    guard velocityVariance == .infinity else { return }
    velocity = .zero
    velocityVariance = sigma * sigma
    isAssumedToStand = true
  }

  /// Ends the assumption of a standstill.
  mutating func endStandstill() {
    guard isAssumedToStand else { return }
    velocityVariance = .infinity
    isAssumedToStand = false
  }

  /// Updates a prediction for this moment with its measurements.
  @inline(__always) func update(_ state: inout StateEstimate) {
    if velocityVariance < .infinity {
      state.update(velocity: velocity, variance: velocityVariance, weight: velocityWeight)
    }
    state.update(place: place, variance: placeVariance, weight: placeWeight * novelty)
  }

  /// Sets the weight of each measurement from its distance to the smoothed position and velocity, for Student-t errors with ν
  /// degrees of freedom: (ν + 2) / (ν + e²) for two axes, never above 1 (Lange, Little, Taylor, JASA 84, 1989).
  @inline(__always) mutating func weigh(
    _ smoothedPlace: SIMD2<Double>, _ smoothedVelocity: SIMD2<Double>, freedom ν: Double
  ) {
    let placeError = (place - smoothedPlace).squaredLength
    placeWeight = isCertain ? 1 : min(1, (ν + 2) * placeVariance / (ν * placeVariance + placeError))
    guard velocityVariance < .infinity else { return }
    let velocityError = (velocity - smoothedVelocity).squaredLength
    velocityWeight = min(1, (ν + 2) * velocityVariance / (ν * velocityVariance + velocityError))
  }
}
