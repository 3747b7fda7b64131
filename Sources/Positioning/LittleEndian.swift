/// Little-endian integers, as the service and its helpers write them.
enum LittleEndian {
  static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Reads `size` existing bytes, at most 4.
  static func number(_ bytes: Span<UInt8>, at offset: Int, size: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<size { value |= UInt32(bytes[offset + index]) << UInt32(8 * index) }
    return value
  }

  static func bytes(_ bytes: Span<UInt8>, at offset: Int, size: Int) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(size)
    for index in offset..<offset + size { copy.append(bytes[index]) }
    return copy
  }

  static func text(_ bytes: Span<UInt8>, at offset: Int, size: Int) -> String {
    String(decoding: self.bytes(bytes, at: offset, size: size), as: UTF8.self)
  }
}
