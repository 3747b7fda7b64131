/// An oblate ellipsoid of revolution, and the quantities that geodesy derives from its two parameters.
package struct Ellipsoid: Hashable, Sendable {
  /// Equatorial radius a, meters.
  package let equatorialRadius: Double
  /// Flattening f = (a − b) / a, 0 for a sphere.
  package let flattening: Double

  /// World Geodetic System 1984 (NGA.STND.0036, table 3.1).
  package static let wgs84 = Ellipsoid(equatorialRadius: 6_378_137, flattening: 1 / 298.257223563)

  /// An ellipsoid. The series for geodesics require a flattening between 0 and 0.01.
  package init(equatorialRadius: Double, flattening: Double) {
    self.equatorialRadius = equatorialRadius
    self.flattening = flattening
  }

  /// Polar radius b, meters.
  package var polarRadius: Double { equatorialRadius * (1 - flattening) }
  /// Third flattening n = (a − b) / (a + b).
  package var thirdFlattening: Double { flattening / (2 - flattening) }
  /// First eccentricity squared, (a² − b²) / a².
  package var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// Second eccentricity squared, (a² − b²) / b².
  package var secondEccentricitySquared: Double { eccentricitySquared / ((1 - flattening) * (1 - flattening)) }

  /// Radius of curvature along the meridian (M) at a geodetic latitude, meters.
  package func meridianRadius(at latitude: Angle) -> Double {
    let w = curvatureDenominator(at: latitude)
    return equatorialRadius * (1 - eccentricitySquared) / (w * w * w)
  }

  /// Radius of curvature across the meridian (N, the prime vertical) at a geodetic latitude, meters.
  package func primeVerticalRadius(at latitude: Angle) -> Double {
    equatorialRadius / curvatureDenominator(at: latitude)
  }

  /// √(1 − e² sin² φ).
  private func curvatureDenominator(at latitude: Angle) -> Double {
    let sine = Direction(degrees: latitude.degrees).sine
    return (1 - eccentricitySquared * sine * sine).squareRoot()
  }
}

/// A flat local frame around an origin, in meters east and north, for distances of a few kilometers at most.
///
/// It scales by the ellipsoid's radii of curvature at the origin. At a distance of 1 km the error is a decimeter at 50° of
/// latitude; it grows with the square of the distance. Use `Geodesic` for exact results.
package struct LocalFrame: Hashable, Sendable {
  /// A displacement in the frame.
  package struct Offset: Hashable, Sendable {
    /// Meters toward true east of the origin.
    package var eastMeters: Double
    /// Meters toward true north of the origin.
    package var northMeters: Double

    package init(eastMeters: Double, northMeters: Double) {
      self.eastMeters = eastMeters
      self.northMeters = northMeters
    }

    /// The length of the displacement.
    package var length: Meters { Meters(Math.hypot(eastMeters, northMeters)) }
  }

  /// The coordinate with offset zero.
  package let origin: Coordinate
  /// Meters along the meridian per radian of latitude.
  private let northScale: Double
  /// Meters along the parallel per radian of longitude; zero at a pole, where east is undefined.
  private let eastScale: Double

  /// The frame around `origin`.
  package init(origin: Coordinate, on ellipsoid: Ellipsoid = .wgs84) {
    self.origin = origin
    northScale = ellipsoid.meridianRadius(at: origin.latitude)
    eastScale =
      ellipsoid.primeVerticalRadius(at: origin.latitude)
      * max(0, Direction(degrees: origin.latitude.degrees).cosine)
  }

  /// The offset of a coordinate in the frame; east is measured the shorter way around the Earth.
  package func offset(of place: Coordinate) -> Offset {
    let north = place.latitude.degrees - origin.latitude.degrees
    let east = (place.longitude.degrees - origin.longitude.degrees).remainder(dividingBy: 360)
    return Offset(
      eastMeters: eastScale * Angle(degrees: east).radians, northMeters: northScale * Angle(degrees: north).radians)
  }

  /// The coordinate at an offset, within −90…90° and −180…180°.
  package func coordinate(at offset: Offset) -> Coordinate {
    let north = Angle(radians: offset.northMeters / northScale).degrees
    let east = eastScale > 0 ? Angle(radians: offset.eastMeters / eastScale).degrees : 0
    return Coordinate(
      latitude: Angle(degrees: min(90, max(-90, origin.latitude.degrees + north))),
      longitude: Angle(degrees: (origin.longitude.degrees + east).remainder(dividingBy: 360)))
  }
}
