import LocationIPC

/// The capabilities of a terminal.
package struct SkyStyle: Hashable, Sendable {
  /// The terminal's size in characters, each at least 1.
  package var columns: Int
  package var rows: Int
  /// Colors and bold by SGR sequences (ECMA-48, section 8.3.117); without them no information is lost.
  package var usesColor: Bool
  /// Block elements and dots outside ASCII.
  package var usesUnicode: Bool

  package init(columns: Int, rows: Int, usesColor: Bool, usesUnicode: Bool) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.usesColor = usesColor
    self.usesUnicode = usesUnicode
  }

  /// The capabilities of a terminal of that size, by its environment; `nil`: it can only be written to line by line.
  package init?(columns: Int, rows: Int, environment: [String: String]) {
    guard let terminal = environment["TERM"], terminal != "", terminal != "dumb" else { return nil }
    // The first variable that is set decides (locale(7)).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let encoding = locale.uppercased()
    self.init(
      columns: columns, rows: rows, usesColor: (environment["NO_COLOR"] ?? "").isEmpty,
      usesUnicode: encoding.contains("UTF-8") || encoding.contains("UTF8"))
  }
}
