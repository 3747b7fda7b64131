package import Geodesy

/// A point in an imported file, in units of 1e-6 degrees: 0.11 m.
package struct LocalPoint: Hashable, Sendable {
  /// Longitude, east positive, −180,000,000…180,000,000.
  package var x: Int32
  /// Latitude, north positive, −90,000,000…90,000,000.
  package var y: Int32

  package init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }

  /// From units of 1e-7 degrees, as in OpenStreetMap's files; out of range is clamped.
  package init(longitudeE7: Int32, latitudeE7: Int32) {
    func rounded(_ value: Int32, _ limit: Int64) -> Int32 {
      let clamped = min(max(Int64(value), -limit), limit)
      return Int32((clamped + (clamped < 0 ? -5 : 5)) / 10)
    }
    self.init(x: rounded(longitudeE7, 1_800_000_000), y: rounded(latitudeE7, 900_000_000))
  }

  package init(_ coordinate: Coordinate) {
    self.init(
      x: Int32(min(max(coordinate.longitude.degrees * 1e6, -180e6), 180e6).rounded()),
      y: Int32(min(max(coordinate.latitude.degrees * 1e6, -90e6), 90e6).rounded()))
  }

  package var coordinate: Coordinate {
    Coordinate(latitude: Angle(degrees: Double(y) / 1e6), longitude: Angle(degrees: Double(x) / 1e6))
  }
}

/// Meters east and north of a point, on a plane: the error is below 0.1 % within 10 km.
package struct LocalPlane: Sendable {
  package let origin: LocalPoint
  /// Meters per unit of `LocalPoint`.
  package let scaleX: Double
  package let scaleY: Double

  package init(around origin: LocalPoint) {
    self.origin = origin
    let cosine = Math.cos(Double(origin.y) / 1e6 * Double.pi / 180)
    // WGS 84's radii of curvature (NGA.STND.0036, 4.1), to the second power of the eccentricity.
    let (axis, squaredEccentricity) = (6_378_137.0, 0.006_694_38)
    let bulge = squaredEccentricity * (1 - cosine * cosine)
    let perUnit = Double.pi / 180 * axis / 1e6
    scaleX = perUnit * (1 + bulge / 2) * max(0.000_1, cosine)
    scaleY = perUnit * (1 - squaredEccentricity + 1.5 * bulge)
  }

  package func meters(_ point: LocalPoint) -> SIMD2<Float> { meters(x: Int(point.x), y: Int(point.y)) }

  package func meters(x: Int, y: Int) -> SIMD2<Float> {
    var east = x &- Int(origin.x)
    // Across the antimeridian.
    if east > 180_000_000 { east -= 360_000_000 } else if east < -180_000_000 { east += 360_000_000 }
    return SIMD2(Float(Double(east) * scaleX), Float(Double(y &- Int(origin.y)) * scaleY))
  }

  /// Meters between two points near the origin.
  package func distance(_ first: LocalPoint, _ second: LocalPoint) -> Double {
    let difference = meters(first) - meters(second)
    return Double((difference * difference).sum()).squareRoot()
  }
}
