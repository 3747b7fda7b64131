/// UBX-NAV-POSLLH (0x01 0x02): position and its accuracy; with NAV-SOL the equivalent of NAV-PVT on u-blox 5 and 6.
/// Also UBX-NAV-HPPOSLLH (0x01 0x14), which has more digits.
package struct NavPOSLLH: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  package let longitudeE7: Int32
  package let latitudeE7: Int32
  /// HPPOSLLH: the value to add, in 1e-9 degrees, −99…99.
  package let longitudeRestE9: Int8
  package let latitudeRestE9: Int8
  package let isHighPrecision: Bool
  /// Height above the ellipsoid.
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

  /// UBX-NAV-HPPOSLLH (UBX-21048598, section 3.15.6): heights and accuracies to 0.1 mm. Ignores the tenths of the
  /// heights, and rounds the accuracies up to the next millimeter. `nil` if the payload is malformed or the receiver marks
  /// the position as invalid.
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

  /// Converts tenths of a millimeter; the maximum value means unknown.
  private static func millimeters(_ tenths: UInt32) -> UInt32 { tenths == .max ? .max : (tenths / 10) + 1 }

  private var isInRange: Bool {
    (-900_000_000...900_000_000).contains(latitudeE7)
      && (-1_800_000_000...1_800_000_000).contains(longitudeE7) && timeOfWeekMilliseconds < 604_800_000
  }
}

/// UBX-NAV-POSECEF (0x01 0x01): the position in ECEF and its accuracy (UBX-21048598, section 3.15; 20 bytes in all
/// generations). Like NAV-POSLLH, it does not report whether there is a fix.
package struct NavPOSECEF: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// Earth-centered, earth-fixed.
  package let xCentimeters: Int32
  package let yCentimeters: Int32
  package let zCentimeters: Int32
  /// One sigma, three-dimensional.
  package let accuracyCentimeters: UInt32

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 20 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    xCentimeters = payload.i4(4)
    yCentimeters = payload.i4(8)
    zCentimeters = payload.i4(12)
    accuracyCentimeters = payload.u4(16)
    guard timeOfWeekMilliseconds < 604_800_000 else { return nil }
  }
}

/// UBX-NAV-VELNED (0x01 0x12): velocity and its accuracy.
package struct NavVELNED: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// Speed over ground.
  package let speedCentimetersPerSecond: UInt32
  package let courseE5: Int32
  package let speedAccuracyCentimetersPerSecond: UInt32
  package let courseAccuracyE5: UInt32

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 36 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    speedCentimetersPerSecond = payload.u4(20)
    courseE5 = payload.i4(24)
    speedAccuracyCentimetersPerSecond = payload.u4(28)
    courseAccuracyE5 = payload.u4(32)
    guard timeOfWeekMilliseconds < 604_800_000 else { return nil }
  }
}

/// UBX-NAV-SOL (0x01 0x06): the solution in ECEF. Unlike NAV-POSLLH, it reports whether there is a fix, and its type.
package struct NavSOL: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// GPS week; valid with `isWeekValid`.
  package let week: Int16
  package let fixType: NavPVT.FixType
  package let isFixOK: Bool
  package let isDifferential: Bool
  package let isWeekValid: Bool
  package let isTimeOfWeekValid: Bool
  /// Earth-centered, earth-fixed.
  package let xCentimeters: Int32
  package let yCentimeters: Int32
  package let zCentimeters: Int32
  /// One sigma, three-dimensional.
  package let accuracyCentimeters: UInt32
  package let pdopHundredths: UInt16
  package let satellitesUsed: UInt8

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 52, let fixType = NavPVT.FixType(rawValue: payload.u1(10)) else { return nil }
    let flags = payload.u1(11)
    timeOfWeekMilliseconds = payload.u4(0)
    week = payload.i2(8)
    self.fixType = fixType
    isFixOK = flags & 1 != 0
    isDifferential = flags & 2 != 0
    isWeekValid = flags & 4 != 0
    isTimeOfWeekValid = flags & 8 != 0
    xCentimeters = payload.i4(12)
    yCentimeters = payload.i4(16)
    zCentimeters = payload.i4(20)
    accuracyCentimeters = payload.u4(24)
    pdopHundredths = payload.u2(44)
    satellitesUsed = payload.u1(47)
    guard timeOfWeekMilliseconds < 604_800_000 else { return nil }
  }
}
