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
