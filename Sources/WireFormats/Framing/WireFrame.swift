package import Geodesy

/// A frame with a correct checksum, and where it is in the bytes that a `WireDecoder` searches. It is not decoded yet.
package enum WireFrame: Sendable {
  /// An NMEA sentence: its address begins at `start` (behind `$`), its fields end before the `*` at `end`.
  case sentence(start: Int, end: Int)
  /// A UBX frame: message class, message identifier, position of the payload.
  case ubx(class: UInt8, id: UInt8, payload: Range<Int>)

  /// What became of a frame.
  enum Outcome {
    case decoded
    /// A field count, a field or a range that the message type does not allow.
    case malformed
    case unknown
  }

  /// Decodes the frame and hands out its messages.
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

/// The time of its epoch that a frame gives, on the clock of its protocol.
package enum FrameTime: Hashable, Sendable {
  /// NMEA: UTC time of day.
  case timeOfDay(TimeOfDay)
  /// UBX: GPS time of week (iTOW), milliseconds, 0…604,799,999.
  case timeOfWeek(milliseconds: UInt32)
}

extension WireFrame {
  /// Milliseconds of a GPS week.
  private static let week: UInt32 = 604_800_000

  /// The time of the epoch that the frame belongs to; `nil` if it gives none. Reads only that field, so that a whole log
  /// can be paced for a fraction of what decoding it costs.
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

  /// Where iTOW is in the payload (UBX-21048598, section 3.15); `nil`: the message has none, or does not belong to an epoch.
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
    // RMC, GGA, GNS, ZDA, GST, GBS; PQXFI, whose address is as long.
    case 0x524D43, 0x474741, 0x474E53, 0x5A4441, 0x475354, 0x474253, 0x584649: return fields.time()
    // GLL.
    case 0x474C4C:
      fields.skip(4)
      return fields.time()
    default: return nil
    }
  }

  /// PUBX,00 and PTNL,GGK. PUBX,04 gives the time at which it was sent, not that of an epoch.
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

/// One message from a receiver, whatever its protocol. A plain value without references: making one allocates nothing.
package enum WireMessage: Sendable {
  case nmea(NMEAMessage, from: Talker)
  case ubx(UBXMessage)
}
