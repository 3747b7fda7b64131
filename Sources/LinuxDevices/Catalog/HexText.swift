/// Hexadecimal as sysfs and udev write it, without Foundation.
enum HexText {
  /// Four lower-case digits.
  static func digits4(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// One to four digits and nothing else, or `nil`.
  static func value(_ text: String) -> UInt16? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ isDigit($0) }) else { return nil }
    return UInt16(text, radix: 16)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    case _: false
    }
  }
}
