import Geodesy

/// Decodes proprietary sentences, whose address begins with P, and delivers every other sentence as unknown.
enum ProprietaryDecoder {
  static func decode(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, _ body: (WireMessage) -> Void
  ) -> SentenceDecoder.Outcome {
    var comma = start
    while comma < end, bytes[comma] != 0x2C { comma += 1 }
    let length = comma - start
    guard length >= 4, bytes[start] == 0x50 else {
      guard comma < end, isPhoneAccuracy(bytes, start, comma) else { return unknown(bytes, start, comma, body) }
      var fields = FieldCursor(bytes, from: comma + 1, to: end)
      return phoneAccuracy(&fields, body) ? .decoded : .malformed
    }
    var fields = FieldCursor(bytes, from: comma + 1, to: end)
    let isDecoded: Bool?
    switch (length, SentenceDecoder.code(bytes[start + 1], bytes[start + 2], bytes[start + 3])) {
    case (4, Manufacturer.ubx): isDecoded = pubx(&fields, body)
    case (5, Manufacturer.grm) where bytes[start + 4] == 0x45: isDecoded = pgrme(&fields, body)
    case (4, Manufacturer.tnl): isDecoded = ptnl(&fields, body)
    case (5, Manufacturer.qxf) where bytes[start + 4] == 0x49: isDecoded = pqxfi(&fields, body)
    case (7, Manufacturer.mtk):
      isDecoded = pmtk(&fields, type: (bytes[start + 4], bytes[start + 5], bytes[start + 6]), body)
    default: isDecoded = nil
    }
    guard let isDecoded else { return unknown(bytes, start, comma, body) }
    return isDecoded ? .decoded : .malformed
  }

  private enum Manufacturer {
    static var grm: UInt32 { 0x47524D }
    static var mtk: UInt32 { 0x4D544B }
    static var qxf: UInt32 { 0x515846 }
    static var tnl: UInt32 { 0x544E4C }
    static var ubx: UInt32 { 0x554258 }
  }

  /// Whether the address is a talker and ACCURACY.
  private static func isPhoneAccuracy(_ bytes: Span<UInt8>, _ start: Int, _ comma: Int) -> Bool {
    guard comma - start == 10, bytes[start] == 0x47 else { return false }
    return "ACCURACY".utf8.enumerated().allSatisfy { bytes[start + 2 + $0] == $1 }
  }

  private static func phoneAccuracy(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool {
    let accuracy = PhoneAccuracy(horizontalRadius68Millimeters: fields.errorMillimeters())
    guard fields.isWellFormed else { return false }
    body(.nmea(.phoneAccuracy(accuracy), from: .other))
    return true
  }

  private static func unknown(
    _ bytes: Span<UInt8>, _ start: Int, _ comma: Int, _ body: (WireMessage) -> Void
  ) -> SentenceDecoder.Outcome {
    var address: UInt64 = 0
    for place in start..<min(comma, start + 5) { address = address << 8 | UInt64(bytes[place]) }
    body(.nmea(.unknown(address), from: .other))
    return .unknown
  }

  /// `nil` if this type of PUBX is not decoded.
  private static func pubx(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool? {
    switch fields.integer(in: 0...99) {
    case 0?: position(&fields, body)
    case 3?: satellites(&fields, body)
    case 4?: time(&fields, body)
    case .some: nil
    case nil: false
    }
  }

  private static func position(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.remaining == 19 else { return false }
    let time = fields.time()
    let latitude = fields.latitude()
    let longitude = fields.longitude()
    let height = fields.millimeters()
    guard let status = status(&fields) else { return false }
    var position = PUBXPosition(
      time: time, latitudeNanodegrees: latitude, longitudeNanodegrees: longitude, heightMillimeters: height,
      status: status)
    position.horizontalAccuracyMillimeters = fields.errorMillimeters()
    position.verticalAccuracyMillimeters = fields.errorMillimeters()
    position.speedMetersPerHour = fields.decimal(3, in: 0...300_000_000).map { Int32(truncatingIfNeeded: $0) }
    position.courseMillidegrees = fields.courseMillidegrees()
    // Skips the vertical velocity and the age of the corrections.
    fields.skip(2)
    position.hdopHundredths = fields.dilutionHundredths()
    position.vdopHundredths = fields.dilutionHundredths()
    fields.skip()
    position.satellitesUsed = fields.count(upTo: 255)
    fields.skip(2)
    guard fields.isWellFormed else { return false }
    body(.nmea(.pubxPosition(position), from: .other))
    return true
  }

  private static func status(_ fields: inout FieldCursor) -> PUBXPosition.Status? {
    let start = fields.position
    fields.skip()
    guard fields.position == start + 3 else { return nil }
    switch (fields.bytes[start], fields.bytes[start + 1]) {
    case (0x4E, 0x46): return .noFix
    case (0x44, 0x52): return .deadReckoning
    case (0x47, 0x32): return .standalone2D
    case (0x47, 0x33): return .standalone3D
    case (0x44, 0x32): return .differential2D
    case (0x44, 0x33): return .differential3D
    case (0x52, 0x4B): return .combined
    case (0x54, 0x54): return .timeOnly
    default: return nil
    }
  }

  /// Six fields for each of up to 255 satellites. Checks all of them before it delivers the first.
  private static func satellites(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool {
    guard let count = fields.integer(in: 0...255) else { return false }
    var trial = FieldCursor(fields.bytes, from: fields.position, to: fields.end)
    for _ in 0..<count where satellite(&trial) == nil { return false }
    guard trial.isWellFormed else { return false }
    for _ in 0..<count {
      if let satellite = satellite(&fields) { body(.nmea(.pubxSatellite(satellite), from: .other)) }
    }
    return true
  }

  private static func satellite(_ fields: inout FieldCursor) -> PUBXSatellite? {
    guard let number = fields.integer(in: 0...255), let status = fields.letter() else { return nil }
    let azimuth = fields.integer(in: 0...360)
    let elevation = fields.decimal(0, in: -90...90)
    let signal = fields.integer(in: 0...99)
    guard !fields.isAtEnd else { return nil }
    fields.skip()
    return PUBXSatellite(
      id: SatelliteID(ublox: UInt8(number)), isUsed: status == 0x55,
      elevationDegrees: elevation.map { Int8(truncatingIfNeeded: $0) },
      azimuthDegrees: azimuth.map { Int16(truncatingIfNeeded: $0) },
      signalDecibelHertz: signal.map { UInt8(truncatingIfNeeded: $0) })
  }

  private static func time(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.remaining == 8 else { return false }
    let time = fields.time()
    let date = fields.date()
    fields.skip(2)
    let start = fields.position
    fields.skip()
    // "18", or "16D" for the firmware's default.
    var end = fields.position - 1
    let isDefault = end > start && fields.bytes[end - 1] == 0x44
    if isDefault { end -= 1 }
    var leap: Int64?
    if end > start {
      var value: Int64 = 0
      for place in start..<end {
        let digit = fields.bytes[place] &- 0x30
        guard digit <= 9, value < 100 else { return false }
        value = value * 10 + Int64(digit)
      }
      guard value < 100 else { return false }
      leap = value
    }
    fields.skip(3)
    guard fields.isWellFormed else { return false }
    let message = PUBXTime(
      time: time, date: date, leapSeconds: leap.map { Int8($0) }, leapSecondsAreDefault: isDefault || leap == nil)
    body(.nmea(.pubxTime(message), from: .other))
    return true
  }

  private static func pgrme(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool {
    var errors = PGRME()
    errors.horizontalErrorMillimeters = fields.errorMillimeters()
    fields.expect(0x4D)
    errors.verticalErrorMillimeters = fields.errorMillimeters()
    fields.expect(0x4D)
    guard !fields.isAtEnd else { return false }
    errors.positionErrorMillimeters = fields.errorMillimeters()
    fields.expect(0x4D)
    guard fields.isWellFormed else { return false }
    body(.nmea(.pgrme(errors), from: .other))
    return true
  }

  /// `nil` if this type of packet is not decoded.
  private static func pmtk(
    _ fields: inout FieldCursor, type: (UInt8, UInt8, UInt8), _ body: (WireMessage) -> Void
  ) -> Bool? {
    let packet: PMTK
    switch SentenceDecoder.code(type.0, type.1, type.2) {
    case 0x303031:  // 001
      guard let command = fields.integer(in: 0...999) else { return false }
      packet = PMTK(type: 1, command: UInt16(command), result: fields.count(upTo: 3), text: InlineText())
    case 0x303130:  // 010
      guard let number = fields.integer(in: 0...999) else { return false }
      packet = PMTK(type: 10, command: UInt16(number), result: nil, text: InlineText())
    case 0x303131:  // 011
      guard !fields.isAtEnd else { return false }
      packet = PMTK(type: 11, command: nil, result: nil, text: fields.text())
    case 0x373035:  // 705
      guard !fields.isAtEnd else { return false }
      packet = PMTK(type: 705, command: nil, result: nil, text: fields.text())
    default: return nil
    }
    guard fields.isWellFormed else { return false }
    body(.nmea(.pmtk(packet), from: .other))
    return true
  }
}

/// Proprietary sentences with the position and its errors.
extension ProprietaryDecoder {
  /// `nil` if this type of PTNL is not decoded.
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
    // 12: RTK limited to a lower accuracy; 15: RTK continued without corrections (xFill).
    case 2, 6, 8, 12, 15: .rtkFloat
    case 3, 7, 9: .rtkFixed
    case 4, 5, 10, 11, 13, 14: .differential
    default: .autonomous
    }
  }

  /// A date in the form mmddyy or ddmmyy; `nil` if the numbers do not determine which, or if the field is not a valid date of six
  /// digits.
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

  /// A height such as `EHT-6.777`: optional letters, then meters.
  private static func ellipsoidalHeight(_ fields: inout FieldCursor) -> Int32? {
    let start = fields.position
    if fields.has(3), fields.bytes[start] == 0x45, fields.bytes[start + 1] == 0x48, fields.bytes[start + 2] == 0x54 {
      fields.drop(3)
    }
    return fields.millimeters()
  }

  static func pqxfi(_ fields: inout FieldCursor, _ body: (WireMessage) -> Void) -> Bool {
    // Without a fix all fields are empty and there is one more.
    guard (9...10).contains(fields.remaining) else { return false }
    var errors = PQXFI()
    errors.time = fields.time()
    // Skips the position and height, because GGA and RMC contain them, too.
    fields.skip(5)
    errors.horizontalErrorMillimeters = fields.errorMillimeters()
    errors.verticalErrorMillimeters = fields.errorMillimeters()
    while !fields.isAtEnd { fields.skip() }
    guard fields.isWellFormed else { return false }
    body(.nmea(.pqxfi(errors), from: .other))
    return true
  }
}
