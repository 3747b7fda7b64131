package import Geodesy

/// The place of a reference station: messages 1005 and 1006 (RTCM 10403.3, section 3.5.4).
package struct ReferenceStation: Hashable, Sendable {
  /// DF003, 0…4095.
  package let id: Int
  /// The antenna reference point.
  package let coordinate: Coordinate
  package let heightAboveEllipsoid: Meters

  /// `nil` for another message, a message that is too short, and a point deep inside the Earth.
  package init?(_ frame: RTCMFrame) {
    // DF025, DF026, DF027: 38 bits each, in units of 0.1 mm.
    guard let number = frame.messageNumber, number == 1005 || number == 1006,
      let id = frame.bits(at: 12, count: 12),
      let x = frame.signedBits(at: 34, count: 38), let y = frame.signedBits(at: 74, count: 38),
      let z = frame.signedBits(at: 114, count: 38),
      let place = EarthCentered(xMeters: Double(x) * 1e-4, yMeters: Double(y) * 1e-4, zMeters: Double(z) * 1e-4)
        .geodetic()
    else { return nil }
    self.id = Int(id)
    coordinate = place.coordinate
    heightAboveEllipsoid = place.height
  }
}
