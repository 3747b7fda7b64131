/// Text from outside in a form that XML 1.0 allows (§2.2, §2.4).
enum XMLText {
  /// The longest part of one text that is kept, in scalars.
  static let maximumScalars = 200

  /// `text` bounded and escaped, for an element's content or an attribute's value. Characters that XML does not allow, or that
  /// could control a terminal, become U+FFFD.
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
  /// Whether a text with this character may control a terminal or mislead its reader: control characters (C0, DEL, C1),
  /// line and paragraph separators, characters that control the direction of text (Unicode Standard Annex 9,
  /// "Directional Formatting Characters"), and the byte order mark. All of them fit into 16 bits.
  package var isHarmful: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
