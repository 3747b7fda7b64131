package import Geodesy

/// UBX-NAV-PVT (0x01 0x07): position, velocity and time. 92 bytes; 84 from u-blox 7 (GPS.G7-SW-12001, 35.12). Also
/// UBX-HNR-PVT (0x28 0x00), which dead reckoning receivers send between the solutions; it contains no carrier solution,
/// number of satellites or dilution.
package struct NavPVT: Hashable, Sendable {
  /// Type of fix.
  package enum FixType: UInt8, Hashable, Sendable {
    case none = 0
    case deadReckoning = 1
    case two = 2
    case three = 3
    case combined = 4
    case timeOnly = 5
  }

  /// Carrier phase solution.
  package enum Carrier: UInt8, Hashable, Sendable {
    case none = 0
    case float = 1
    case fixed = 2
  }

  package let timeOfWeekMilliseconds: UInt32
  /// As received, valid or not; `nil` if it is not a date of the calendar.
  package let date: CalendarDate?
  /// As received, without the nanoseconds; `nil` if it is not a time of day.
  package let time: TimeOfDay?
  /// Nanoseconds to add to `time`, −1e9…1e9.
  package let nanoseconds: Int32
  package let isDateValid: Bool
  package let isTimeValid: Bool
  /// Whether the second is known, without doubt about a leap second.
  package let isFullyResolved: Bool
  /// Since protocol 19: whether another source confirmed date and time; `nil` if the receiver does not provide this.
  package let isTimeConfirmed: Bool?
  package let fixType: FixType
  /// Whether the fix is within the receiver's own limits.
  package let isFixOK: Bool
  package let isDifferential: Bool
  package let carrier: Carrier
  /// `nil` for HNR-PVT, which does not contain it.
  package let satellitesUsed: UInt8?
  package let longitudeE7: Int32
  package let latitudeE7: Int32
  /// Height above the ellipsoid.
  package let heightMillimeters: Int32
  package let meanSeaLevelMillimeters: Int32
  package let horizontalAccuracyMillimeters: UInt32
  package let verticalAccuracyMillimeters: UInt32
  /// Speed over ground.
  package let speedMillimetersPerSecond: Int32
  /// Course over ground.
  package let courseE5: Int32
  package let speedAccuracyMillimetersPerSecond: UInt32
  package let courseAccuracyE5: UInt32
  package let pdopHundredths: UInt16
  /// Whether the receiver marks its position as invalid (flags3, since protocol 27).
  package let isPositionInvalid: Bool
  /// The upper end of the class of the age of the last corrections, seconds (flags3, `lastCorrectionAge`); `nil`: not available.
  package let correctionAgeSeconds: UInt8?

  /// The classes from 1 on (UBX-18010854, section 5.14.9); the last one has no upper end.
  private static let correctionAges: [UInt8] = [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 120]

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 92 || payload.count == 84, let fixType = FixType(rawValue: payload.u1(20)) else {
      return nil
    }
    let valid = payload.u1(11)
    let flags = payload.u1(21)
    let flags2 = payload.u1(22)
    timeOfWeekMilliseconds = payload.u4(0)
    date = CalendarDate(year: Int(payload.u2(4)), month: Int(payload.u1(6)), day: Int(payload.u1(7)))
    time = TimeOfDay(hour: Int(payload.u1(8)), minute: Int(payload.u1(9)), second: Int(payload.u1(10)))
    nanoseconds = payload.i4(16)
    isDateValid = valid & 1 != 0
    isTimeValid = valid & 2 != 0
    isFullyResolved = valid & 4 != 0
    isTimeConfirmed = flags2 & 0x20 != 0 ? flags2 & 0xC0 == 0xC0 : nil
    self.fixType = fixType
    isFixOK = flags & 1 != 0
    isDifferential = flags & 2 != 0
    carrier = Carrier(rawValue: flags >> 6) ?? .none
    satellitesUsed = payload.u1(23)
    longitudeE7 = payload.i4(24)
    latitudeE7 = payload.i4(28)
    heightMillimeters = payload.i4(32)
    meanSeaLevelMillimeters = payload.i4(36)
    horizontalAccuracyMillimeters = payload.u4(40)
    verticalAccuracyMillimeters = payload.u4(44)
    speedMillimetersPerSecond = payload.i4(60)
    courseE5 = payload.i4(64)
    speedAccuracyMillimetersPerSecond = payload.u4(68)
    courseAccuracyE5 = payload.u4(72)
    pdopHundredths = payload.u2(76)
    // The short form has reserved bytes at this offset.
    isPositionInvalid = payload.count == 92 && payload.u1(78) & 1 != 0
    let ageClass = payload.count == 92 && isDifferential ? Int(payload.u1(78) >> 1 & 0x0F) : 0
    correctionAgeSeconds = ageClass == 0 ? nil : Self.correctionAges[min(ageClass, Self.correctionAges.count) - 1]
    guard isInRange else { return nil }
  }

  private var isInRange: Bool {
    (-900_000_000...900_000_000).contains(latitudeE7) && (-1_800_000_000...1_800_000_000).contains(longitudeE7)
      && (-1_000_000_000...1_000_000_000).contains(nanoseconds) && timeOfWeekMilliseconds < 604_800_000
  }

  /// UBX-HNR-PVT (u-blox M8 UBX-13003221, section 32.13.3).
  init?(highRate payload: Span<UInt8>) {
    guard payload.count == 72, let fixType = FixType(rawValue: payload.u1(16)) else { return nil }
    let valid = payload.u1(11)
    let flags = payload.u1(17)
    timeOfWeekMilliseconds = payload.u4(0)
    date = CalendarDate(year: Int(payload.u2(4)), month: Int(payload.u1(6)), day: Int(payload.u1(7)))
    time = TimeOfDay(hour: Int(payload.u1(8)), minute: Int(payload.u1(9)), second: Int(payload.u1(10)))
    nanoseconds = payload.i4(12)
    isDateValid = valid & 1 != 0
    isTimeValid = valid & 2 != 0
    isFullyResolved = valid & 4 != 0
    isTimeConfirmed = nil
    self.fixType = fixType
    isFixOK = flags & 1 != 0
    isDifferential = flags & 2 != 0
    carrier = .none
    satellitesUsed = nil
    longitudeE7 = payload.i4(20)
    latitudeE7 = payload.i4(24)
    heightMillimeters = payload.i4(28)
    meanSeaLevelMillimeters = payload.i4(32)
    speedMillimetersPerSecond = payload.i4(36)
    courseE5 = payload.i4(44)
    horizontalAccuracyMillimeters = payload.u4(52)
    verticalAccuracyMillimeters = payload.u4(56)
    speedAccuracyMillimetersPerSecond = payload.u4(60)
    courseAccuracyE5 = payload.u4(64)
    pdopHundredths = 0
    isPositionInvalid = false
    correctionAgeSeconds = nil
    guard isInRange else { return nil }
  }
}
