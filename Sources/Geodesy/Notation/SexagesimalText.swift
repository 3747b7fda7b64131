/// Coordinates in degrees, minutes and seconds (ISO 6709:2022, annex D): `52°22'23.2"N 4°53'31.9"E`. Seconds are rounded.
package enum SexagesimalText {
  /// The possible numbers of decimals of seconds: 4 decimals resolve 3 mm.
  package static let possibleDecimals = 0...4

  /// The text of a position, with `decimals` of a second; `nil` if the position is invalid. 0.1″ is 3 m.
  package static func text(_ place: Coordinate, decimals: Int = 1) -> String? {
    guard Coordinate(checkingLatitude: place.latitude.degrees, longitude: place.longitude.degrees) != nil,
      possibleDecimals.contains(decimals)
    else { return nil }
    let latitude = text(place.latitude, positive: "N", negative: "S", decimals)
    let longitude = text(place.longitude, positive: "E", negative: "W", decimals)
    return "\(latitude) \(longitude)"
  }

  private static func text(_ angle: Angle, positive: String, negative: String, _ decimals: Int) -> String {
    let magnitude = angle.degrees.magnitude
    let whole = magnitude.rounded(.down)
    let unit = Int64(NotationDigits.power(decimals))
    // Seconds that round up to 60 become a minute, and 60 minutes a degree.
    let scaled = NotationDigits.rounded((magnitude - whole) * 3600, decimals: decimals)
    let degrees = Int64(whole) + scaled / (3600 * unit)
    let rest = scaled % (3600 * unit)
    let minutes = NotationDigits.padded(rest / (60 * unit), to: 2)
    let seconds = NotationDigits.fixed(rest % (60 * unit), decimals: decimals, width: 2)
    return "\(degrees)°\(minutes)'\(seconds)\"\(angle.degrees < 0 ? negative : positive)"
  }
}
