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
    // GLONASS 255: a signal whose slot is not known yet.
    let number = payload.u1(offset + 1)
    id =
      number == 0 || number == 255 ? nil : Constellation(rawValue: payload.u1(offset)).map { SatelliteID($0, number) }
    signalDecibelHertz = payload.u1(offset + 2)
    elevationDegrees = payload.i1(offset + 3)
    azimuthDegrees = payload.i2(offset + 4)
    isUsed = payload.u4(offset + 8) & 8 != 0
  }

  init(svinfo payload: Span<UInt8>, at offset: Int) {
    id = SatelliteID(ublox: payload.u1(offset + 1))
    isUsed = payload.u1(offset + 2) & 1 != 0
    signalDecibelHertz = payload.u1(offset + 4)
    elevationDegrees = payload.i1(offset + 5)
    azimuthDegrees = payload.i2(offset + 6)
  }
}
