import Geodesy

/// Makers' sentences on the position and its errors.
extension ProprietaryDecoder {
  /// `nil`: a PTNL that is not decoded.
  static func ptnl(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool? {
    let start = fields.position
    fields.skip()
    guard fields.position == start + 4,
      SentenceDecoder.code(fields.bytes[start], fields.bytes[start + 1], fields.bytes[start + 2]) == 0x47474B
    else { return nil }
    return ggk(&fields, body)
  }

  private static func ggk(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.remaining == 11 else { return false }
    var ggk = GGK(quality: .invalid)
    ggk.time = fields.time()
    ggk.date = ambiguousDate(&fields)
    ggk.latitudeNanodegrees = fields.latitude()
    ggk.longitudeNanodegrees = fields.longitude()
    ggk.coordinateDecimals = fields.coordinateDecimals
    guard let quality = fields.integer(in: 0...99) else { return false }
    ggk.quality = Self.quality(quality)
    ggk.isTwoDimensional = quality == 8 || quality == 9
    ggk.satellitesUsed = fields.count()
    ggk.pdopHundredths = fields.dilutionHundredths()
    ggk.ellipsoidMillimeters = ellipsoidalHeight(&fields)
    fields.expect(0x4D)
    guard fields.isWellFormed,
      ggk.quality == .invalid || (ggk.latitudeNanodegrees != nil && ggk.longitudeNanodegrees != nil)
    else { return false }
    body(.nmea(.ggk(ggk), from: .other))
    return true
  }

  private static func quality(_ indicator: Int) -> GGK.Quality {
    switch indicator {
    case 0: .invalid
    // 12: RTK held back to a lower accuracy; 15: carried on without its corrections (xFill).
    case 2, 6, 8, 12, 15: .rtkFloat
    case 3, 7, 9: .rtkFixed
    case 4, 5, 10, 11, 13, 14: .differential
    default: .autonomous
    }
  }

  /// mmddyy or ddmmyy, as far as the numbers themselves tell which; six digits, or what stands for none.
  private static func ambiguousDate(_ fields: inout FieldCursor) -> TwoDigitDate? {
    let start = fields.position
    fields.skip()
    guard fields.position == start + 7, let first = fields.twoDigits(at: start),
      let second = fields.twoDigits(at: start + 2), let year = fields.twoDigits(at: start + 4),
      first >= 1, second >= 1, first > 12 || second > 12 || first == second
    else { return nil }
    let (day, month) = first > 12 ? (first, second) : (second, first)
    guard month <= 12, day <= CalendarDate.days(inMonth: month, of: 2000 + year) else { return nil }
    return TwoDigitDate(day: UInt8(day), month: UInt8(month), year: UInt8(year))
  }

  /// `EHT-6.777`: the letters, then meters.
  private static func ellipsoidalHeight(_ fields: inout FieldCursor) -> Int32? {
    let start = fields.position
    if fields.has(3), fields.bytes[start] == 0x45, fields.bytes[start + 1] == 0x48, fields.bytes[start + 2] == 0x54 {
      fields.drop(3)
    }
    return fields.millimeters()
  }

  static func pqxfi(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool {
    // Without a fix all fields are empty, and one more follows.
    guard (9...10).contains(fields.remaining) else { return false }
    var errors = PQXFI()
    errors.time = fields.time()
    // The place and its height, which GGA and RMC tell too.
    fields.skip(5)
    errors.horizontalErrorMillimeters = fields.errorMillimeters()
    errors.verticalErrorMillimeters = fields.errorMillimeters()
    while !fields.isAtEnd { fields.skip() }
    guard fields.isWellFormed else { return false }
    body(.nmea(.pqxfi(errors), from: .other))
    return true
  }
}
