package import Geodesy
package import WireFormats

/// Where an access point is, as far as that is known: a row of a tile, or what was learnt of it.
package struct AccessPointPlace: Hashable, Sendable {
  package var bssid: BSSID
  package var coordinate: Coordinate
  /// 68 % radius of that place, metres, > 0.
  package var radius68: Meters

  package init(bssid: BSSID, coordinate: Coordinate, radius68: Meters) {
    self.bssid = bssid
    self.coordinate = coordinate
    self.radius68 = radius68
  }
}
