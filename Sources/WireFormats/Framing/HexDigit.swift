/// Hexadecimal digits, as checksums and identifiers are written.
enum HexDigit {
  /// The value of a digit, upper or lower case.
  @inline(__always)
  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit &- 0x30
    case 0x41...0x46: digit &- 0x37
    case 0x61...0x66: digit &- 0x57
    default: nil
    }
  }

  /// The digit of a value below 16, upper case.
  static func digit(of value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
