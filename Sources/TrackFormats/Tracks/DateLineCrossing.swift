import Geodesy

/// Where a line between two positions crosses the meridian of 180°.
struct DateLineCrossing: Hashable, Sendable {
  /// Degrees north, at the crossing.
  let latitude: Double
  /// −180 or 180 degrees: the side that the line comes from.
  let side: Double
  /// How much of the line lies before it, 0…1.
  let share: Double

  /// The crossing, or `nil` where the shorter way from one to the other has none. It is found on the straight line of
  /// degrees, which is the line that GeoJSON means (RFC 7946 §3.1.1).
  init?(from first: Coordinate, to second: Coordinate) {
    let step = second.longitude.degrees - first.longitude.degrees
    guard step.magnitude > 180 else { return nil }
    // Eastwards over the line the longitude falls by nearly a whole turn.
    side = step < 0 ? 180 : -180
    let way = step < 0 ? step + 360 : step - 360
    share = way == 0 ? 0 : min(max((side - first.longitude.degrees) / way, 0), 1)
    latitude = first.latitude.degrees + share * (second.latitude.degrees - first.latitude.degrees)
  }
}
