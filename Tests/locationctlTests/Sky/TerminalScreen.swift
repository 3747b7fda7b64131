/// The screen of a terminal that received these bytes: only the part of ECMA-48 that the pictures use.
struct TerminalScreen {
  let columns: Int
  let rows: Int
  private(set) var row = 0
  private(set) var column = 0
  /// The unknown escape sequences, each as its last characters.
  private(set) var unknown: [String] = []
  private var cells: [[Character]]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The lines without trailing blanks.
  var lines: [String] {
    cells.map { line in String(line.prefix(line.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)) }
  }

  mutating func show(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n": lineFeed()
      case "\u{1B}":
        guard rest.popFirst() == "[" else { unknown.append("ESC"); continue }
        let parameters = rest.prefix { $0.value < 0x40 }
        rest = rest.dropFirst(parameters.count)
        guard let final = rest.popFirst() else { return }
        control(final, String(String.UnicodeScalarView(parameters)))
      case _ where scalar.value < 0x20: unknown.append("\(scalar.value)")
      default:
        if column == columns {
          column = 0
          lineFeed()
        }
        cells[row][column] = Character(scalar)
        column += 1
      }
    }
  }

  private mutating func control(_ final: Unicode.Scalar, _ parameters: String) {
    switch (final, parameters) {
    case ("A", _): row = max(0, row - (Int(parameters) ?? 1))
    case ("H", ""): (row, column) = (0, 0)
    case ("J", ""):
      erase(row, from: column)
      for below in row + 1..<max(rows, row + 1) { erase(below, from: 0) }
    case ("J", "2"): for line in 0..<rows { erase(line, from: 0) }
    case ("K", ""): erase(row, from: column)
    case ("m", _): break
    default: unknown.append("[\(parameters)\(final)")
    }
  }

  private mutating func erase(_ line: Int, from column: Int) {
    for index in column..<max(columns, column) { cells[line][index] = " " }
  }

  private mutating func lineFeed() {
    guard row == rows - 1 else {
      row += 1
      return
    }
    cells.removeFirst()
    cells.append(Array(repeating: " ", count: columns))
  }
}
