package import Geodesy

/// A place in three dimensions, on WGS 84.
package struct SimulatedPosition: Hashable, Sendable {
  package var coordinate: Coordinate
  package var heightAboveEllipsoid: Meters

  package init(coordinate: Coordinate, heightAboveEllipsoid: Meters) {
    self.coordinate = coordinate
    self.heightAboveEllipsoid = heightAboveEllipsoid
  }

  /// A place by degrees and metres above the ellipsoid.
  package init(latitude: Double, longitude: Double, height: Double) {
    self.init(
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)),
      heightAboveEllipsoid: Meters(height))
  }
}
