/// The length of short lines on the ellipsoid, at a small part of the cost of a geodesic.
extension Geodesic {
  /// The greatest difference in latitude and in longitude, degrees, for which the flat approximation is used: 11 km of
  /// latitude.
  private static let flatLimit = 0.1

  /// The distance between two coordinates, for adding up a track. Its relative error is below 10⁻⁶: 1 mm in 1 km.
  ///
  /// Close coordinates are compared on a plane that has the ellipsoid's radii of curvature at the middle latitude. With
  /// a difference of longitude λ the relative error of that plane is at most λ²/8 (at a pole), plus λ²/24. For other
  /// coordinates, `inverse` computes the distance.
  package static func distance(from first: Coordinate, to second: Coordinate) -> Meters {
    let north = second.latitude.degrees - first.latitude.degrees
    var east = second.longitude.degrees - first.longitude.degrees
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    guard north.magnitude <= flatLimit, east.magnitude <= flatLimit else {
      return inverse(from: first, to: second).distance
    }
    let middle = (first.latitude.degrees + second.latitude.degrees) * (.pi / 360)
    let (sine, cosine) = (Math.sin(middle), Math.cos(middle))
    let ellipsoid = Ellipsoid.wgs84
    let eccentricity = ellipsoid.eccentricitySquared
    // The radii of curvature are a / √w across the meridian, and a (1 − e²) / √w³ along it.
    let w = 1 - eccentricity * sine * sine
    let x = cosine * (east * (.pi / 180))
    let y = (1 - eccentricity) / w * (north * (.pi / 180))
    return Meters(ellipsoid.equatorialRadius * ((x * x + y * y) / w).squareRoot())
  }
}
