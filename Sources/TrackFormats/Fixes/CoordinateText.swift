import Geodesy

/// A position's two numbers as every format but NMEA writes them: degrees with 7 to 9 decimals (11 mm to 0.1 mm).
struct CoordinateText: Hashable, Sendable {
  let latitude: FixedDecimal
  let longitude: FixedDecimal
  /// The place that they tell.
  let coordinate: Coordinate

  /// The numbers, or `nil` where there is no such place. The meridian of 180° is told as −180°: GPX's schema has no other
  /// (`longitudeType`), and what rounds up to it belongs to it.
  init?(_ coordinate: Coordinate) {
    guard
      let checked = Coordinate(
        checkingLatitude: coordinate.latitude.degrees, longitude: coordinate.longitude.degrees)
    else { return nil }
    let scale = 1e9
    let isOnDateLine = (checked.longitude.degrees * scale).rounded(.toNearestOrAwayFromZero) >= 180 * scale
    guard let latitude = FixedDecimal(checked.latitude.degrees, decimals: 9, minimum: 7),
      let longitude = FixedDecimal(isOnDateLine ? -180 : checked.longitude.degrees, decimals: 9, minimum: 7)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.coordinate = isOnDateLine ? Coordinate(latitude: checked.latitude, longitude: Angle(degrees: -180)) : checked
  }
}
