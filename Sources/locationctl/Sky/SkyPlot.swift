package import LocationIPC

/// One receiver's sky drawn for a terminal: a headline, the sky if it fits, and the signals.
package struct SkyPlot: Sendable {
  /// Below this size, only the headline fits: a terminal of 40 × 10, whose last line is for the cursor.
  package static let smallestColumns = 40
  package static let smallestRows = 9

  private let report: SkyReport
  private let silence: Duration

  /// The fixes of the receiver, whose values are shown above the signals.
  private let history: FixHistory

  /// - Parameter silence: the time since the report was received.
  package init(_ report: SkyReport, silence: Duration = .zero, beside history: FixHistory = FixHistory()) {
    self.report = report
    self.silence = silence
    self.history = history
  }

  /// At most `rows` lines of at most `columns` characters, not counting color sequences.
  package func lines(_ style: SkyStyle) -> [String] {
    var canvas = SkyCanvas(columns: style.columns, rows: style.rows)
    let headline = headline(style)
    for (index, line) in headline.enumerated() { canvas.put(line, column: 0, row: index, .bold) }
    let top = headline.count
    guard style.columns >= Self.smallestColumns, style.rows >= Self.smallestRows else {
      return Array(canvas.lines(usesColor: style.usesColor).prefix(top))
    }
    let satellites = report.satellites ?? []
    // The last line is for the legend.
    let rows = style.rows - top - 1
    let radius = min((rows - 1) / 2, (style.columns - SkyBars.narrowest - 2 - 3) / 4, SkyDisk.largestRadius)
    var left = 0
    var undrawn = 0
    if radius >= SkyDisk.smallestRadius {
      let disk = SkyDisk(radius: radius)
      undrawn = disk.draw(satellites, on: &canvas, row: top, usesUnicode: style.usesUnicode)
      left = disk.columns + 2
    }
    let numbers = numbers(style, columns: style.columns - left, rows: rows)
    for (index, line) in numbers.enumerated() { canvas.put(line, column: left, row: top + index) }
    let unlisted = SkyBars(satellites: satellites).draw(
      on: &canvas, column: left, row: top + numbers.count, columns: style.columns - left, rows: rows - numbers.count,
      usesUnicode: style.usesUnicode)
    if satellites.isEmpty {
      canvas.put(report.satellites == nil ? "not listed yet" : "none in view", column: left, row: top)
    }
    canvas.put(
      legend(satellites, undrawn: undrawn, unlisted: unlisted, columns: style.columns), column: 0, row: style.rows - 1,
      .faint)
    return canvas.lines(usesColor: style.usesColor)
  }

  /// Position, height, speed and course above the signals, if they fit there; and an empty line.
  private func numbers(_ style: SkyStyle, columns: Int, rows: Int) -> [StyledText] {
    guard columns >= 34, rows >= 16 else { return [] }
    let look = Presentation(
      usesColor: style.usesColor, usesUnicode: style.usesUnicode, width: nil, showsLocalTime: true)
    let fields = FixFields(history: history, report: nil, look: look, columns: columns - Self.label)
    var position = fields.position
    // The locator is shown after the radius, so that it takes no line from the signals.
    if let last = position.indices.last, let grid = fields.grid.first {
      let line = position[last].value + .dim("  grid ") + grid.value
      if line.width <= columns - Self.label { position[last].value = line }
    }
    let shown = position + fields.altitude + fields.speed.prefix(1) + fields.course + fields.climb
    let lines = shown.map { field in
      StyledText.dim(field.label).padded(to: Self.label)
        + field.value.cut(to: columns - Self.label, usesUnicode: style.usesUnicode)
    }
    return lines.isEmpty ? [] : lines + [""]
  }

  /// The columns of the labels.
  private static let label = 10

  /// One line, or two if the parts do not fit on one; parts that do not fit on two are omitted.
  private func headline(_ style: SkyStyle) -> [String] {
    var lines: [String] = []
    let look = Presentation(usesColor: false, usesUnicode: false, width: nil, showsLocalTime: true)
    for part in SkyHeadline(report, silence: silence).parts(isNarrow: style.columns < 60, look) {
      if let last = lines.last, last.utf8.count + 2 + part.utf8.count <= style.columns {
        lines[lines.count - 1] += "  \(part)"
      } else if lines.count < min(2, style.rows) {
        lines.append(String(part.prefix(style.columns)))
      }
    }
    return lines
  }

  /// The number of satellites that are not shown, and the meanings of the letters; parts that do not fit are omitted.
  private func legend(_ satellites: [SatelliteReport], undrawn: Int, unlisted: Int, columns: Int) -> String {
    var parts: [String] = []
    if unlisted > 0 { parts.append("\(unlisted) more") }
    if undrawn > 0 { parts.append("\(undrawn) not shown: the window is too small") }
    if satellites.contains(where: { $0.isUsed == false }) { parts.append("small: not used") }
    let present = Set(satellites.map(\.constellation))
    parts += SatelliteConstellation.allCases.filter(present.contains).map { "\($0.letter) \($0.title)" }
    return parts.reduce("") { text, part in
      if text.isEmpty { return part }
      return text.utf8.count + 2 + part.utf8.count <= columns ? "\(text)  \(part)" : text
    }
  }
}
