import Geodesy

/// How much more probable the newest positions of a track without measured velocities are at standstill than in motion.
///
/// A line through the positions gives a velocity v per axis with the variance s. At standstill v has a normal distribution with the
/// variance s; in motion, with the variance s + u², where u is the usual speed of a vehicle. The ratio of the two densities, in two
/// dimensions, is
///
///     (s + u²) / s · exp(−v² / 2 · (1/s − 1/(s + u²))).
///
/// It is a Bayes factor (Kass, Raftery, JASA 90, 1995): a few positions, or inaccurate ones, are evidence of nothing, because s is then as
/// large as u². If the positions scatter more about the line than their accuracies allow, s grows with their scatter.
struct StandstillEvidence {
  /// The last position, relative to which the sums are: their differences would lose digits far from the frame's origin.
  private let origin: SIMD2<Double>
  private let end: Double
  private var count = 0.0
  // Sums over the positions z at the times t, weighted by their inverse variances.
  private var (sum, sumT, sumTT, sumZZ) = (0.0, 0.0, 0.0, 0.0)
  private var (sumZ, sumTZ) = (SIMD2<Double>.zero, SIMD2<Double>.zero)

  /// No position yet; the last will be at `place`, at the time `seconds`.
  init(place: SIMD2<Double>, seconds: Double) {
    origin = place
    end = seconds
  }

  /// Adds a position with the inverse of its variance per axis, m⁻².
  mutating func add(_ place: SIMD2<Double>, seconds: Double, certainty: Double) {
    let (t, z) = (seconds - end, place - origin)
    count += 1
    sum += certainty
    sumT += certainty * t
    sumTT += certainty * t * t
    sumZ += z * certainty
    sumTZ += z * (certainty * t)
    sumZZ += certainty * z.squaredLength
  }

  /// The natural logarithm of the ratio; at least three positions are needed.
  ///
  /// - Parameter usualSpeed: standard deviation of a vehicle's speed per axis, m/s.
  func logRatio(usualSpeed: Double) -> Double {
    let mean = sumT / sum
    let spread = sumTT - mean * sumT
    let moved = sumTZ - sumZ * mean
    let scatter = (sumZZ - sumZ.squaredLength / sum - moved.squaredLength / spread) / (2 * count - 4)
    let still = max(1, scatter) / spread
    let moving = still + usualSpeed * usualSpeed
    return Math.log(moving / still) - 0.5 * (moved / spread).squaredLength * (1 / still - 1 / moving)
  }
}
