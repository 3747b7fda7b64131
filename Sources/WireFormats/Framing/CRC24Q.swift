/// The 24-bit CRC of RTCM 3 frames (RTCM 10403.3, section 4.2: polynomial 0x1864CFB, from bit to bit, start 0).
struct CRC24Q {
  private(set) var value: UInt32 = 0

  mutating func add(_ byte: UInt8) {
    value ^= UInt32(byte) << 16
    for _ in 0..<8 {
      value <<= 1
      if value & 0x100_0000 != 0 { value ^= 0x186_4CFB }
    }
  }
}
