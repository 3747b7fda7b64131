/// Tables for people.
package enum TextTable {
  /// Rows of cells; the first row has the names of the columns. Each column is as wide as its widest cell.
  ///
  /// If the rows are wider than the terminal, the columns that do not fit are moved to a second line of each row, each
  /// after its name and wrapped between words. A cell of that line that has no value (`-`) is omitted.
  ///
  /// - Parameters:
  ///   - rightAligned: the columns of numbers.
  ///   - indent: the number of columns that stay empty at the left.
  package static func lines(
    _ rows: [[StyledText]], _ look: Presentation, rightAligned: Set<Int> = [], indent: Int = 0
  ) -> [StyledText] {
    guard let titles = rows.first else { return [] }
    let heading = titles.map { $0.inRole(.heading) }
    let layout = Layout([heading] + rows.dropFirst(), look, rightAligned, indent)
    return [layout.first(heading)] + rows.dropFirst().flatMap { layout.lines($0, titles: titles) }
  }

  /// The same without names of columns.
  package static func lines(
    untitled rows: [[StyledText]], _ look: Presentation, rightAligned: Set<Int> = [], indent: Int = 0
  ) -> [StyledText] {
    let layout = Layout(rows, look, rightAligned, indent)
    return rows.flatMap { layout.lines($0, titles: nil) }
  }

  /// The table as output.
  package static func aligned(
    _ rows: [[StyledText]], _ look: Presentation = .current, rightAligned: Set<Int> = []
  ) -> [UInt8] {
    bytes(lines(rows, look, rightAligned: rightAligned), look)
  }

  /// A table of text without roles.
  package static func aligned(_ rows: [[String]], _ look: Presentation = .current) -> [UInt8] {
    aligned(rows.map { $0.map { StyledText($0) } }, look)
  }

  /// Lines as output.
  package static func bytes(_ lines: [StyledText], _ look: Presentation) -> [UInt8] {
    let text = lines.map { $0.rendered(usesColor: look.usesColor) + "\n" }.joined()
    return Array((look.usesUnicode ? text : TextWidth.withoutTypography(text)).utf8)
  }

  /// Sentences as output: each line of `text` in lines that fit the terminal.
  package static func sentences(_ text: String, _ look: Presentation = .ofFixes) -> [UInt8] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return bytes(lines.flatMap { wrapped(StyledText(String($0)), within: look.width ?? .max) }, look)
  }

  /// The text in lines of at most `width` columns, wrapped between words; a word longer than a line is split.
  package static func wrapped(_ text: StyledText, within width: Int) -> [StyledText] {
    guard text.width > width else { return [text] }
    var (lines, line, room) = ([StyledText](), StyledText(), max(1, width))
    for (word, spaces) in words(of: text) {
      var word = word
      let gap = line.isEmpty ? 0 : spaces
      if gap + word.width <= room {
        line += StyledText(String(repeating: " ", count: gap)) + word
        room -= gap + word.width
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while word.width > max(1, width) {
        let head = TextWidth.prefix(of: word.text, columns: max(1, width))
        // A wide character does not fit into one column.
        guard !head.isEmpty else { break }
        lines.append(StyledText(head, word.parts[0].role))
        word = StyledText(String(word.text.unicodeScalars.dropFirst(head.unicodeScalars.count)), word.parts[0].role)
      }
      (line, room) = (word, max(1, width) - word.width)
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// The words, each with the number of spaces before it.
  private static func words(of text: StyledText) -> [(word: StyledText, spaces: Int)] {
    var words: [(word: StyledText, spaces: Int)] = []
    var spaces = 0
    var isInside = false
    for part in text.parts {
      for piece in part.text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        if piece.offset > 0 {
          spaces += 1
          isInside = false
        }
        guard !piece.element.isEmpty else { continue }
        let word = StyledText(String(piece.element), part.role)
        if isInside { words[words.count - 1].word += word } else { words.append((word, spaces)) }
        (isInside, spaces) = (true, 0)
      }
    }
    return words
  }

  /// The widths of the columns of a table, and the number of columns that fit on one line.
  private struct Layout {
    private let widths: [Int]
    private let fitting: Int
    private let look: Presentation
    private let rightAligned: Set<Int>
    private let margin: StyledText
    /// The number of columns of the terminal to the right of the indentation; `nil`: no limit.
    private let room: Int?

    private static let narrowest = 20
    private static let continuation = 4

    init(_ rows: [[StyledText]], _ look: Presentation, _ rightAligned: Set<Int>, _ indent: Int) {
      let room = look.width.map { max($0 - indent, Self.narrowest) }
      let columns = rows.map(\.count).max() ?? 0
      let widths = (0..<columns).map { column in
        min(rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0, room ?? .max)
      }
      var (fitting, used) = (0, 0)
      for width in widths {
        used += width + (fitting == 0 ? 0 : 2)
        guard used <= room ?? .max || fitting == 0 else { break }
        fitting += 1
      }
      (self.widths, self.fitting, self.room) = (widths, fitting, room)
      (self.look, self.rightAligned) = (look, rightAligned)
      margin = StyledText(String(repeating: " ", count: indent))
    }

    func lines(_ row: [StyledText], titles: [StyledText]?) -> [StyledText] {
      guard fitting < row.count, let room else { return [first(row)] }
      let details = row.indices[fitting...].compactMap { column -> StyledText? in
        guard row[column].text != "-", !row[column].isEmpty else { return nil }
        let title = titles.map { StyledText.dim("\(Self.lowercased($0[column].text)) ") }
        return (title ?? StyledText()) + row[column]
      }
      guard !details.isEmpty else { return [first(row)] }
      let rest = Self.filled(details, within: room - Self.continuation)
      let deeper = margin + StyledText(String(repeating: " ", count: Self.continuation))
      return [first(row)] + rest.map { deeper + $0 }
    }

    /// The name of a column inside a line; the unit or the zone after it stays as it is: `from (CET)`.
    private static func lowercased(_ title: String) -> String {
      let name = title.prefix { $0 != "(" }
      return name.lowercased() + title.dropFirst(name.count)
    }

    /// Cells in lines: a line ends between two cells, and inside one only if the cell is wider than a line.
    private static func filled(_ cells: [StyledText], within width: Int) -> [StyledText] {
      var lines: [StyledText] = []
      for cell in cells {
        if let last = lines.last, last.width + 2 + cell.width <= width {
          lines[lines.count - 1] = last + "  " + cell
        } else {
          lines += TextTable.wrapped(cell, within: width)
        }
      }
      return lines
    }

    /// The cells that fit on one line. The last one is not padded, so that no line ends with spaces.
    func first(_ row: [StyledText]) -> StyledText {
      let shown = row.prefix(fitting).lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
      let cells = row.prefix(shown).enumerated().map { column, cell in
        let cell = cell.cut(to: widths[column], usesUnicode: look.usesUnicode)
        let blank = StyledText(String(repeating: " ", count: max(0, widths[column] - cell.width)))
        if rightAligned.contains(column) { return blank + cell }
        return column == shown - 1 ? cell : cell + blank
      }
      return margin + cells.joined(separator: "  ")
    }
  }
}
