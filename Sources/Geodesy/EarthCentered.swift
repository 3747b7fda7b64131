/// A point in the earth-centred, earth-fixed frame: x through the prime meridian on the equator, z through the north pole.
package struct EarthCentered: Hashable, Sendable {
  package var xMeters: Double
  package var yMeters: Double
  package var zMeters: Double

  package init(xMeters: Double, yMeters: Double, zMeters: Double) {
    self.xMeters = xMeters
    self.yMeters = yMeters
    self.zMeters = zMeters
  }

  /// Its place on the ellipsoid and its height above it; `nil` deep inside the earth, where there is none.
  ///
  /// Bowring's formula (Survey Review 23, 1976) with his reduced latitude, gone through twice: to a nanometre up to the
  /// height of satellites.
  package func geodetic(on ellipsoid: Ellipsoid = .wgs84) -> (coordinate: Coordinate, height: Meters)? {
    let fromAxis = Math.hypot(xMeters, yMeters)
    let (a, b) = (ellipsoid.equatorialRadius, ellipsoid.polarRadius)
    guard Math.hypot(fromAxis, zMeters) > b / 2 else { return nil }
    var reduced = Math.atan2(zMeters * a, fromAxis * b)
    var latitude = 0.0
    for _ in 0..<2 {
      let (sine, cosine) = (Math.sin(reduced), Math.cos(reduced))
      latitude = Math.atan2(
        zMeters + ellipsoid.secondEccentricitySquared * b * sine * sine * sine,
        fromAxis - ellipsoid.eccentricitySquared * a * cosine * cosine * cosine)
      reduced = Math.atan2(b * Math.sin(latitude), a * Math.cos(latitude))
    }
    let (sine, cosine) = (Math.sin(latitude), Math.cos(latitude))
    let normal = ellipsoid.primeVerticalRadius(at: Angle(radians: latitude))
    let height = fromAxis * cosine + zMeters * sine - a * a / normal
    return (
      Coordinate(latitude: Angle(radians: latitude), longitude: Angle(radians: Math.atan2(yMeters, xMeters))),
      Meters(height)
    )
  }
}
