/// Checks whether an RTCM 3 frame begins at a position in a byte stream: D3, six zero bits, ten bits of length,
/// message, CRC-24Q (RTCM 10403.3, section 4).
package enum RTCMFraming {
  package static let preamble: UInt8 = 0xD3

  package enum Outcome: Hashable, Sendable {
    /// A frame with a correct CRC; its length in bytes.
    case frame(length: Int)
    /// The bytes end before the outcome is certain.
    case incomplete
    /// No frame begins there.
    case nothing
    /// The bytes have the form of a frame, with a wrong CRC.
    case wrongChecksum
  }

  package static func check(_ bytes: Span<UInt8>, at start: Int) -> Outcome {
    let left = bytes.count &- start
    guard left > 0 else { return .incomplete }
    guard bytes[start] == preamble else { return .nothing }
    guard left > 1 else { return .incomplete }
    guard bytes[start &+ 1] & 0xFC == 0 else { return .nothing }
    guard left > 2 else { return .incomplete }
    let length = Int(bytes[start &+ 1]) << 8 | Int(bytes[start &+ 2])
    guard left >= length &+ 6 else { return .incomplete }
    let end = start &+ 3 &+ length
    var crc = CRC24Q()
    for position in start..<end { crc.add(bytes[position]) }
    let reported = UInt32(bytes[end]) << 16 | UInt32(bytes[end &+ 1]) << 8 | UInt32(bytes[end &+ 2])
    return crc.value == reported ? .frame(length: length &+ 6) : .wrongChecksum
  }
}
