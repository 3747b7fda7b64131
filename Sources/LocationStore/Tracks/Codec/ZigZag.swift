/// Signed integers as unsigned ones that are small where the integer is near zero: 0, −1, 1, −2 … become 0, 1, 2, 3 …
enum ZigZag {
  static func encode(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  static func decode(_ value: UInt64) -> Int64 { Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }

  /// Bits that the encoded value takes, 0…64.
  static func width(_ value: Int64) -> Int { 64 - encode(value).leadingZeroBitCount }

  /// Bytes that the encoded value takes with seven bits a byte, 1…10.
  static func byteCount(_ value: Int64) -> Int { max(1, (width(value) + 6) / 7) }

  /// Appends the encoded value with seven bits a byte, the lowest first; all but the last byte have the top bit.
  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    var rest = encode(value)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Reads what `append` wrote and moves `offset` behind it; `nil` where it does not end within `bytes`, or is no 64 bits.
  static func read(_ bytes: Span<UInt8>, at offset: inout Int) -> Int64? {
    var (value, shift) = (UInt64(0), 0)
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      let part = UInt64(byte & 0x7F)
      guard shift < 63 || part <= 1 else { return nil }
      value |= part << shift
      if byte & 0x80 == 0 { return decode(value) }
      shift += 7
    }
    return nil
  }
}
