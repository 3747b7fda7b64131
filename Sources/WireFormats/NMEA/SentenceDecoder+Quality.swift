import Geodesy

/// The sentences on satellites, errors, heading and text.
extension SentenceDecoder {
  static func gsa(_ fields: inout SentenceFields, _ talker: Talker) -> NMEAMessage? {
    guard (18...19).contains(fields.count), let dimension = fields.integer(2, in: 1...3),
      let dimension = GSA.Dimension(rawValue: UInt8(dimension))
    else { return nil }
    if let selection = fields.letter(1), selection != UInt8(ascii: "A"), selection != UInt8(ascii: "M") { return nil }
    var used: UInt8 = 0
    for index in 3..<15 where fields.has(index) {
      guard let number = fields.integer(index, in: 0...999) else { return nil }
      if number > 0 { used += 1 }
    }
    let system = fields.count > 18 ? fields.hexadecimal(18).flatMap(NMEASystem.init(rawValue:)) : nil
    return .gsa(
      GSA(
        dimension: dimension, satellitesUsed: used, pdopHundredths: fields.dilutionHundredths(15),
        hdopHundredths: fields.dilutionHundredths(16), vdopHundredths: fields.dilutionHundredths(17),
        system: system ?? talker.system))
  }

  static func gsv(_ fields: inout SentenceFields, _ talker: Talker) -> NMEAMessage? {
    guard fields.count >= 4, let sentences = fields.integer(1, in: 1...99),
      let sentence = fields.integer(2, in: 1...99), sentence <= sentences
    else { return nil }
    let inView = fields.integer(3, in: 0...255) ?? 0
    // Four fields a satellite; one more is the signal identifier of 4.11.
    let rest = fields.count - 4
    let hasSignal = rest % 4 == 1
    guard rest % 4 == 0 || hasSignal, rest / 4 <= 4 else { return nil }
    let none = GSV.Satellite(id: nil, elevationDegrees: nil, azimuthDegrees: nil, signalDecibelHertz: nil)
    var gsv = GSV(
      sentences: UInt8(sentences), sentence: UInt8(sentence), satellitesInView: UInt8(inView), count: 0,
      satellites: InlineArray(repeating: none), signal: hasSignal ? fields.hexadecimal(fields.count - 1) : nil)
    for place in 0..<rest / 4 {
      let index = 4 + place * 4
      guard fields.has(index) || fields.has(index + 3) else { continue }
      let number = fields.integer(index, in: 0...999)
      gsv.satellites[Int(gsv.count)] = GSV.Satellite(
        id: number.flatMap { SatelliteID(nmea: $0, talker: talker, system: nil) },
        elevationDegrees: fields.decimal(index + 1, decimals: 0, in: -90...90).map(Int8.init),
        azimuthDegrees: fields.integer(index + 2, in: 0...360).map(Int16.init),
        // Some MediaTek firmware tells decimals.
        signalDecibelHertz: fields.decimal(index + 3, decimals: 0, in: 0...99).map(UInt8.init))
      gsv.count += 1
    }
    return .gsv(gsv)
  }

  static func gst(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard fields.count == 9 else { return nil }
    return .gst(
      GST(
        time: fields.time(1), semiMajorMillimeters: fields.errorMillimeters(3),
        semiMinorMillimeters: fields.errorMillimeters(4), latitudeDeviationMillimeters: fields.errorMillimeters(6),
        longitudeDeviationMillimeters: fields.errorMillimeters(7),
        altitudeDeviationMillimeters: fields.errorMillimeters(8)))
  }

  static func gbs(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard (9...11).contains(fields.count) else { return nil }
    return .gbs(
      GBS(
        time: fields.time(1), latitudeErrorMillimeters: fields.errorMillimeters(2),
        longitudeErrorMillimeters: fields.errorMillimeters(3), altitudeErrorMillimeters: fields.errorMillimeters(4)))
  }

  static func hdt(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard (2...3).contains(fields.count) else { return nil }
    if fields.count > 2, let unit = fields.letter(2), unit != UInt8(ascii: "T") { return nil }
    return .hdt(HDT(headingMillidegrees: fields.courseMillidegrees(1)))
  }

  static func ths(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard fields.count == 3, let mode = fields.mode(2) else { return nil }
    return .ths(THS(headingMillidegrees: fields.courseMillidegrees(1), mode: mode))
  }

  static func txt(_ fields: inout SentenceFields) -> NMEAMessage? {
    guard fields.count >= 5, fields.integer(1, in: 0...99) != nil, fields.integer(2, in: 0...99) != nil,
      let severity = fields.integer(3, in: 0...99)
    else { return nil }
    // The text may hold commas: it goes on to the sentence's end.
    return .txt(TXT(severity: UInt8(severity), text: fields.text(from: 4)))
  }
}

extension SentenceFields {
  /// One hexadecimal digit, as system and signal identifiers are.
  @_lifetime(self: copy self)
  mutating func hexadecimal(_ index: Int) -> UInt8? {
    guard let letter = letter(index) else { return nil }
    guard let value = HexDigit.value(of: letter) else {
      reject()
      return nil
    }
    return value
  }

  /// The rest of the sentence from a field on.
  func text(from index: Int) -> InlineText {
    InlineText(bytes, from: lower(index), to: upper(count - 1))
  }
}
