package import Geodesy

/// A position by access points.
package struct WiFiPosition: Hashable, Sendable {
  package var coordinate: Coordinate
  /// 68 % radius, > 0.
  package var radius68: Meters
  /// When it was true: when the newest of its sightings was made.
  package var heardAt: Instant
  /// Access points that it is of, ≥ 1.
  package var count: Int

  package init(coordinate: Coordinate, radius68: Meters, heardAt: Instant, count: Int) {
    self.coordinate = coordinate
    self.radius68 = radius68
    self.heardAt = heardAt
    self.count = count
  }
}
