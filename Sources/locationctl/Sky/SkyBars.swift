import LocationIPC

/// The satellites' signals as bars, one below the other, in as many stacks side by side as are needed and fit.
struct SkyBars {
  /// The signal of a full bar, dB-Hz: stronger than any signal that a receiver observes.
  private static let strongest = 60
  /// The columns that are not part of the bar: the name, two spaces and two digits.
  private static let around = 7
  private static let shortestBar = 4
  private static let longestBar = 30
  private static let gap = 2

  let satellites: [SatelliteReport]

  /// The smallest width at which bars are shown.
  static let narrowest = around + shortestBar

  /// Draws the bars in a part of the canvas; returns the number of satellites whose bars did not fit.
  func draw(on canvas: inout SkyCanvas, column: Int, row: Int, columns: Int, rows: Int, usesUnicode: Bool) -> Int {
    guard rows > 0, !satellites.isEmpty else { return satellites.count }
    let widest = (columns + Self.gap) / (Self.around - 1 + Self.gap)
    let stacks = min(max(1, widest), (satellites.count + rows - 1) / rows)
    let width = (columns - Self.gap * (stacks - 1)) / stacks
    let bar = width - Self.around
    let shown = satellites.prefix(stacks * rows)
    for (index, satellite) in shown.enumerated() {
      let left = column + index / rows * (width + Self.gap)
      let line = row + index % rows
      canvas.put(satellite.shownName, column: left, row: line, satellite.paint)
      let signal = satellite.signalDecibelHertz
      let digits = signal.map { $0 < 10 ? " \($0)" : "\(min($0, 99))" } ?? " -"
      guard bar >= Self.shortestBar else {
        canvas.put(digits, column: left + 4, row: line)
        continue
      }
      let length = min(bar, Self.longestBar)
      let drawn = Self.bar(signal ?? 0, length: length, isUsed: satellite.isUsed != false, usesUnicode: usesUnicode)
      canvas.put(drawn, column: left + 4, row: line, satellite.paint)
      canvas.put(digits, column: left + 5 + length, row: line)
    }
    return satellites.count - shown.count
  }

  /// The bar is solid if the satellite is used. A solid bar is drawn in eighths of a character if the terminal has
  /// characters for that.
  private static func bar(_ signal: Int, length: Int, isUsed: Bool, usesUnicode: Bool) -> String {
    let eighths = min(signal, strongest) * length * 8 / strongest
    guard usesUnicode, isUsed else {
      // Every observed signal gets at least one character.
      let whole = signal > 0 ? max(1, (eighths + 4) / 8) : 0
      return String(repeating: usesUnicode ? "▒" : isUsed ? "#" : "-", count: whole)
    }
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + (signal > 0 && eighths == 0 ? "▏" : parts[eighths % 8])
  }
}
