/// UBX-NAV-POSLLH (0x01 0x02): position and its accuracy; with NAV-SOL what u-blox 5 and 6 have for a PVT. Also
/// UBX-NAV-HPPOSLLH (0x01 0x14), which has more digits.
package struct NavPOSLLH: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  package let longitudeE7: Int32
  package let latitudeE7: Int32
  /// HPPOSLLH: what to add in 1e-9 degrees, −99…99.
  package let longitudeRestE9: Int8
  package let latitudeRestE9: Int8
  package let isHighPrecision: Bool
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
    (longitudeRestE9, latitudeRestE9, isHighPrecision) = (0, 0, false)
    guard isInRange else { return nil }
  }

  /// UBX-NAV-HPPOSLLH (UBX-21048598, section 3.15.6): heights to 0.1 mm, which are rounded here, and accuracies likewise,
  /// which are rounded up. `nil` also where the receiver calls it invalid.
  init?(highPrecision payload: Span<UInt8>) {
    guard payload.count == 36, payload.u1(0) == 0, payload.u1(3) & 1 == 0 else { return nil }
    timeOfWeekMilliseconds = payload.u4(4)
    longitudeE7 = payload.i4(8)
    latitudeE7 = payload.i4(12)
    heightMillimeters = payload.i4(16)
    meanSeaLevelMillimeters = payload.i4(20)
    longitudeRestE9 = payload.i1(24)
    latitudeRestE9 = payload.i1(25)
    horizontalAccuracyMillimeters = Self.millimeters(payload.u4(28))
    verticalAccuracyMillimeters = Self.millimeters(payload.u4(32))
    isHighPrecision = true
    guard isInRange, (-99...99).contains(longitudeRestE9), (-99...99).contains(latitudeRestE9) else { return nil }
  }

  /// Of tenths; the highest number stands for none.
  private static func millimeters(_ tenths: UInt32) -> UInt32 { tenths == .max ? .max : (tenths / 10) + 1 }

  private var isInRange: Bool {
    (-900_000_000...900_000_000).contains(latitudeE7)
      && (-1_800_000_000...1_800_000_000).contains(longitudeE7) && timeOfWeekMilliseconds < 604_800_000
  }
}
