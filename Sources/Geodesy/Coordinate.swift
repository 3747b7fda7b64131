/// A plane angle, stored in degrees because positions are reported and written in degrees: 37.5° stays exactly 37.5.
package struct Angle: Hashable, Comparable, Sendable {
  /// Degrees; the property that holds the angle defines sign and range (latitude: north positive; longitude: east
  /// positive; course: clockwise from true north).
  package var degrees: Double

  /// An angle of `degrees`.
  package init(degrees: Double) { self.degrees = degrees }

  /// An angle of `radians`.
  package init(radians: Double) { self.degrees = radians * (180 / Double.pi) }

  /// The same angle in radians.
  package var radians: Double { degrees * (Double.pi / 180) }

  package static func < (a: Angle, b: Angle) -> Bool { a.degrees < b.degrees }
}

/// A length in meters.
package struct Meters: Hashable, Comparable, Sendable {
  /// Meters; the property that holds the length defines the sign.
  package var value: Double

  /// A length of `value` meters.
  package init(_ value: Double) { self.value = value }

  package static func < (a: Meters, b: Meters) -> Bool { a.value < b.value }
  package static func + (a: Meters, b: Meters) -> Meters { Meters(a.value + b.value) }
  package static func - (a: Meters, b: Meters) -> Meters { Meters(a.value - b.value) }
  package static func * (a: Meters, factor: Double) -> Meters { Meters(a.value * factor) }
}

/// A position on the WGS 84 ellipsoid.
package struct Coordinate: Hashable, Sendable {
  /// Geodetic latitude, −90…90°, north positive.
  package var latitude: Angle
  /// Longitude, −180…180°, east positive.
  package var longitude: Angle

  /// A coordinate from its two angles, unchecked; `init(checkingLatitude:longitude:)` checks their ranges.
  package init(latitude: Angle, longitude: Angle) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A coordinate from degrees, or `nil` if either is not a number or out of range.
  package init?(checkingLatitude latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.init(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }
}

/// A point in the Earth-centered, Earth-fixed frame: x through the prime meridian on the equator, z through the north pole.
package struct EarthCentered: Hashable, Sendable {
  package var xMeters: Double
  package var yMeters: Double
  package var zMeters: Double

  package init(xMeters: Double, yMeters: Double, zMeters: Double) {
    self.xMeters = xMeters
    self.yMeters = yMeters
    self.zMeters = zMeters
  }

  /// The geodetic coordinate and the height above the ellipsoid; `nil` within half the polar radius of the Earth's center:
  /// near the center they are undefined.
  ///
  /// Bowring's formula (Survey Review 23, 1976) with his reduced latitude, iterated twice: accurate to a nanometer up to
  /// the height of satellites.
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
