/// The bytes that draw a picture on the alternate screen of a terminal: at first all lines, then those that have changed
/// (ECMA-48; the private modes as in xterm's "XTerm Control Sequences").
package struct ScreenFrame: Sendable {
  /// The lines on the screen; `nil`: the contents of the screen are unknown.
  private var shown: [String]?

  package init() {}

  /// Switches to the alternate screen, switches off line wrapping, and hides the cursor. Lines are cut off at the right
  /// edge, also on terminals on which some characters are wider than expected.
  package static let enter = Array("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l".utf8)
  /// Reverts `enter`. A terminal without an alternate screen is cleared.
  package static let leave = Array("\u{1B}[0m\u{1B}[H\u{1B}[2J\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l".utf8)

  /// The bytes that replace the shown lines by `lines`; empty if nothing has changed.
  package mutating func bytes(_ lines: [String]) -> [UInt8] {
    defer { shown = lines }
    guard let before = shown else {
      let all = lines.enumerated().map { Self.line($0 + 1, $1) }.joined()
      return Array("\u{1B}[0m\u{1B}[H\u{1B}[2J\(all)".utf8)
    }
    var text = ""
    for row in 0..<max(lines.count, before.count) {
      let line = row < lines.count ? lines[row] : ""
      if row >= before.count || before[row] != line { text += Self.line(row + 1, line) }
    }
    return Array(text.utf8)
  }

  /// Makes the next picture be drawn in full, because the terminal has another size or has shown other text.
  package mutating func forget() { shown = nil }

  private static func line(_ row: Int, _ text: String) -> String {
    // The line is erased before the text: erasing the rest after the text would erase the last character of a full line
    // on some terminals.
    "\u{1B}[\(row);1H\u{1B}[K\(text)"
  }
}
