import TrackFormats

/// Sanitizes all text from outside (device strings, paths, names) before it is written to a terminal.
package enum TerminalText {
  /// Maximum number of characters of one string that are shown.
  package static let maximumCharacters = 200

  /// Returns `text` cut to `limit` characters; each character that controls a terminal or changes the reading direction
  /// is replaced by U+FFFD.
  package static func sanitized(_ text: String, limit: Int = maximumCharacters) -> String {
    var result = String.UnicodeScalarView()
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < limit else {
        result.append("…")
        break
      }
      result.append(scalar.isHarmful ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }
}
