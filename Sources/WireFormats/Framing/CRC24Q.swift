/// The 24-bit CRC of RTCM 3 frames (RTCM 10403.3, section 4.2: polynomial 0x1864CFB, from bit to bit, start 0).
package struct CRC24Q {
  package private(set) var value: UInt32 = 0

  /// The sum of nothing.
  package init() {}

  package mutating func add(_ byte: UInt8) {
    let index = UInt8(truncatingIfNeeded: value >> 16) ^ byte
    value = (value << 8 & 0xFF_FFFF) ^ Self.table[Int(index)]
  }

  /// What each byte in the highest place becomes. By table, since whoever sends heads of frames alone makes a kilobyte be
  /// summed up for every three bytes.
  private static let table: InlineArray<256, UInt32> = .init { index in
    var value = UInt32(index) << 16
    for _ in 0..<8 {
      value <<= 1
      if value & 0x100_0000 != 0 { value ^= 0x186_4CFB }
    }
    return value
  }
}
