/// Makes text that a device supplied safe to print, log and compare: printable ASCII, one line, bounded.
///
/// A device chooses its USB string descriptors freely. Terminals act on control bytes, and other programs have run shells
/// on such strings (CVE-2026-58459, CVE-2026-60122).
enum DeviceText {
  /// Maximum length in bytes; longer text is truncated.
  static let maximumLength = 64

  /// The sanitized text; `nil` if nothing printable is left.
  static func sanitized(_ text: some Sequence<UInt8>) -> String? {
    var kept: [UInt8] = []
    var pendingSpace = false
    for byte in text {
      guard kept.count < maximumLength else { break }
      switch byte {
      case 0x21...0x7E:
        if pendingSpace, !kept.isEmpty, kept.count < maximumLength - 1 { kept.append(0x20) }
        pendingSpace = false
        kept.append(byte)
      case _:
        // A run of spaces, control bytes and non-ASCII bytes becomes one space between words, and none at the ends.
        pendingSpace = true
      }
    }
    return kept.isEmpty ? nil : String(decoding: kept, as: UTF8.self)
  }

  /// The text for identifiers in text files and on command lines: everything but `A–Z a–z 0–9 . _ : -` becomes `_`.
  static func identifier(_ text: some Sequence<UInt8>) -> String? {
    guard let clean = sanitized(text) else { return nil }
    let bytes = clean.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
        UInt8(ascii: "-"):
        byte
      case _: UInt8(ascii: "_")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Runs of ASCII letters and digits, in lower case.
  static func words(_ text: String) -> [String] {
    text.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        false
      case _: true
      }
    }.map { String(decoding: $0, as: UTF8.self).lowercased() }
  }
}

/// Hexadecimal numbers in the form of sysfs and udev, without Foundation.
enum HexText {
  /// Four lower-case digits.
  static func digits4(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// The value of one to four digits and nothing else; otherwise `nil`.
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
