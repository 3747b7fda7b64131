package import Geodesy
import LocationIPC
import TrackFormats

/// The panel of `watch` as lines: a headline, the values, the sky beside them if it fits, and the latest events.
package struct WatchPanel: Sendable {
  private let state: WatchPanelState
  private let now: Instant
  private let look: Presentation
  private let columns: Int
  private let rows: Int

  /// The columns of the labels.
  private static let label = 11
  /// The columns of the values beside the sky.
  private static let numbers = 43
  private static let largestSky = 10
  /// The lines above the middle part: the headline and an empty line.
  private static let top = 2
  /// Below this number of rows, there is no empty line below the headline, and no last line.
  private static let fewRows = 12

  /// - Parameter look: how the text is printed; its width does not matter.
  package init(_ state: WatchPanelState, at now: Instant, columns: Int, rows: Int, _ look: Presentation) {
    (self.state, self.now, self.look) = (state, now, look)
    (self.columns, self.rows) = (max(1, columns), max(1, rows))
  }

  /// At most `rows` lines of at most `columns` characters, not counting color sequences.
  package var lines: [String] {
    var canvas = SkyCanvas(columns: columns, rows: rows)
    putHeadline(on: &canvas)
    let isSmall = rows < Self.fewRows
    let first = isSmall ? 1 : Self.top
    let room = max(0, rows - first - (isSmall ? 0 : 2))
    let left = putSky(on: &canvas, row: first, rows: room)
    putNumbers(on: &canvas, row: first, rows: room, columns: left)
    if !isSmall { putLastLine(on: &canvas) }
    return canvas.lines(usesColor: look.usesColor)
  }

  // MARK: - Headline

  private func putHeadline(on canvas: inout SkyCanvas) {
    let clock = state.history.latest.flatMap { TimeText.seconds($0.fix.time, look) } ?? ""
    let title = headline
    canvas.put(title, column: 0, row: 0)
    if title.width + clock.count + 2 <= columns {
      canvas.put(StyledText.dim(clock), column: columns - clock.count, row: 0)
    }
  }

  private var headline: StyledText {
    switch state.stream {
    case .waiting(let progress):
      let stage = progress.map { ProgressLine.stage($0) } ?? "waiting for the first fix"
      return .warning(look.hollowDot) + .heading(" No fix yet") + .dim("   \(stage)")
    case .interrupted(let event, let since):
      return StyledText(look.dot, event.role) + StyledText.heading(" \(event.title)")
        + "   for \(Self.text(now - since))"
    case .running:
      guard let located = state.history.latest, let age = state.history.age(at: now) else { return StyledText() }
      let role: TextRole = located.fix.qualityFlag != nil ? .bad : age > Self.fresh ? .warning : .good
      return StyledText(look.dot, role) + .heading(" \(located.fix.kind.title)") + "   "
        + StyledText(
          TextFormat.radius(located.fix.horizontalRadius68.value, look), TextFormat.role(ofRadius: located.fix))
        + StyledText("   \(Self.text(age)) ago", age > Self.fresh ? .warning : .plain)
    }
  }

  /// The age from which a fix counts as old: receivers usually send one fix per second.
  private static let fresh: Duration = .seconds(5)

  /// `0.3 s`, `12 s`, `3 min`.
  private static func text(_ duration: Duration) -> String {
    let seconds = max(0, duration.inSeconds)
    guard seconds < 9.95 else { return StatusTable.time(duration) }
    return "\(FixedDecimal.text(seconds, decimals: 1) ?? "?") s"
  }

  // MARK: - Sky

  /// Draws the sky, and the signals if they fit; returns the number of columns that remain for the values.
  private func putSky(on canvas: inout SkyCanvas, row: Int, rows: Int) -> Int {
    guard let report = state.report(at: now), let satellites = report.satellites else { return columns }
    let radius = min((rows - 2) / 2, (columns - Self.numbers - 3) / 4, Self.largestSky)
    guard radius >= SkyDisk.smallestRadius else { return columns }
    let disk = SkyDisk(radius: radius)
    let forBars = columns - Self.numbers - 1 - disk.columns - 2
    let hasBars = forBars >= Self.fewestBarColumns
    let column = hasBars ? Self.numbers + 1 : columns - disk.columns
    _ = disk.draw(satellites, on: &canvas, column: column, row: row, usesUnicode: look.usesUnicode)
    if hasBars {
      _ = SkyBars(satellites: satellites).draw(
        on: &canvas, column: columns - forBars, row: row, columns: forBars, rows: disk.rows,
        usesUnicode: look.usesUnicode)
    }
    putLegend(satellites, on: &canvas, column: column, row: row + disk.rows)
    return column - 1
  }

  private static let fewestBarColumns = 24

  /// The letters of the systems, in their colors.
  private func putLegend(_ satellites: [SatelliteReport], on canvas: inout SkyCanvas, column: Int, row: Int) {
    var (next, row) = (column, row)
    let present = Set(satellites.map(\.constellation))
    for constellation in SatelliteConstellation.allCases where present.contains(constellation) {
      let length = constellation.title.count + 2
      if next > column, next + length > columns { (next, row) = (column, row + 1) }
      canvas.put(constellation.letter, column: next, row: row, .satellite(constellation, isUsed: true))
      canvas.put(constellation.title, column: next + 2, row: row, .faint)
      next += length + 2
    }
  }

  // MARK: - Numbers and events

  private func putNumbers(on canvas: inout SkyCanvas, row: Int, rows: Int, columns: Int) {
    let label = columns < Self.numbers - 8 ? 9 : Self.label
    let value = max(1, columns - label)
    let report = state.report(at: now)
    let values = FixFields(history: state.history, report: report, look: look, columns: value)
    var fields = state.isInterrupted ? values.past : values.all
    while fields.count > rows, let last = fields.indices.max(by: { fields[$0].rank < fields[$1].rank }) {
      fields.remove(at: last)
    }
    for (index, field) in fields.enumerated() {
      canvas.put(StyledText.dim(String(field.label.prefix(label - 1))), column: 0, row: row + index)
      let shown = state.isInterrupted ? StyledText.dim(field.value.text) : field.value
      canvas.put(shown.cut(to: value, usesUnicode: look.usesUnicode), column: label, row: row + index)
    }
    putEvents(on: &canvas, row: row + fields.count + 1, rows: rows - fields.count - 1, columns: columns)
  }

  private func putEvents(on canvas: inout SkyCanvas, row: Int, rows: Int, columns: Int) {
    guard rows >= 2, !state.events.isEmpty else { return }
    canvas.put(StyledText.heading("Events"), column: 0, row: row)
    for (index, event) in state.events.suffix(rows - 1).reversed().enumerated() {
      let time = event.time.flatMap { TimeText.seconds($0, look) } ?? "--:--:--"
      let line = StyledText.dim(time) + "  " + StyledText(event.text, event.role)
      canvas.put(line.cut(to: columns, usesUnicode: look.usesUnicode), column: 0, row: row + 1 + index)
    }
  }

  private func putLastLine(on canvas: inout SkyCanvas) {
    canvas.put(StyledText.dim("q: quit   Ctrl-Z: suspend"), column: 0, row: rows - 1)
  }
}

extension FixKind {
  /// The kind of a fix as the beginning of a line.
  fileprivate var title: String {
    switch self {
    case .estimated: "Estimated"
    case .twoDimensional: "2D fix"
    case .threeDimensional: "3D fix"
    case .differential: "Differential fix"
    case .rtkFloat: "RTK float"
    case .rtkFixed: "RTK fixed"
    }
  }
}

extension StreamEvent {
  /// The event as the beginning of a line.
  fileprivate var title: String { text.prefix(1).uppercased() + text.dropFirst() }
}
