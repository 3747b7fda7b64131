/// The single number that u-blox receivers up to generation 8 have for a satellite.
extension SatelliteID {
  /// The satellite of NAV-SVINFO or PUBX,03 (u-blox M8 UBX-13003221, appendix A); `nil` where it is not identified.
  package init?(ublox number: UInt8) {
    switch number {
    case 1...32: self.init(.gps, number)
    case 33...64: self.init(.beidou, number - 27)
    case 65...96: self.init(.glonass, number - 64)
    case 120...158: self.init(.sbas, number)
    case 159...163: self.init(.beidou, number - 158)
    case 173...182: self.init(.imes, number - 172)
    case 193...202: self.init(.qzss, number - 192)
    case 211...246: self.init(.galileo, number - 210)
    default: return nil
    }
  }
}
