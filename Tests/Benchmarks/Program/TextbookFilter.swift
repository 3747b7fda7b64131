/// The Kalman filter of the textbook, for comparison: constant velocity, white acceleration of 1 m²/s³, positions with 3 m of
/// noise.
///
/// Bar-Shalom, Li, Kirubarajan, Estimation with Applications, 2001, section 6.2.2. Both axes share their covariance.
struct TextbookFilter {
  private var place = SIMD2<Double>.zero
  private var velocity = SIMD2<Double>.zero
  private var covariance: (place: Double, both: Double, velocity: Double)?

  /// The estimate after a position that was measured `dt` seconds after the previous one, in meters.
  mutating func update(_ seen: SIMD2<Double>, after dt: Double) -> SIMD2<Double> {
    guard let (a, b, c) = covariance else {
      place = seen
      covariance = (9, 0, 100)
      return place
    }
    place += velocity * dt
    let p = a + dt * (2 * b + dt * (c + dt / 3))
    let r = b + dt * (c + dt / 2)
    let s = c + dt
    let surprise = seen - place
    place += surprise * (p / (p + 9))
    velocity += surprise * (r / (p + 9))
    covariance = (p * 9 / (p + 9), r * 9 / (p + 9), s - r * r / (p + 9))
    return place
  }
}
