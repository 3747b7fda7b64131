/// A UBX payload whose numbers are changed in place: little endian, at offsets that the caller has checked to be there.
struct PayloadEditor {
  var bytes: [UInt8]

  func u1(_ offset: Int) -> UInt8 { bytes[offset] }
  func i1(_ offset: Int) -> Int8 { Int8(bitPattern: bytes[offset]) }
  func i2(_ offset: Int) -> Int16 { Int16(bitPattern: UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8) }
  func u4(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) } }
  func i4(_ offset: Int) -> Int32 { Int32(bitPattern: u4(offset)) }
  func r4(_ offset: Int) -> Double { Double(Float(bitPattern: u4(offset))) }

  mutating func put(_ value: UInt32, _ offset: Int) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  /// The nearest number that there is.
  mutating func putI4(_ value: Double, _ offset: Int) {
    let bounded = min(max(value.rounded(), Double(Int32.min)), Double(Int32.max))
    put(UInt32(bitPattern: value.isFinite ? Int32(bounded) : 0), offset)
  }

  mutating func putI2(_ value: Int, _ offset: Int) {
    let bits = UInt16(bitPattern: Int16(clamping: value))
    bytes[offset] = UInt8(truncatingIfNeeded: bits)
    bytes[offset + 1] = UInt8(truncatingIfNeeded: bits >> 8)
  }

  mutating func putR4(_ value: Double, _ offset: Int) { put(Float(value).bitPattern, offset) }

  mutating func clear(_ range: Range<Int>) { for offset in range { bytes[offset] = 0 } }
}
