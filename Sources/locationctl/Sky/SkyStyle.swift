import LocationIPC

/// The capabilities of a terminal.
package struct SkyStyle: Hashable, Sendable {
  /// The terminal's size in characters, each at least 1.
  package var columns: Int
  package var rows: Int
  /// Whether to print colors and bold text by SGR sequences (ECMA-48, section 8.3.117). No information is lost without
  /// them.
  package var usesColor: Bool
  /// Whether to use block elements and dots outside ASCII.
  package var usesUnicode: Bool

  package init(columns: Int, rows: Int, usesColor: Bool, usesUnicode: Bool) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.usesColor = usesColor
    self.usesUnicode = usesUnicode
  }

  /// The capabilities of a terminal of this size, according to its environment; `nil`: it can only be written to line
  /// by line.
  package init?(columns: Int, rows: Int, environment: (String) -> String?) {
    guard let terminal = environment("TERM"), terminal != "", terminal != "dumb" else { return nil }
    self.init(
      columns: columns, rows: rows,
      usesColor: ColorMode.current.usesColor(isTerminal: true, isPlain: false, environment),
      usesUnicode: Presentation.isUTF8(environment))
  }
}
