import Geodesy

/// Decodes a sentence with a correct checksum according to its address, and delivers the message.
enum SentenceDecoder {
  /// The result of decoding a sentence.
  enum Outcome {
    case decoded
    /// A field count, a field or a range that the type does not allow.
    case malformed
    case unknown
  }

  /// Decodes the sentence in `bytes` from `start` (after `$`) up to the `*` at `end`.
  static func decode(_ bytes: Span<UInt8>, from start: Int, to end: Int, _ body: (WireMessage) -> Void) -> Outcome {
    // Two letters of talker, three of formatter and a comma: the address of every sentence that is not proprietary.
    guard start &+ 5 < end, bytes[start &+ 5] == 0x2C else {
      return ProprietaryDecoder.decode(bytes, from: start, to: end, body)
    }
    let formatter = code(bytes[start &+ 2], bytes[start &+ 3], bytes[start &+ 4])
    let talker = Talker(bytes[start], bytes[start &+ 1])
    var fields = FieldCursor(bytes, from: start &+ 6, to: end)
    let isDecoded =
      switch formatter {
      case Formatter.gsv where bytes[start] == 0x50: quectelGSV(&fields, talker, body)
      case Formatter.gsv: gsv(&fields, talker, body)
      case Formatter.gsa: gsa(&fields, talker, body)
      case Formatter.rmc: rmc(&fields, talker, body)
      case Formatter.gga: gga(&fields, talker, body)
      case Formatter.gll: gll(&fields, talker, body)
      case Formatter.vtg: vtg(&fields, talker, body)
      case Formatter.gns: gns(&fields, talker, body)
      case Formatter.zda: zda(&fields, talker, body)
      case Formatter.dtm: dtm(&fields, talker, body)
      case Formatter.gst: gst(&fields, talker, body)
      case Formatter.gbs: gbs(&fields, talker, body)
      case Formatter.hdt: hdt(&fields, talker, body)
      case Formatter.ths: ths(&fields, talker, body)
      case Formatter.hdg: hdg(&fields, talker, body)
      case Formatter.hdm: hdm(&fields, talker, body)
      case Formatter.vhw: vhw(&fields, talker, body)
      case Formatter.rot: rot(&fields, talker, body)
      case Formatter.txt: txt(&fields, talker, body)
      default: Bool?.none
      }
    // A proprietary address can have five letters, too (PGRME).
    guard let isDecoded else { return ProprietaryDecoder.decode(bytes, from: start, to: end, body) }
    return isDecoded ? .decoded : .malformed
  }

  /// Three letters packed into one number, for use in a switch.
  @inline(__always)
  static func code(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt32 { UInt32(a) << 16 | UInt32(b) << 8 | UInt32(c) }

  private enum Formatter {
    static var dtm: UInt32 { 0x44544D }
    static var gbs: UInt32 { 0x474253 }
    static var gga: UInt32 { 0x474741 }
    static var gll: UInt32 { 0x474C4C }
    static var gns: UInt32 { 0x474E53 }
    static var gsa: UInt32 { 0x475341 }
    static var gst: UInt32 { 0x475354 }
    static var gsv: UInt32 { 0x475356 }
    static var hdg: UInt32 { 0x484447 }
    static var hdm: UInt32 { 0x48444D }
    static var hdt: UInt32 { 0x484454 }
    static var rmc: UInt32 { 0x524D43 }
    static var rot: UInt32 { 0x524F54 }
    static var ths: UInt32 { 0x544853 }
    static var txt: UInt32 { 0x545854 }
    static var vhw: UInt32 { 0x564857 }
    static var vtg: UInt32 { 0x565447 }
    static var zda: UInt32 { 0x5A4441 }
  }
}

/// Sentences with satellites, errors, heading and text. Each function returns whether the sentence was well formed and delivered.
extension SentenceDecoder {
  static func gsa(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    if let selection = fields.letter(), selection != 0x41, selection != 0x4D { return false }
    guard let value = fields.integer(in: 1...3), let dimension = GSA.Dimension(rawValue: UInt8(value)) else {
      return false
    }
    var gsa = GSA(dimension: dimension)
    twelvePlaces(&fields, &gsa)
    // After twelve satellite fields the rest of a sentence is usually shorter; then the fields need not be counted.
    if fields.end &- fields.position >= 20 { morePlaces(&fields, &gsa) }
    gsa.pdopHundredths = fields.dilutionHundredths()
    gsa.hdopHundredths = fields.dilutionHundredths()
    guard !fields.isAtEnd else { return false }
    gsa.vdopHundredths = fields.dilutionHundredths()
    // The next field is one character, or the dilution that the SiRF Atlas VI sends here.
    if fields.end &- fields.position > 1, fields.isDecimal {
      _ = fields.dilutionHundredths()
      gsa.system = talker.system
    } else {
      gsa.system = fields.hexadecimal().flatMap(NMEASystem.init(rawValue:)) ?? talker.system
    }
    guard fields.isWellFormed else { return false }
    body(.nmea(.gsa(gsa), from: talker))
    return true
  }

  /// Reads the twelve fields with the numbers of the satellites used, many of which are usually empty.
  @inline(__always)
  private static func twelvePlaces(_ fields: inout FieldCursor, _ gsa: inout GSA) {
    for _ in 0..<12 {
      guard let number = fields.integer(in: 0...999), number > 0 else { continue }
      gsa.numbers[Int(gsa.satellitesUsed)] = Int16(truncatingIfNeeded: number)
      gsa.satellitesUsed &+= 1
    }
  }

  /// Reads twelve more satellite fields: GSA has twelve, but the Navior CH-4701 sends 24.
  @inline(never)
  private static func morePlaces(_ fields: inout FieldCursor, _ gsa: inout GSA) {
    if fields.remaining >= 12 + 3 { twelvePlaces(&fields, &gsa) }
  }

  static func gsv(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard let sentences = fields.integer(in: 1...99), let sentence = fields.integer(in: 1...99), sentence <= sentences,
      !fields.isAtEnd
    else { return false }
    var gsv = GSV(sentences: UInt8(sentences), sentence: UInt8(sentence))
    gsv.satellitesInView = fields.count(upTo: 255) ?? 0
    // Four fields for each satellite; one more at the end is the signal identifier of 4.11.
    while !fields.isAtEnd {
      if fields.end &- fields.position <= 1 {
        gsv.signal = fields.hexadecimal()
        break
      }
      guard gsv.count < 4 else { return false }
      let id = fields.integer(in: 0...999)
      guard !fields.isAtEnd else { return false }
      let elevation = fields.decimal(0, in: -90...90)
      guard !fields.isAtEnd else { return false }
      let azimuth = fields.integer(in: 0...360)
      guard !fields.isAtEnd else { return false }
      // Some MediaTek firmware sends decimals.
      let signal = fields.decimal(0, in: 0...99)
      guard id != nil || signal != nil else { continue }
      gsv.satellites[Int(gsv.count)] = GSV.Satellite(
        id: id.flatMap { SatelliteID(nmea: $0, talker: talker, system: nil) },
        elevationDegrees: elevation.map { Int8(truncatingIfNeeded: $0) },
        azimuthDegrees: azimuth.map { Int16(truncatingIfNeeded: $0) },
        signalDecibelHertz: signal.map { UInt8(truncatingIfNeeded: $0) })
      gsv.count &+= 1
    }
    guard fields.isWellFormed else { return false }
    body(.nmea(.gsv(gsv), from: talker))
    return true
  }

  /// PQGSV, which Quectel's EC and EG modules send for BeiDou and QZSS: the system may follow the signal.
  static func quectelGSV(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    let end = fields.end
    // Three fields, four for each satellite, then the signal and the system.
    guard fields.remaining % 4 == 1, fields.bytes[end &- 2] == 0x2C,
      let system = HexDigit.value(of: fields.bytes[end &- 1]).flatMap(NMEASystem.init(rawValue:))
    else { return gsv(&fields, talker, body) }
    var shorter = FieldCursor(fields.bytes, from: fields.position, to: end &- 2)
    return gsv(&shorter, Talker(system), body)
  }

  static func gst(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.remaining == 8 else { return false }
    var gst = GST()
    gst.time = fields.time()
    fields.skip()
    gst.semiMajorMillimeters = fields.errorMillimeters()
    gst.semiMinorMillimeters = fields.errorMillimeters()
    fields.skip()
    gst.latitudeDeviationMillimeters = fields.errorMillimeters()
    gst.longitudeDeviationMillimeters = fields.errorMillimeters()
    gst.altitudeDeviationMillimeters = fields.errorMillimeters()
    guard fields.isWellFormed else { return false }
    body(.nmea(.gst(gst), from: talker))
    return true
  }

  static func gbs(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard (8...10).contains(fields.remaining) else { return false }
    var gbs = GBS()
    gbs.time = fields.time()
    gbs.latitudeErrorMillimeters = fields.errorMillimeters()
    gbs.longitudeErrorMillimeters = fields.errorMillimeters()
    gbs.altitudeErrorMillimeters = fields.errorMillimeters()
    while !fields.isAtEnd { fields.skip() }
    guard fields.isWellFormed else { return false }
    body(.nmea(.gbs(gbs), from: talker))
    return true
  }

  static func hdt(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    let heading = fields.courseMillidegrees()
    fields.expect(0x54)
    guard fields.isWellFormed else { return false }
    body(.nmea(.hdt(HDT(headingMillidegrees: heading)), from: talker))
    return true
  }

  static func ths(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    let heading = fields.courseMillidegrees()
    guard let mode = fields.mode(), fields.isWellFormed else { return false }
    body(.nmea(.ths(THS(headingMillidegrees: heading, mode: mode)), from: talker))
    return true
  }

  static func txt(_ fields: inout FieldCursor, _ talker: Talker, _ body: (WireMessage) -> Void) -> Bool {
    guard fields.integer(in: 0...99) != nil, fields.integer(in: 0...99) != nil,
      let severity = fields.integer(in: 0...99), !fields.isAtEnd
    else { return false }
    // The text may contain commas, so it extends to the end of the sentence.
    let text = fields.text()
    guard fields.isWellFormed else { return false }
    body(.nmea(.txt(TXT(severity: UInt8(severity), text: text)), from: talker))
    return true
  }
}
