/// The one place where text from outside (device strings, paths, names) is made fit for a terminal.
package enum TerminalText {
  /// What is shown of one string at most.
  package static let maximumCharacters = 200

  /// `text` without anything that steers a terminal or turns the reading direction, bounded in length.
  package static func sanitized(_ text: String, limit: Int = maximumCharacters) -> String {
    var result = String.UnicodeScalarView()
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < limit else {
        result.append("…")
        break
      }
      result.append(isHarmful(scalar) ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  /// Control characters (C0, DEL, C1), line and paragraph separators, and what overrides the direction of text
  /// (Unicode Standard Annex 9, "Explicit Directional Formatting Characters"). All within 16 bits.
  package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
