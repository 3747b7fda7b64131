/// What is left of bytes that may hold anything: their number, and what parts them.
enum Blank {
  /// Of a number: its point, and zeros.
  static func numeric(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"): UInt8(ascii: "0")
    case UInt8(ascii: "."): byte
    default: UInt8(ascii: "X")
    }
  }

  /// Of a sentence's fields: commas, points and blanks; zeros for digits, or `X` too where none may be read.
  static func text(_ byte: UInt8, marking: Bool = false) -> UInt8 {
    switch byte {
    case 0x30...0x39: marking ? UInt8(ascii: "X") : UInt8(ascii: "0")
    case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: " "): byte
    default: UInt8(ascii: "X")
    }
  }

  /// Of what is in no frame: also all that begins and ends lines, so that it stays as many beginnings of nothing.
  static func noise(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "*"): byte
    case 0x20..<0x7F: text(byte)
    default: 0
    }
  }

  /// Of a damaged binary frame: nothing but beginnings of lines.
  static func binary(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") ? byte : 0
  }
}
