import LocationIPC

/// A grid of characters, each one column wide, that is drawn on and then written line by line.
struct SkyCanvas {
  /// The style of a character on a terminal with colors.
  enum Paint: Hashable {
    case role(TextRole)
    case satellite(SatelliteConstellation, isUsed: Bool)

    static let plain = Paint.role(.plain)
    static let faint = Paint.role(.dim)
    static let bold = Paint.role(.heading)
  }

  private struct Cell {
    var scalar: Unicode.Scalar = " "
    var paint = Paint.plain
  }

  let columns: Int
  let rows: Int
  private var cells: [Cell]

  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  /// Writes a text from a position on; the part that exceeds the line or the canvas is cut off.
  mutating func put(_ text: String, column: Int, row: Int, _ paint: Paint = .plain) {
    guard (0..<rows).contains(row) else { return }
    for (offset, scalar) in text.unicodeScalars.enumerated() where (0..<columns).contains(column + offset) {
      cells[row * columns + column + offset] = Cell(scalar: scalar, paint: paint)
    }
  }

  /// Writes a text whose parts have roles.
  mutating func put(_ text: StyledText, column: Int, row: Int) {
    var column = column
    for part in text.parts {
      put(part.text, column: column, row: row, .role(part.role))
      column += part.text.unicodeScalars.count
    }
  }

  /// The lines, none wider than the canvas and without trailing spaces.
  func lines(usesColor: Bool) -> [String] {
    (0..<rows).map { row in
      let line = cells[row * columns..<(row + 1) * columns]
      let end = line.lastIndex { $0.scalar != " " }.map { $0 + 1 } ?? line.startIndex
      return Self.text(line[..<end], usesColor: usesColor)
    }
  }

  private static func text(_ cells: ArraySlice<Cell>, usesColor: Bool) -> String {
    var text = String.UnicodeScalarView()
    var paint = Paint.plain
    for cell in cells {
      // A space looks the same in every style.
      if usesColor, cell.paint != paint, cell.scalar != " " {
        text += "\u{1B}[\(cell.paint.codes)m".unicodeScalars
        paint = cell.paint
      }
      text.append(cell.scalar)
    }
    if paint != .plain { text += "\u{1B}[0m".unicodeScalars }
    return String(text)
  }
}

extension SkyCanvas.Paint {
  /// The SGR parameters; each sequence begins with a reset.
  fileprivate var codes: String {
    switch self {
    case .role(let role): role.codes
    case .satellite(let constellation, let isUsed): "0;\(isUsed ? "1;" : "")\(Self.color(constellation))"
    }
  }

  private static func color(_ constellation: SatelliteConstellation) -> Int {
    switch constellation {
    case .gps: 32
    case .glonass: 31
    case .galileo: 34
    case .beidou: 33
    case .qzss: 36
    case .navic: 35
    case .sbas, .imes: 37
    }
  }
}
