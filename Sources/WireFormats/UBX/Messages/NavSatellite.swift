/// One satellite of UBX-NAV-SAT or UBX-NAV-SVINFO.
package struct NavSatellite: Hashable, Sendable {
  /// `nil` where the numbering is not known.
  package let id: SatelliteID?
  /// Zero: not tracked.
  package let signalDecibelHertz: UInt8
  /// −90…90; outside: not known.
  package let elevationDegrees: Int8
  package let azimuthDegrees: Int16
  package let isUsed: Bool

  init(sat payload: Span<UInt8>, at offset: Int) {
    id = Constellation(rawValue: payload.u1(offset)).map { SatelliteID($0, payload.u1(offset + 1)) }
    signalDecibelHertz = payload.u1(offset + 2)
    elevationDegrees = payload.i1(offset + 3)
    azimuthDegrees = payload.i2(offset + 4)
    isUsed = payload.u4(offset + 8) & 8 != 0
  }

  init(svinfo payload: Span<UInt8>, at offset: Int) {
    id = Self.satellite(number: payload.u1(offset + 1))
    isUsed = payload.u1(offset + 2) & 1 != 0
    signalDecibelHertz = payload.u1(offset + 4)
    elevationDegrees = payload.i1(offset + 5)
    azimuthDegrees = payload.i2(offset + 6)
  }

  /// The single number that stands for a satellite up to u-blox 8 (UBX-13003221, appendix A).
  private static func satellite(number: UInt8) -> SatelliteID? {
    switch number {
    case 1...32: SatelliteID(.gps, number)
    case 33...64: SatelliteID(.beidou, number - 27)
    case 65...96: SatelliteID(.glonass, number - 64)
    case 120...158: SatelliteID(.sbas, number)
    case 159...163: SatelliteID(.beidou, number - 158)
    case 173...182: SatelliteID(.imes, number - 172)
    case 193...202: SatelliteID(.qzss, number - 192)
    case 211...246: SatelliteID(.galileo, number - 210)
    default: nil
    }
  }
}
