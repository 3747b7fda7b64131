/// The Kalman filter of the textbook, for comparison: constant velocity, white acceleration of 1 m²/s³, positions with 3 m of
/// noise.
///
/// Bar-Shalom, Li, Kirubarajan, Estimation with Applications, 2001, section 6.2.2. Both axes share their covariance.
struct TextbookFilter {
  /// Whether positions outside the 99 % ellipse of the innovation are left out, at most three in a row (section 5.4 there).
  let hasGate: Bool
  private var place = SIMD2<Double>.zero
  private var velocity = SIMD2<Double>.zero
  private var covariance: (place: Double, both: Double, velocity: Double)?
  private var refused = 0

  init(hasGate: Bool = false) { self.hasGate = hasGate }

  /// The estimate after a position that was measured `dt` seconds after the previous one, in meters, with noise of this standard
  /// deviation per axis.
  mutating func update(_ seen: SIMD2<Double>, after dt: Double, sigma: Double = 3) -> SIMD2<Double> {
    let noise = sigma * sigma
    guard let (a, b, c) = covariance else {
      place = seen
      covariance = (noise, 0, 100)
      return place
    }
    place += velocity * dt
    let p = a + dt * (2 * b + dt * (c + dt / 3))
    let r = b + dt * (c + dt / 2)
    let s = c + dt
    let surprise = seen - place
    if hasGate, refused < 3, (surprise * surprise).sum() > 9.21 * (p + noise) {
      refused += 1
      covariance = (p, r, s)
      return place
    }
    if refused == 3 {
      // A filter that rejected three positions in a row starts again.
      refused = 0
      (place, velocity, covariance) = (seen, .zero, (noise, 0, 100))
      return place
    }
    refused = 0
    place += surprise * (p / (p + noise))
    velocity += surprise * (r / (p + noise))
    covariance = (p * noise / (p + noise), r * noise / (p + noise), s - r * r / (p + noise))
    return place
  }
}
