/// UBX-MON-VER (0x0A 0x04): software and hardware version and their extensions, each delivered as a separate text.
enum MonVER {
  static func decode(_ payload: Span<UInt8>, _ body: (UBXMessage) -> Void) -> UBXDecoder.Outcome {
    guard payload.count >= 40, (payload.count - 40).isMultiple(of: 30) else { return .malformed }
    body(.monVERSoftware(InlineText(payload, from: 0, to: 30)))
    body(.monVERHardware(InlineText(payload, from: 30, to: 40)))
    var offset = 40
    while offset < payload.count {
      body(.monVERExtension(InlineText(payload, from: offset, to: offset + 30)))
      offset += 30
    }
    return .decoded
  }
}

/// UBX-SEC-UNIQID (0x27 0x03): the unique number of the chip, five bytes in version 1, six in version 2.
package struct SecUNIQID: Hashable, Sendable {
  /// The number, first byte most significant.
  package let number: UInt64
  /// 5 or 6.
  package let byteCount: UInt8

  init?(_ payload: Span<UInt8>) {
    switch (payload.count, payload.count > 0 ? payload.u1(0) : 0) {
    case (9, 1): byteCount = 5
    case (10, 2): byteCount = 6
    default: return nil
    }
    var number: UInt64 = 0
    for index in 4..<4 + Int(byteCount) { number = number << 8 | UInt64(payload.u1(index)) }
    self.number = number
  }

  /// The number in hexadecimal.
  package var string: String {
    var digits: [UInt8] = []
    for index in (0..<Int(byteCount) * 2).reversed() {
      digits.append(HexDigit.digit(of: UInt8(number >> UInt64(index * 4) & 15)))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

/// UBX-MON-RF (0x0A 0x38; UBX-21048598, 3.14.8), and from generations 5 to 8 UBX-MON-HW (0x0A 0x09): the antenna and
/// jamming state from the receiver's front end. The worst band counts.
package struct MonRF: Hashable, Sendable {
  /// The state from the antenna supervisor.
  package enum Antenna: UInt8, Hashable, Sendable {
    case starting = 0
    case unknown = 1
    case good = 2
    case short = 3
    case open = 4
  }

  package let antenna: Antenna
  /// Whether interference is so strong that there is no fix (jammingState 3, "critical").
  package let isJammingCritical: Bool

  /// MON-RF.
  init?(blocks payload: Span<UInt8>) {
    guard payload.count >= 4, payload.count == 4 + 24 * Int(payload.u1(1)), payload.u1(1) > 0 else { return nil }
    var worst = Antenna.starting
    var isCritical = false
    for block in 0..<Int(payload.u1(1)) {
      let offset = 4 + 24 * block
      guard let antenna = Antenna(rawValue: payload.u1(offset + 2)) else { return nil }
      if antenna.rawValue > worst.rawValue { worst = antenna }
      if payload.u1(offset + 1) & 3 == 3 { isCritical = true }
    }
    antenna = worst
    isJammingCritical = isCritical
  }

  /// MON-HW: 68 bytes from u-blox 5 to 7, 60 from u-blox 8.
  init?(hardware payload: Span<UInt8>) {
    guard payload.count == 60 || payload.count == 68, let antenna = Antenna(rawValue: payload.u1(20)) else {
      return nil
    }
    self.antenna = antenna
    isJammingCritical = payload.u1(22) >> 2 & 3 == 3
  }
}

/// UBX-MGA-ACK-DATA0 (0x13 0x60): the result of an assistance message; also the end of a dump of the navigation
/// database.
package struct MgaACK: Hashable, Sendable {
  /// Whether the receiver uses the message.
  package let isAccepted: Bool
  /// The reason for rejection (`infoCode`): 1 the receiver does not know the time, 4 it cannot store the message, 5 it is not
  /// ready, 6 it does not know the type.
  package let reason: UInt8
  /// The identifier, within the class MGA, of the assistance message.
  package let messageID: UInt8
  /// The first four bytes of that message; at the end of a dump the number of its messages (UBX-18010854, UBX-MGA-DBD).
  package let start: UInt32

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 8, payload.u1(0) <= 1 else { return nil }
    isAccepted = payload.u1(0) == 1
    reason = payload.u1(2)
    messageID = payload.u1(3)
    start = payload.u4(4)
  }

  /// Whether the message ends a dump of the navigation database (UBX-MGA-DBD, 0x13 0x80).
  package var endsDump: Bool { messageID == 0x80 }
}
