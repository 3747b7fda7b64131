package import Geodesy
package import WireFormats

/// An access point that was heard at a known place: a sighting and the track beside it.
package struct Hearing: Hashable, Sendable {
  package var bssid: BSSID
  /// Where it was heard.
  package var coordinate: Coordinate
  /// 68 % radius of that, > 0.
  package var radius68: Meters
  /// How far from there it is, by its signal.
  package var distance: HeardDistance
  /// The day, by the fix, since 1970-01-01 (UTC).
  package var day: Int

  package init(bssid: BSSID, coordinate: Coordinate, radius68: Meters, distance: HeardDistance, day: Int) {
    self.bssid = bssid
    self.coordinate = coordinate
    self.radius68 = radius68
    self.distance = distance
    self.day = day
  }
}
