package import LocationIPC

/// A terminal's picture of all receivers' skies, one below the other, and the bytes that put it in the place of the one before.
package struct SkyScreen: Sendable {
  /// Lines of the picture on the screen, above the cursor.
  private var linesShown = 0

  package init() {}

  /// The picture of what each receiver said last, and how long ago; the screen's last line stays free for the cursor.
  package static func lines(_ skies: [(report: SkyReport, silence: Duration)], _ style: SkyStyle) -> [String] {
    let rows = max(1, style.rows - 1)
    var shown = min(skies.count, max(1, rows / SkyPlot.smallestRows))
    // Those that are left out are counted in a line of their own.
    if shown < skies.count, shown > 1, (rows - 1) / shown < SkyPlot.smallestRows { shown -= 1 }
    let isCounted = shown < skies.count && rows > 1
    guard shown > 0 else { return [] }
    var share = style
    share.rows = (rows - (isCounted ? 1 : 0)) / shown
    var lines = skies.prefix(shown).flatMap { SkyPlot($0.report, silence: $0.silence).lines(share) }
    if isCounted {
      let count = skies.count - shown
      lines.append(
        String("and \(count) more receiver\(count == 1 ? "" : "s"): the window is too small".prefix(style.columns)))
    }
    return lines
  }

  /// What draws `lines` where the picture before was. The cursor is left on the line below, and never hidden: however the
  /// program ends, there is nothing to put right.
  package mutating func frame(_ lines: [String]) -> [UInt8] {
    var text = linesShown > 0 ? "\r\u{1B}[\(linesShown)A" : "\r"
    for line in lines { text += "\(line)\u{1B}[K\r\n" }
    text += "\u{1B}[J"
    linesShown = lines.count
    return Array(text.utf8)
  }

  /// What begins a picture on an empty screen: nobody knows where the lines of the one before are by now.
  package mutating func clear() -> [UInt8] {
    linesShown = 0
    return Array("\u{1B}[H\u{1B}[2J".utf8)
  }

  /// The picture before is not above the cursor any more; the next begins at the cursor.
  package mutating func forget() { linesShown = 0 }
}
