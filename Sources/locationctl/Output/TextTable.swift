import LinuxIO

/// Tables for people.
package enum TextTable {
  /// Rows of cells, the first row with the names of the columns; each column is as wide as its widest cell.
  ///
  /// If the rows are wider than the terminal, the columns that do not fit go to a second line of each row, broken between words.
  ///
  /// - Parameter width: the columns of the terminal; `nil`: no limit.
  package static func aligned(_ rows: [[String]], width: Int? = terminalWidth) -> [UInt8] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let fitting = width.map { columns(widths, within: max($0, 20)) } ?? widths.count
    let lines = rows.flatMap { row in
      let first = joined(row[..<fitting], widths)
      guard fitting < row.count, let width else { return [first] }
      let rest = wrapped(joined(row[fitting...], widths), within: max(width, 20) - indentation.count)
      return [first] + rest.map { indentation + $0 }
    }
    return Array("\(lines.joined(separator: "\n"))\n".utf8)
  }

  /// The width of the terminal on standard output; `nil` if standard output is not a terminal.
  package static var terminalWidth: Int? { Terminal.size(1)?.columns }

  private static let indentation = "    "

  /// How many columns fit on one line; at least one.
  private static func columns(_ widths: [Int], within width: Int) -> Int {
    var (count, used) = (0, 0)
    for next in widths {
      used += next + (count == 0 ? 0 : 2)
      guard used <= width || count == 0 else { break }
      count += 1
    }
    return count
  }

  /// The cells of a line. The last one is not padded, so that no line ends in spaces.
  private static func joined(_ cells: ArraySlice<String>, _ widths: [Int]) -> String {
    cells.indices.map { column in
      column == cells.endIndex - 1
        ? cells[column] : cells[column] + String(repeating: " ", count: widths[column] - cells[column].count)
    }.joined(separator: "  ")
  }

  /// The text in lines of at most `width` characters; a longer word has a line of its own.
  private static func wrapped(_ text: String, within width: Int) -> [String] {
    guard text.count > width else { return [text] }
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
