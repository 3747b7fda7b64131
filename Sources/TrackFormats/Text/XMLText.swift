/// Text from outside as XML 1.0 can hold it (§2.2, §2.4).
enum XMLText {
  /// What is kept of one text, in scalars.
  static let maximumScalars = 200

  /// `text` bounded and escaped, for an element's content or an attribute's value. What XML cannot hold at all, and what
  /// has no place in a terminal either, becomes U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < maximumScalars else {
        result += "…"
        break
      }
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      case _ where scalar.isHarmful: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether text that holds it may steer a terminal or mislead its reader: control characters (C0, DEL, C1), line and
  /// paragraph separators, and what overrides the direction of text (Unicode Standard Annex 9, "Explicit Directional
  /// Formatting Characters"). All within 16 bits.
  package var isHarmful: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
