import NetworkSources
import Testing

/// Frames of RTCM 3.
enum RTCMSample {
  /// The example of message 1005 in RTCM 10403.1, section 4.2: station 2003 at X 1114104.5999, Y −4850729.7108, Z 3975521.4643 m.
  static let example: [UInt8] = [
    0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD, 0x62, 0xAC, 0x09, 0x41,
    0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
  ]

  /// A frame around `message`; the CRC is computed here with another method than in the framer (a full division).
  static func bytes(of message: [UInt8]) -> [UInt8] {
    let frame = [0xD3, UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    var remainder: UInt64 = 0
    for byte in frame + [0, 0, 0] {
      for bit in (0..<8).reversed() {
        remainder = remainder << 1 | UInt64(byte >> UInt8(bit) & 1)
        if remainder >> 24 == 1 { remainder ^= 0x186_4CFB }
      }
    }
    return frame + [UInt8(remainder >> 16 & 0xFF), UInt8(remainder >> 8 & 0xFF), UInt8(remainder & 0xFF)]
  }

  /// A message with this number and, in the 30 bits after the station, this time of week.
  static func message(_ number: Int, length: Int = 40, timeOfWeek milliseconds: Int = 0) -> [UInt8] {
    var bits = BitWriter()
    bits.write(number, 12)
    bits.write(7, 12)
    bits.write(milliseconds, 30)
    return bits.bytes(length)
  }

  static func frame(_ number: Int, length: Int = 40, timeOfWeek milliseconds: Int = 0) throws -> RTCMFrame {
    try #require(RTCMFrame(bytes(of: message(number, length: length, timeOfWeek: milliseconds))))
  }

  /// Message 1005 or 1006 of a station, whose place is given in units of 0.1 mm.
  static func station(_ number: Int = 1006, id: Int, x: Int, y: Int, z: Int) throws -> RTCMFrame {
    var bits = BitWriter()
    bits.write(number, 12)
    bits.write(id, 12)
    bits.write(0, 10)
    bits.write(x, 38)
    bits.write(0, 2)
    bits.write(y, 38)
    bits.write(0, 2)
    bits.write(z, 38)
    if number == 1006 { bits.write(15_000, 16) }
    return try #require(RTCMFrame(bytes(of: bits.bytes(number == 1006 ? 21 : 19))))
  }

  private struct BitWriter {
    private var bits: [UInt8] = []

    mutating func write(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }

    /// The bits, and zeros after them.
    func bytes(_ length: Int) -> [UInt8] {
      let all = bits + Array(repeating: 0, count: max(0, length * 8 - bits.count))
      return stride(from: 0, to: length * 8, by: 8).map { start in all[start..<start + 8].reduce(0) { $0 << 1 | $1 } }
    }
  }
}
