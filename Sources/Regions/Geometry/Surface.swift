import Geodesy

/// The ellipsoid's surface in the earth-centred frame, in metres: there the poles and the date line are places like all others.
enum Surface {
  private static let ellipsoid = Ellipsoid.wgs84
  static let equatorialRadius = ellipsoid.equatorialRadius
  static let polarRadius = ellipsoid.polarRadius
  private static let eccentricitySquared = ellipsoid.eccentricitySquared
  /// The least radius of curvature, a (1 − e²): along the meridian at the equator.
  static let leastCurvatureRadius = 6_335_439.327

  /// A place of the surface.
  static func point(_ place: Coordinate) -> SIMD3<Double> {
    let (φ, λ) = (place.latitude.radians, place.longitude.radians)
    let (sine, cosine) = (Math.sin(φ), Math.cos(φ))
    let normal = equatorialRadius / (1 - eccentricitySquared * sine * sine).squareRoot()
    return SIMD3(
      normal * cosine * Math.cos(λ), normal * cosine * Math.sin(λ), normal * (1 - eccentricitySquared) * sine)
  }

  /// The place below or above a point; a point at the earth's middle has none, and any will do.
  static func coordinate(towards point: SIMD3<Double>) -> Coordinate {
    let fromAxis = Math.hypot(point.x, point.y)
    return Coordinate(
      latitude: Angle(radians: Math.atan2(point.z, fromAxis * (1 - eccentricitySquared))),
      longitude: Angle(radians: Math.atan2(point.y, point.x)))
  }

  /// True east and true north at a place; at a pole, along its longitude.
  static func horizon(at place: Coordinate) -> (east: SIMD3<Double>, north: SIMD3<Double>) {
    let (φ, λ) = (place.latitude.radians, place.longitude.radians)
    let (sinφ, cosφ, sinλ, cosλ) = (Math.sin(φ), Math.cos(φ), Math.sin(λ), Math.cos(λ))
    return (SIMD3(-sinλ, cosλ, 0), SIMD3(-sinφ * cosλ, -sinφ * sinλ, cosφ))
  }
}

extension SIMD3<Double> {
  func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }
  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
  var length: Double { dot(self).squareRoot() }
}
