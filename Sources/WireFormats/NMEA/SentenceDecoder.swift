import Geodesy

/// Decodes the fields of a sentence whose checksum was right, by its address.
///
/// Returns `nil` where a field count, a field or a range is not what the type allows.
enum SentenceDecoder {
  /// Decodes one sentence. PUBX,03 is a list and goes to `PUBXSatelliteList` instead.
  static func decode(_ fields: inout SentenceFields) -> WireMessage? {
    let start = fields.lower(0)
    let length = fields.upper(0) - start
    let bytes = fields.bytes
    guard length == 5 else { return ProprietaryDecoder.decode(&fields) }
    let talker = Talker(bytes[start], bytes[start + 1])
    let formatter = code(bytes[start + 2], bytes[start + 3], bytes[start + 4])
    let message: NMEAMessage?
    switch formatter {
    case Formatter.gsv: message = gsv(&fields, talker)
    case Formatter.gsa: message = gsa(&fields, talker)
    case Formatter.rmc: message = rmc(&fields)
    case Formatter.gga: message = gga(&fields)
    case Formatter.gll: message = gll(&fields)
    case Formatter.vtg: message = vtg(&fields)
    case Formatter.gns: message = gns(&fields)
    case Formatter.zda: message = zda(&fields)
    case Formatter.gst: message = gst(&fields)
    case Formatter.gbs: message = gbs(&fields)
    case Formatter.hdt: message = hdt(&fields)
    case Formatter.ths: message = ths(&fields)
    case Formatter.txt: message = txt(&fields)
    default:
      // Five letters may be a proprietary address too (PGRME).
      return ProprietaryDecoder.decode(&fields)
    }
    guard let message, !fields.isMalformed else { return nil }
    return .nmea(message, from: talker)
  }

  /// Three letters as one number.
  @inline(__always)
  static func code(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt32 { UInt32(a) << 16 | UInt32(b) << 8 | UInt32(c) }

  private enum Formatter {
    static let gbs: UInt32 = 0x474253
    static let gga: UInt32 = 0x474741
    static let gll: UInt32 = 0x474C4C
    static let gns: UInt32 = 0x474E53
    static let gsa: UInt32 = 0x475341
    static let gst: UInt32 = 0x475354
    static let gsv: UInt32 = 0x475356
    static let hdt: UInt32 = 0x484454
    static let rmc: UInt32 = 0x524D43
    static let ths: UInt32 = 0x544853
    static let txt: UInt32 = 0x545854
    static let vtg: UInt32 = 0x565447
    static let zda: UInt32 = 0x5A4441
  }
}
