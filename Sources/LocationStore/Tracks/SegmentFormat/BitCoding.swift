/// Appends integers of any width, lowest bit first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var free = 0

  /// - Parameter capacity: number of bytes up to which growing does not reallocate.
  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Zeros everything that was appended.
  mutating func wipe() { Sodium.wipe(&bytes) }

  /// Appends the lowest `width` bits of `value`, whose other bits must be zero.
  mutating func append(_ value: UInt64, width: Int) {
    var (rest, left) = (value, width)
    while left > 0 {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      let count = Swift.min(free, left)
      bytes[bytes.count - 1] |= UInt8(truncatingIfNeeded: rest & (1 << count - 1)) << (8 - free)
      rest >>= count
      free -= count
      left -= count
    }
  }
}

/// Reads the output of a `BitWriter`.
struct BitReader {
  /// Position of the next bit, from the beginning of the bytes.
  private var position: Int

  /// Starts at byte `offset`.
  init(at offset: Int) { position = offset * 8 }

  /// The next `width` bits (0…64), which must exist.
  mutating func read(_ width: Int, of bytes: Span<UInt8>) -> UInt64 {
    var (value, done) = (UInt64(0), 0)
    while done < width {
      let count = min(8 - position % 8, width - done)
      let part = UInt64(bytes[position / 8] >> UInt8(position % 8)) & (1 << UInt64(count) - 1)
      value |= part << UInt64(done)
      position += count
      done += count
    }
    return value
  }
}

/// Maps signed integers to unsigned ones so that integers near zero become small: 0, −1, 1, −2 … become 0, 1, 2, 3 …
enum ZigZag {
  static func encode(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  static func decode(_ value: UInt64) -> Int64 { Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }

  /// Number of bits of the encoded value, 0…64.
  static func width(_ value: Int64) -> Int { 64 - encode(value).leadingZeroBitCount }

  /// Number of bytes of the encoded value with seven bits per byte, 1…10.
  static func byteCount(_ value: Int64) -> Int { max(1, (width(value) + 6) / 7) }

  /// Appends the encoded value with seven bits per byte, lowest first; all but the last byte have the top bit set.
  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    var rest = encode(value)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Reads the output of `append` and advances `offset` past it; `nil` if the number does not end within `bytes`, or
  /// exceeds 64 bits.
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

/// Integers in files: little-endian.
extension Array where Element == UInt8 {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func replace(at offset: Int, littleEndian value: some FixedWidthInteger) {
    for (index, shift) in stride(from: 0, to: value.bitWidth, by: 8).enumerated() {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }
}

extension Span where Element == UInt8 {
  /// The integer at `offset`, which must lie within the bytes.
  func integer<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value {
    var value: Value = 0
    for index in 0..<Value.bitWidth / 8 { value |= Value(truncatingIfNeeded: self[offset + index]) << (8 * index) }
    return value
  }
}
