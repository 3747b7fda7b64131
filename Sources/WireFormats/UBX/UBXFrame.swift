/// Frames to send to a receiver.
package enum UBXFrame {
  /// A frame of any message: B5 62, class, identifier, length, payload, checksum. The payload has at most 65,535 bytes.
  package static func encode(class messageClass: UInt8, id: UInt8, payload: [UInt8] = []) -> [UInt8] {
    precondition(payload.count <= 0xFFFF, "a UBX payload has at most 65,535 bytes")
    var checksum = FletcherChecksum()
    let content = [messageClass, id, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
    for byte in content { checksum.add(byte) }
    return [0xB5, 0x62] + content + [checksum.a, checksum.b]
  }

  /// A poll: a message with an empty payload makes the receiver send it once, and changes nothing.
  package static func poll(_ message: Pollable) -> [UInt8] {
    switch message {
    case .monVER: encode(class: 0x0A, id: 0x04)
    case .secUNIQID: encode(class: 0x27, id: 0x03)
    case .navPVT: encode(class: 0x01, id: 0x07)
    case .navPOSLLH: encode(class: 0x01, id: 0x02)
    }
  }

  /// What is polled.
  package enum Pollable: Hashable, Sendable {
    case monVER, secUNIQID, navPVT, navPOSLLH
  }
}
