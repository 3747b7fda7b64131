import Geodesy

/// The makers' own sentences, whose address begins with P, and whatever else is not decoded.
enum ProprietaryDecoder {
  static func decode(_ fields: inout SentenceFields) -> WireMessage? {
    let start = fields.lower(0)
    let end = fields.upper(0)
    let bytes = fields.bytes
    guard end > start, bytes[start] == UInt8(ascii: "P") else { return unknown(fields) }
    let message: NMEAMessage?
    switch (end - start, end - start >= 4 ? SentenceDecoder.code(bytes[start + 1], bytes[start + 2], bytes[start + 3]) : 0) {
    case (4, Maker.ubx): message = pubx(&fields)
    case (5, Maker.grm) where bytes[start + 4] == UInt8(ascii: "E"): message = pgrme(&fields)
    case (7, Maker.mtk): message = pmtk(&fields, start)
    default: return unknown(fields)
    }
    guard let message else { return fields.isMalformed ? nil : unknown(fields) }
    return fields.isMalformed ? nil : .nmea(message, from: .other)
  }

  private enum Maker {
    static let grm: UInt32 = 0x47524D
    static let mtk: UInt32 = 0x4D544B
    static let ubx: UInt32 = 0x554258
  }

  private static func unknown(_ fields: borrowing SentenceFields) -> WireMessage {
    var address: UInt64 = 0
    for position in fields.lower(0)..<min(fields.upper(0), fields.lower(0) + 5) {
      address = address << 8 | UInt64(fields.bytes[position])
    }
    return .nmea(.unknown(address), from: .other)
  }

  private static func pubx(_ fields: inout SentenceFields) -> NMEAMessage? {
    switch fields.integer(1, in: 0...99) {
    case 0?: return position(&fields)
    case 4?: return time(&fields)
    case .some: return nil
    case nil:
      fields.reject()
      return nil
    }
  }

  private static func position(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard fields.count == 21, let status = status(&fields) else {
      fields.reject()
      return nil
    }
    return .pubxPosition(
      PUBXPosition(
        time: fields.time(2), latitudeNanodegrees: fields.latitude(3), longitudeNanodegrees: fields.longitude(5),
        heightMillimeters: fields.millimeters(7), status: status,
        horizontalAccuracyMillimeters: fields.errorMillimeters(9),
        verticalAccuracyMillimeters: fields.errorMillimeters(10),
        speedMetersPerHour: fields.decimal(11, decimals: 3, in: 0...300_000_000),
        courseMillidegrees: fields.courseMillidegrees(12), hdopHundredths: fields.dilutionHundredths(15),
        vdopHundredths: fields.dilutionHundredths(16), satellitesUsed: fields.integer(18, in: 0...255).map(UInt8.init)))
  }

  private static func status(_ fields: inout SentenceFields) -> PUBXPosition.Status? {
    let lower = fields.lower(8)
    guard fields.upper(8) == lower + 2 else { return nil }
    switch (fields.bytes[lower], fields.bytes[lower + 1]) {
    case (UInt8(ascii: "N"), UInt8(ascii: "F")): return .noFix
    case (UInt8(ascii: "D"), UInt8(ascii: "R")): return .deadReckoning
    case (UInt8(ascii: "G"), UInt8(ascii: "2")): return .standalone2D
    case (UInt8(ascii: "G"), UInt8(ascii: "3")): return .standalone3D
    case (UInt8(ascii: "D"), UInt8(ascii: "2")): return .differential2D
    case (UInt8(ascii: "D"), UInt8(ascii: "3")): return .differential3D
    case (UInt8(ascii: "R"), UInt8(ascii: "K")): return .combined
    case (UInt8(ascii: "T"), UInt8(ascii: "T")): return .timeOnly
    default: return nil
    }
  }

  private static func time(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard fields.count == 10 else {
      fields.reject()
      return nil
    }
    let leap = leapSeconds(&fields)
    return .pubxTime(
      PUBXTime(
        time: fields.time(2), date: fields.date(3), leapSeconds: leap?.seconds,
        leapSecondsAreDefault: leap?.isDefault ?? true))
  }

  /// "18", or "16D" where it is the firmware's default.
  private static func leapSeconds(_ fields: inout SentenceFields) -> (seconds: Int8, isDefault: Bool)? {
    guard fields.has(6) else { return nil }
    let lower = fields.lower(6)
    var upper = fields.upper(6)
    let isDefault = fields.bytes[upper - 1] == UInt8(ascii: "D")
    if isDefault { upper -= 1 }
    guard let value = SentenceFields.decimal(fields.bytes, lower, upper, decimals: 0), (-99...99).contains(value) else {
      fields.reject()
      return nil
    }
    return (Int8(value), isDefault)
  }

  private static func pgrme(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard fields.count == 7 else {
      fields.reject()
      return nil
    }
    fields.expectMeters(2)
    fields.expectMeters(4)
    fields.expectMeters(6)
    return .pgrme(
      PGRME(
        horizontalErrorMillimeters: fields.errorMillimeters(1), verticalErrorMillimeters: fields.errorMillimeters(3),
        positionErrorMillimeters: fields.errorMillimeters(5)))
  }

  private static func pmtk(_ fields: inout SentenceFields, _ start: Int) -> NMEAMessage? {
    guard let type = SentenceFields.decimal(fields.bytes, start + 4, start + 7, decimals: 0) else { return nil }
    switch type {
    case 1:
      guard (2...3).contains(fields.count), let command = fields.integer(1, in: 0...999) else {
        fields.reject()
        return nil
      }
      let result = fields.integer(2, in: 0...3).map(UInt8.init)
      return .pmtk(PMTK(type: 1, command: UInt16(command), result: result, text: InlineText()))
    case 10:
      guard fields.count == 2, let number = fields.integer(1, in: 0...999) else {
        fields.reject()
        return nil
      }
      return .pmtk(PMTK(type: 10, command: UInt16(number), result: nil, text: InlineText()))
    case 11, 705:
      guard fields.count >= 2 else {
        fields.reject()
        return nil
      }
      return .pmtk(PMTK(type: UInt16(type), command: nil, result: nil, text: fields.text(from: 1)))
    default: return nil
    }
  }
}
