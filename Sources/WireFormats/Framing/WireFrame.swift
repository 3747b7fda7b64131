package import Geodesy

/// A frame with a correct checksum, not decoded yet: its position in the bytes that a `WireDecoder` searches.
package enum WireFrame: Sendable {
  /// An NMEA sentence: its address begins at `start` (after `$`), and its fields end before the `*` at `end`.
  case sentence(start: Int, end: Int)
  /// A UBX frame: message class, message identifier, position of the payload.
  case ubx(class: UInt8, id: UInt8, payload: Range<Int>)

  /// The result of decoding a frame.
  enum Outcome {
    case decoded
    /// A field count, a field or a range that the message type does not allow.
    case malformed
    case unknown
  }

  /// Decodes the frame and calls `body` with its messages.
  func decode(_ bytes: Span<UInt8>, _ body: (WireMessage) -> Void) -> Outcome {
    switch self {
    case .sentence(let start, let end):
      switch SentenceDecoder.decode(bytes, from: start, to: end, body) {
      case .decoded: .decoded
      case .malformed: .malformed
      case .unknown: .unknown
      }
    case .ubx(let messageClass, let id, let payload):
      switch UBXDecoder.decode(class: messageClass, id: id, bytes.extracting(payload), { body(.ubx($0)) }) {
      case .decoded: .decoded
      case .malformed: .malformed
      case .unknown: .unknown
      }
    }
  }
}

/// The epoch time in a frame, in the time scale of its protocol.
package enum FrameTime: Hashable, Sendable {
  /// NMEA: UTC time of day.
  case timeOfDay(TimeOfDay)
  /// UBX: GPS time of week (iTOW), milliseconds, 0…604,799,999.
  case timeOfWeek(milliseconds: UInt32)
}

extension WireFrame {
  /// Milliseconds in a GPS week.
  private static let week: UInt32 = 604_800_000

  /// The time of the epoch that the frame belongs to; `nil` if the frame has no such field. Reads only that field, so that
  /// pacing a log costs a fraction of decoding it.
  package func time(in bytes: Span<UInt8>) -> FrameTime? {
    switch self {
    case .sentence(let start, let end): return Self.timeOfDay(bytes, from: start, to: end).map { .timeOfDay($0) }
    case .ubx(let messageClass, let id, let payload):
      guard let offset = Self.timeOfWeekOffset(class: messageClass, id: id), payload.count >= offset + 4 else {
        return nil
      }
      let time = bytes.extracting(payload).u4(offset)
      return time < Self.week ? .timeOfWeek(milliseconds: time) : nil
    }
  }

  /// The offset of iTOW in the payload (UBX-21048598, section 3.15); `nil` if the message has none or belongs to no epoch.
  private static func timeOfWeekOffset(class messageClass: UInt8, id: UInt8) -> Int? {
    switch (messageClass, id) {
    // NAV-POSECEF, POSLLH, STATUS, DOP, SOL, PVT, VELNED, TIMEUTC, TIMELS, SVINFO, SAT, COV, EOE; HNR-PVT.
    case (0x01, 0x01), (0x01, 0x02), (0x01, 0x03), (0x01, 0x04), (0x01, 0x06), (0x01, 0x07), (0x01, 0x12), (0x01, 0x21),
      (0x01, 0x26), (0x01, 0x30), (0x01, 0x35), (0x01, 0x36), (0x01, 0x61), (0x28, 0x00):
      0
    // NAV-HPPOSLLH.
    case (0x01, 0x14): 4
    default: nil
    }
  }

  private static func timeOfDay(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> TimeOfDay? {
    guard start &+ 8 < end else { return nil }
    guard bytes[start &+ 5] == 0x2C else { return makersTime(bytes, from: start, to: end) }
    var fields = FieldCursor(bytes, from: start &+ 6, to: end)
    switch SentenceDecoder.code(bytes[start &+ 2], bytes[start &+ 3], bytes[start &+ 4]) {
    // RMC, GGA, GNS, ZDA, GST, GBS; also PQXFI, whose address has the same length.
    case 0x524D43, 0x474741, 0x474E53, 0x5A4441, 0x475354, 0x474253, 0x584649: return fields.time()
    // GLL.
    case 0x474C4C:
      fields.skip(4)
      return fields.time()
    default: return nil
    }
  }

  /// The time in PUBX,00 and PTNL,GGK. PUBX,04 contains the time at which it was sent, not that of an epoch.
  private static func makersTime(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> TimeOfDay? {
    guard bytes[start &+ 4] == 0x2C, bytes[start] == 0x50 else { return nil }
    var fields = FieldCursor(bytes, from: start &+ 5, to: end)
    switch SentenceDecoder.code(bytes[start &+ 1], bytes[start &+ 2], bytes[start &+ 3]) {
    case 0x554258:
      guard fields.integer(in: 0...99) == 0 else { return nil }
      return fields.time()
    case 0x544E4C:
      guard SentenceDecoder.code(bytes[start &+ 5], bytes[start &+ 6], bytes[start &+ 7]) == 0x47474B else {
        return nil
      }
      fields.skip()
      return fields.time()
    default: return nil
    }
  }
}

/// One message from a receiver, in any of the protocols. A plain value without references; creating one allocates nothing.
package enum WireMessage: Sendable {
  case nmea(NMEAMessage, from: Talker)
  case ubx(UBXMessage)
}
