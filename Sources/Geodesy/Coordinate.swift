/// A position on the WGS 84 ellipsoid.
package struct Coordinate: Hashable, Sendable {
  /// Geodetic latitude, −90…90°, north positive.
  package var latitude: Angle
  /// Longitude, −180…180°, east positive.
  package var longitude: Angle

  /// A coordinate from its two angles; ranges are the caller's to check, see `init(checkingLatitude:longitude:)`.
  package init(latitude: Angle, longitude: Angle) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A coordinate from degrees, or `nil` where one is not a number or out of range.
  package init?(checkingLatitude latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.init(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }
}
