package import Geodesy

/// All places that lie within a distance of one, its border among them, over the ellipsoid.
package struct CircleShape: Hashable, Sendable {
  package let center: Coordinate
  /// > 0, at most `greatestRadius`.
  package let radius: Meters

  /// Half a meridian of WGS 84 (20,003,931.4586 m): no two places are further from each other, so that a greater circle has no
  /// border.
  package static let greatestRadius = Meters(20_003_931)

  package init(center: Coordinate, radius: Meters) throws(RegionError) {
    let (latitude, longitude) = (center.latitude.degrees, center.longitude.degrees)
    guard Coordinate(checkingLatitude: latitude, longitude: longitude) != nil else {
      throw .place(latitude: latitude, longitude: longitude)
    }
    guard radius.value > 0, radius <= Self.greatestRadius else {
      throw .radius(radius.value, most: Self.greatestRadius.value)
    }
    self.center = center
    self.radius = radius
  }

  /// Whether a place lies in it or on its border.
  package func contains(_ place: Coordinate) -> Bool {
    Geodesic.inverse(from: center, to: place).distance <= radius
  }
}
