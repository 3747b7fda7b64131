/// How payload bytes are written in a line: printable ASCII as it is, anything else by a backslash.
enum CaptureEscape {
  /// Appends `bytes` escaped. The last byte of a line is never a blank, which editors would cut; `escapingBlanks` is for
  /// values that blanks part.
  static func append(_ bytes: some Collection<UInt8>, escapingBlanks: Bool = false, to line: inout [UInt8]) {
    var left = bytes.count
    for byte in bytes {
      left -= 1
      switch byte {
      case UInt8(ascii: "\r"): line += [backslash, UInt8(ascii: "r")]
      case UInt8(ascii: "\n"): line += [backslash, UInt8(ascii: "n")]
      case backslash: line += [backslash, backslash]
      case UInt8(ascii: " ") where escapingBlanks || left == 0: appendHex(byte, to: &line)
      case 0x20...0x7E: line.append(byte)
      default: appendHex(byte, to: &line)
      }
    }
  }

  /// The bytes that `text` stands for, or `nil` where it is not what `append` writes.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == backslash else {
        guard (0x20...0x7E).contains(byte) else { return nil }
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case backslash: bytes.append(backslash)
      case UInt8(ascii: "x"):
        guard let high = rest.popFirst().flatMap(nibble), let low = rest.popFirst().flatMap(nibble) else { return nil }
        bytes.append(high << 4 | low)
      default: return nil
      }
    }
    return bytes
  }

  /// `bytes` as printable text of at most `limit` characters, for an error.
  static func excerpt(_ bytes: ArraySlice<UInt8>, limit: Int = 40) -> String {
    var escaped: [UInt8] = []
    append(bytes.prefix(limit), to: &escaped)
    let text = String(decoding: escaped, as: UTF8.self)
    return text.count > limit || bytes.count > limit ? String(text.prefix(limit - 1)) + "…" : text
  }

  private static let backslash = UInt8(ascii: "\\")

  private static func appendHex(_ byte: UInt8, to line: inout [UInt8]) {
    line += [backslash, UInt8(ascii: "x"), hexDigit(byte >> 4), hexDigit(byte & 15)]
  }

  /// The lower-case digit of a nibble.
  private static func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  /// The value of a hex digit of either case.
  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
