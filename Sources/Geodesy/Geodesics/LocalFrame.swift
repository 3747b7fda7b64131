/// A flat frame around an origin: metres east and north, for distances of some kilometres at most.
///
/// It scales by the ellipsoid's radii of curvature at the origin. At 1 km off the error is a decimetre at 50° of
/// latitude and grows with the square of the distance; what has to be exact takes `Geodesic`.
package struct LocalFrame: Hashable, Sendable {
  /// A displacement in the frame.
  package struct Offset: Hashable, Sendable {
    /// Metres towards true east of the origin.
    package var eastMeters: Double
    /// Metres towards true north of the origin.
    package var northMeters: Double

    package init(eastMeters: Double, northMeters: Double) {
      self.eastMeters = eastMeters
      self.northMeters = northMeters
    }

    /// Its length.
    package var length: Meters { Meters(Math.hypot(eastMeters, northMeters)) }
  }

  /// Where the offset is zero.
  package let origin: Coordinate
  /// Metres along the meridian per radian of latitude.
  private let northScale: Double
  /// Metres along the parallel per radian of longitude; zero at a pole, where the frame knows no east.
  private let eastScale: Double

  /// The frame around `origin`.
  package init(origin: Coordinate, on ellipsoid: Ellipsoid = .wgs84) {
    self.origin = origin
    northScale = ellipsoid.meridianRadius(at: origin.latitude)
    eastScale =
      ellipsoid.primeVerticalRadius(at: origin.latitude)
      * max(0, Direction(degrees: origin.latitude.degrees).cosine)
  }

  /// Where a place lies in the frame; the short way round at the date line.
  package func offset(of place: Coordinate) -> Offset {
    let north = place.latitude.degrees - origin.latitude.degrees
    let east = (place.longitude.degrees - origin.longitude.degrees).remainder(dividingBy: 360)
    return Offset(
      eastMeters: eastScale * Angle(degrees: east).radians, northMeters: northScale * Angle(degrees: north).radians)
  }

  /// The place at an offset, within −90…90° and −180…180°.
  package func coordinate(at offset: Offset) -> Coordinate {
    let north = Angle(radians: offset.northMeters / northScale).degrees
    let east = eastScale > 0 ? Angle(radians: offset.eastMeters / eastScale).degrees : 0
    return Coordinate(
      latitude: Angle(degrees: min(90, max(-90, origin.latitude.degrees + north))),
      longitude: Angle(degrees: (origin.longitude.degrees + east).remainder(dividingBy: 360)))
  }
}
