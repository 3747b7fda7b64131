import Geodesy

/// Decodes the fields of a sentence whose checksum was right, by its address, and hands the message on.
enum SentenceDecoder {
  /// What has come of a sentence.
  enum Outcome {
    case decoded
    /// A field count, a field or a range that the type does not allow.
    case malformed
    case unknown
  }

  /// Decodes the sentence in `bytes` from `start` (behind `$`) up to the `*` at `end`.
  static func decode(_ bytes: Span<UInt8>, from start: Int, to end: Int, _ body: (WireMessage) -> Void) -> Outcome {
    // Two letters of talker, three of formatter and a comma: the address of everything but makers' own sentences.
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
      case Formatter.txt: txt(&fields, talker, body)
      default: Bool?.none
      }
    // Five letters may be a maker's own address too (PGRME).
    guard let isDecoded else { return ProprietaryDecoder.decode(bytes, from: start, to: end, body) }
    return isDecoded ? .decoded : .malformed
  }

  /// Three letters as one number.
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
    static var hdt: UInt32 { 0x484454 }
    static var rmc: UInt32 { 0x524D43 }
    static var ths: UInt32 { 0x544853 }
    static var txt: UInt32 { 0x545854 }
    static var vtg: UInt32 { 0x565447 }
    static var zda: UInt32 { 0x5A4441 }
  }
}
