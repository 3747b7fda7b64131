import TrackFormats

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
      result.append(scalar.isHarmful ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }
}
