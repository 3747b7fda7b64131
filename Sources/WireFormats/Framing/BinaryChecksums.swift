/// The 8-bit Fletcher checksum of UBX frames (UBX-21048598, section 3.4; RFC 1145).
package struct FletcherChecksum {
  package private(set) var a: UInt8 = 0
  package private(set) var b: UInt8 = 0

  /// The checksum of zero bytes.
  package init() {}

  package mutating func add(_ byte: UInt8) {
    a &+= byte
    b &+= a
  }
}

/// The 24-bit CRC of RTCM 3 frames (RTCM 10403.3, section 4.2: polynomial 0x1864CFB, bits not reflected, initial value 0).
package struct CRC24Q {
  package private(set) var value: UInt32 = 0

  /// The checksum of zero bytes.
  package init() {}

  package mutating func add(_ byte: UInt8) {
    let index = UInt8(truncatingIfNeeded: value >> 16) ^ byte
    value = (value << 8 & 0xFF_FFFF) ^ Self.table[Int(index)]
  }

  /// The remainder of each value of the most significant byte. A table makes the CRC cheap: a sender of bare frame
  /// headers can make the decoder compute the CRC of a kilobyte for every three bytes.
  private static let table: InlineArray<256, UInt32> = .init { index in
    var value = UInt32(index) << 16
    for _ in 0..<8 {
      value <<= 1
      if value & 0x100_0000 != 0 { value ^= 0x186_4CFB }
    }
    return value
  }
}

/// CRC-32C (Castagnoli): reflected polynomial 0x82F63B78, initial value and final XOR all ones, as in iSCSI (RFC 3720 §12.1 and
/// appendix B.4). It detects every burst error of up to 32 bits and, at the lengths used here, any five single-bit errors.
package struct CRC32C: Sendable {
  /// The CRC of each byte followed by zero, one … seven zero bytes: eight tables of 256 entries.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = []
    for byte in 0..<256 as Range<UInt32> {
      var value = byte
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
      tables.append(value)
    }
    for number in 256..<8 * 256 {
      let before = tables[number - 256]
      tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
    }
    return tables
  }()

  private var state: UInt32 = .max

  package init() {}

  /// The checksum of `bytes`.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    for byte in bytes { checksum.add(byte) }
    return checksum.value
  }

  /// The checksum of all bytes added so far.
  package var value: UInt32 { ~state }

  package mutating func add(_ byte: UInt8) {
    state = Self.tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
  }

  package mutating func add(_ bytes: Span<UInt8>) {
    // Eight bytes at a time (Kounavis and Berry, "A systematic approach to building high performance software-based CRC
    // generators", 2005).
    let tables = Self.tables.span
    var next = 0
    while bytes.count - next >= 8 {
      var word = UInt64(state)
      for number in 0..<8 { word ^= UInt64(bytes[next &+ number]) &<< (8 &* UInt64(number)) }
      var sum: UInt32 = 0
      for number in 0..<8 {
        sum ^= tables[(7 &- number) &* 256 &+ Int(word &>> (8 &* UInt64(number)) & 0xFF)]
      }
      state = sum
      next &+= 8
    }
    while next < bytes.count {
      add(bytes[next])
      next &+= 1
    }
  }

  /// Adds the bytes of `value`, least significant first.
  package mutating func add(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { add(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
