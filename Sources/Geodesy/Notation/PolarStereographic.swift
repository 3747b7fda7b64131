/// The polar stereographic projection of the surroundings of one pole: x along the meridian of 90° east, y away from the prime
/// meridian in the north and along it in the south. Exact formulas (NGA.SIG.0012, section 9).
struct PolarStereographic {
  let isNorth: Bool
  /// Meters from the pole per unit of the tangent of half the conformal colatitude.
  private let unit: Double
  private let conformal: ConformalLatitude

  /// UPS's projection of WGS 84: scale 0.994 at the pole (NGA.SIG.0012, section 10).
  static func ups(north isNorth: Bool) -> PolarStereographic {
    PolarStereographic(.wgs84, scale: 0.994, north: isNorth)
  }

  init(_ ellipsoid: Ellipsoid, scale: Double, north isNorth: Bool) {
    self.isNorth = isNorth
    conformal = ConformalLatitude(ellipsoid)
    unit =
      2 * scale * ellipsoid.equatorialRadius
      / ((1 - ellipsoid.flattening) * Math.exp(conformal.eccentricArea(1)))
  }

  /// Meters from the pole.
  func project(_ place: Coordinate) -> (x: Double, y: Double) {
    let φ = Direction(degrees: isNorth ? place.latitude.degrees : -place.latitude.degrees)
    let λ = Direction(degrees: place.longitude.degrees)
    // At the pole the cosine may be a negative zero, which must not change the sign of the quotient.
    let τ = conformal.tangent(ofGeodetic: φ.sine / (max(0, φ.cosine) + 0))
    let sum = Math.hypot(1, τ) + τ.magnitude
    let distance = unit * (τ >= 0 ? 1 / sum : sum)
    return (distance * λ.sine, distance * (isNorth ? -λ.cosine : λ.cosine))
  }

  /// The inverse of `project`; the pole has the longitude 0°.
  func position(x: Double, y: Double) -> Coordinate {
    let half = Math.hypot(x, y) / unit
    let latitude =
      half == 0
      ? 90 : Direction(sine: conformal.geodeticTangent(of: (1 / half - half) / 2), cosine: 1).degrees
    let longitude = half == 0 ? 0 : Direction(sine: x, cosine: isNorth ? -y : y).degrees
    return Coordinate(
      latitude: Angle(degrees: isNorth ? latitude : -latitude), longitude: Angle(degrees: longitude))
  }
}
