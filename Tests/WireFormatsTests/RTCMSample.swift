/// RTCM 3 frames, built by hand; the CRC is computed here with another method than in the decoder (a full division).
enum RTCMSample {
  static func frame(length: Int) -> [UInt8] {
    let message =
      [0xD3, UInt8(length >> 8), UInt8(length & 0xFF)] + (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var remainder: UInt64 = 0
    for bit in (message + [0, 0, 0]).flatMap({ byte in (0..<8).reversed().map { UInt64(byte >> UInt8($0) & 1) } }) {
      remainder = remainder << 1 | bit
      if remainder >> 24 == 1 { remainder ^= 0x186_4CFB }
    }
    return message + [UInt8(remainder >> 16 & 0xFF), UInt8(remainder >> 8 & 0xFF), UInt8(remainder & 0xFF)]
  }

  /// One bit of the message is wrong. None of its bytes begins another frame.
  static let broken: [UInt8] = {
    var bytes = frame(length: 7)
    bytes[4] ^= 2
    return bytes
  }()
}
