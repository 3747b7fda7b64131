/// How a receiver is connected: what the delay of its bytes depends on besides the receiver.
package enum PortClass: UInt8, Hashable, Sendable, CaseIterable {
  /// A UART of the machine (ttyS, ttyAMA).
  case uart = 0
  /// A UART behind a USB adapter (ttyUSB).
  case usbAdapter = 1
  /// A receiver with USB of its own (ttyACM).
  case usb = 2
  /// Anything else, for example a pseudoterminal.
  case other = 3
}

/// The message with which a receiver begins its bursts. The delay of a burst depends on its first message.
package enum FirstMessage: Hashable, Sendable {
  /// The three letters of the sentence, most significant byte first.
  case nmea(formatter: UInt32)
  case ubx(class: UInt8, id: UInt8)

  /// A sentence such as `RMC`; `nil` unless it consists of three uppercase letters or digits of ASCII.
  package init?(formatter text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 3, bytes.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else {
      return nil
    }
    self = .nmea(formatter: bytes.reduce(0) { $0 << 8 | UInt32($1) })
  }

  var code: UInt32 {
    switch self {
    case .nmea(let formatter): formatter & 0xFF_FFFF
    case .ubx(let messageClass, let id): 1 << 24 | UInt32(messageClass) << 8 | UInt32(id)
    }
  }

  init?(code: UInt32) {
    switch code >> 24 {
    case 0: self = .nmea(formatter: code)
    case 1 where code >> 16 & 0xFF == 0: self = .ubx(class: UInt8(code >> 8 & 0xFF), id: UInt8(code & 0xFF))
    default: return nil
    }
  }
}

/// What a measured delay belongs to.
package struct CalibrationKey: Hashable, Sendable {
  /// The receiver's identity, which stays the same when its device gets another name; at most 64 bytes of UTF-8.
  package let receiver: String
  package let port: PortClass
  /// The time between epochs, milliseconds.
  package let cycleMilliseconds: UInt16
  package let firstMessage: FirstMessage

  /// The longest identity in bytes.
  package static let longestIdentity = 64

  /// `nil` if the identity is empty or too long.
  package init?(receiver: String, port: PortClass, cycleMilliseconds: UInt16, firstMessage: FirstMessage) {
    guard (1...Self.longestIdentity).contains(receiver.utf8.count) else { return nil }
    (self.receiver, self.port, self.firstMessage) = (receiver, port, firstMessage)
    self.cycleMilliseconds = cycleMilliseconds
  }
}
