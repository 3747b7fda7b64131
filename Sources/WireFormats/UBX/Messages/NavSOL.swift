/// UBX-NAV-SOL (0x01 0x06): the solution in ECEF, with what NAV-POSLLH lacks: whether there is a fix, and of what kind.
package struct NavSOL: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// GPS week; valid with `isWeekValid`.
  package let week: Int16
  package let fixType: NavPVT.FixType
  package let isFixOK: Bool
  package let isDifferential: Bool
  package let isWeekValid: Bool
  package let isTimeOfWeekValid: Bool
  /// Earth-centred, earth-fixed.
  package let xCentimeters: Int32
  package let yCentimeters: Int32
  package let zCentimeters: Int32
  /// One sigma in space.
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
