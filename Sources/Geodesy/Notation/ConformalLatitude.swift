/// The conformal latitude χ of a geodetic latitude φ, as tangents, which stay precise near the poles.
///
/// C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", Journal of Geodesy 85 (2011), 475–485, equations
/// (7) to (9) and (19) to (21).
struct ConformalLatitude {
  private let eccentricity: Double
  private let eccentricitySquared: Double

  init(_ ellipsoid: Ellipsoid) {
    eccentricitySquared = ellipsoid.eccentricitySquared
    eccentricity = ellipsoid.eccentricitySquared.squareRoot()
  }

  /// e · atanh(e · x), which occurs in all its formulas.
  func eccentricArea(_ x: Double) -> Double { eccentricity * Math.atanh(eccentricity * x) }

  /// tan χ of tan φ.
  func tangent(ofGeodetic τ: Double) -> Double {
    guard τ.isFinite else { return τ }
    let secant = Math.hypot(1, τ)
    let σ = Math.sinh(eccentricArea(τ / secant))
    return Math.hypot(1, σ) * τ - σ * secant
  }

  /// tan φ of tan χ, by Newton's method; three steps reach the precision of `Double`.
  func geodeticTangent(of conformal: Double) -> Double {
    guard conformal.isFinite else { return conformal }
    let e2m = 1 - eccentricitySquared
    // Near a pole the ratio of both tangents is nearly constant.
    var τ = conformal.magnitude > 70 ? conformal * Math.exp(eccentricArea(1)) : conformal / e2m
    for _ in 0..<6 {
      let found = tangent(ofGeodetic: τ)
      let step =
        (conformal - found) * (1 + e2m * τ * τ) / (e2m * Math.hypot(1, τ) * Math.hypot(1, found))
      τ += step
      guard step.magnitude >= 1e-9 * max(1, conformal.magnitude) else { break }
    }
    return τ
  }
}
