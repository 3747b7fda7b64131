import TrackFormats

/// Sanitizes all text from outside (device strings, paths, names) before it goes to a terminal.
package enum TerminalText {
  /// The longest part of one string that is shown.
  package static let maximumCharacters = 200

  /// Returns `text` cut to `limit` characters, with U+FFFD for each one that controls a terminal or changes the reading direction.
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
