/// Encodes frames to send to a receiver.
package enum UBXFrame {
  /// Encodes a frame of any message: B5 62, class, identifier, length, payload, checksum. The payload has at most 65,535 bytes.
  package static func encode(class messageClass: UInt8, id: UInt8, payload: [UInt8] = []) -> [UInt8] {
    precondition(payload.count <= 0xFFFF, "a UBX payload has at most 65,535 bytes")
    var checksum = FletcherChecksum()
    let content = [messageClass, id, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
    for byte in content { checksum.add(byte) }
    return [0xB5, 0x62] + content + [checksum.a, checksum.b]
  }

  /// Encodes a poll: a message with an empty payload makes the receiver send that message once, and changes no setting.
  package static func poll(_ message: Pollable) -> [UInt8] {
    switch message {
    case .monVER: encode(class: 0x0A, id: 0x04)
    case .secUNIQID: encode(class: 0x27, id: 0x03)
    case .navPVT: encode(class: 0x01, id: 0x07)
    case .navPOSLLH: encode(class: 0x01, id: 0x02)
    case .navTIMELS: encode(class: 0x01, id: 0x26)
    }
  }

  /// A message that `poll` can request.
  package enum Pollable: Hashable, Sendable {
    case monVER, secUNIQID, navPVT, navPOSLLH, navTIMELS
  }
}

/// The payload of a message that is stored and later sent back unchanged: receiver settings or satellite data.
///
/// It is on the heap: stored inline it would make every message this large. Only these messages need the room, and they arrive
/// only when polled.
package struct UBXPayload: Hashable, Sendable {
  /// The maximum length in bytes; entries of the navigation database have at most 164 bytes (UBX-18010854, UBX-MGA-DBD).
  package static let capacity = 192

  package let messageClass: UInt8
  package let id: UInt8
  /// The payload bytes.
  package let bytes: [UInt8]

  /// `nil` if the payload is longer than the capacity.
  init?(class messageClass: UInt8, id: UInt8, _ payload: Span<UInt8>) {
    guard payload.count <= Self.capacity else { return nil }
    self.messageClass = messageClass
    self.id = id
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count)
    for index in 0..<payload.count { bytes.append(payload[index]) }
    self.bytes = bytes
  }

  /// The complete frame to send.
  package var frame: [UInt8] { UBXFrame.encode(class: messageClass, id: id, payload: bytes) }
}

/// Reads little-endian numbers at an offset into a UBX payload; the caller has checked the length (UBX-21048598, section 3.3.3;
/// the names are its type names).
extension Span where Element == UInt8 {
  @inline(__always) func u1(_ offset: Int) -> UInt8 { self[offset] }
  @inline(__always) func i1(_ offset: Int) -> Int8 { Int8(bitPattern: self[offset]) }
  @inline(__always) func u2(_ offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset &+ 1]) << 8 }
  @inline(__always) func i2(_ offset: Int) -> Int16 { Int16(bitPattern: u2(offset)) }
  @inline(__always) func u4(_ offset: Int) -> UInt32 { UInt32(u2(offset)) | UInt32(u2(offset &+ 2)) << 16 }
  @inline(__always) func i4(_ offset: Int) -> Int32 { Int32(bitPattern: u4(offset)) }
  @inline(__always) func r4(_ offset: Int) -> Float { Float(bitPattern: u4(offset)) }
}
