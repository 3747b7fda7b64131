package import Geodesy

/// Where the machine is by the access points that it hears.
package struct WiFiPosition: Hashable, Sendable {
  package var coordinate: Coordinate
  /// 68 % radius, > 0.
  package var horizontalRadius68: Meters
  /// When they were heard.
  package var heardAt: Instant

  package init(coordinate: Coordinate, horizontalRadius68: Meters, heardAt: Instant) {
    self.coordinate = coordinate
    self.horizontalRadius68 = horizontalRadius68
    self.heardAt = heardAt
  }
}
