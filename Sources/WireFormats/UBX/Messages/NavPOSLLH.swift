/// UBX-NAV-POSLLH (0x01 0x02): position and its accuracy; with NAV-SOL what u-blox 5 and 6 have for a PVT.
package struct NavPOSLLH: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  package let longitudeE7: Int32
  package let latitudeE7: Int32
  /// Above the ellipsoid.
  package let heightMillimeters: Int32
  package let meanSeaLevelMillimeters: Int32
  package let horizontalAccuracyMillimeters: UInt32
  package let verticalAccuracyMillimeters: UInt32

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 28 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    longitudeE7 = payload.i4(4)
    latitudeE7 = payload.i4(8)
    heightMillimeters = payload.i4(12)
    meanSeaLevelMillimeters = payload.i4(16)
    horizontalAccuracyMillimeters = payload.u4(20)
    verticalAccuracyMillimeters = payload.u4(24)
    guard (-900_000_000...900_000_000).contains(latitudeE7), (-1_800_000_000...1_800_000_000).contains(longitudeE7),
      timeOfWeekMilliseconds < 604_800_000
    else { return nil }
  }
}
