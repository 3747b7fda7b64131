/// Integers as the files have them: the lowest byte first.
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
  /// The integer at `offset`, which the caller knows to lie within.
  func integer<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value {
    var value: Value = 0
    for index in 0..<Value.bitWidth / 8 { value |= Value(truncatingIfNeeded: self[offset + index]) << (8 * index) }
    return value
  }
}
