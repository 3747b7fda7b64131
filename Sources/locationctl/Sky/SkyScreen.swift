import Geodesy
package import LocationIPC
import TrackFormats

/// The plots of all receivers on a terminal, one below the other, and the bytes that draw them over the previous ones.
package struct SkyScreen: Sendable {
  /// The number of lines of the plot on the screen, above the cursor.
  private var linesShown = 0

  package init() {}

  /// The plot of each receiver's last report and its age; the last line of the screen stays free for the cursor.
  ///
  /// - Parameter history: the fixes; their values are shown in the plot of the receiver from which they come.
  package static func lines(
    _ skies: [(report: SkyReport, silence: Duration)], _ style: SkyStyle, beside history: FixHistory = FixHistory()
  ) -> [String] {
    let rows = max(1, style.rows - 1)
    var shown = min(skies.count, max(1, rows / SkyPlot.smallestRows))
    // One line shows the number of receivers that do not fit.
    if shown < skies.count, shown > 1, (rows - 1) / shown < SkyPlot.smallestRows { shown -= 1 }
    let isCounted = shown < skies.count && rows > 1
    guard shown > 0 else { return [] }
    var share = style
    share.rows = (rows - (isCounted ? 1 : 0)) / shown
    var lines = skies.prefix(shown).flatMap { sky -> [String] in
      let isSource = history.latest.map { $0.fix.device == sky.report.device } ?? false
      return SkyPlot(sky.report, silence: sky.silence, beside: isSource ? history : FixHistory()).lines(share)
    }
    if isCounted {
      let count = skies.count - shown
      lines.append(
        String("and \(count) more receiver\(count == 1 ? "" : "s"): the window is too small".prefix(style.columns)))
    }
    return lines
  }

  /// The bytes that draw `lines` over the previous plot. The cursor stays on the line below and is never hidden, so
  /// that nothing has to be restored, however the program ends.
  package mutating func frame(_ lines: [String]) -> [UInt8] {
    var text = linesShown > 0 ? "\r\u{1B}[\(linesShown)A" : "\r"
    for line in lines { text += "\(line)\u{1B}[K\r\n" }
    text += "\u{1B}[J"
    linesShown = lines.count
    return Array(text.utf8)
  }

  /// The bytes that start a plot on an empty screen, for a terminal whose size has changed: the position of the
  /// previous plot's lines is then unknown.
  package mutating func clear() -> [UInt8] {
    linesShown = 0
    return Array("\u{1B}[H\u{1B}[2J".utf8)
  }

  /// To be called if the previous plot is no longer directly above the cursor; the next plot begins at the cursor.
  package mutating func forget() { linesShown = 0 }
}
