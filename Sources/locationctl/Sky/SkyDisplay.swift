import Geodesy
import LinuxIO
import LocationIPC
import TrackFormats

/// The sky plot on the terminal of standard output. It is redrawn on every report, and otherwise once a second, so that
/// stale data is recognizable.
final class SkyDisplay {
  /// A receiver that has sent no report for this long is removed from the plot.
  private static let timeout: Duration = .seconds(60)

  private unowned let session: CommandSession
  private var screen = SkyScreen()
  private var skies: [(report: SkyReport, receivedAt: Instant)] = []
  private var history = FixHistory()

  /// The terminal's current capabilities; `nil` if it cannot be redrawn. A terminal that does not report its size is
  /// assumed to have 80 × 24 characters.
  static var style: SkyStyle? {
    let size = Terminal.size(1) ?? (80, 24)
    return SkyStyle(columns: size.columns, rows: size.rows, environment: ProcessEnvironment.value)
  }

  /// The session ends when the terminal can no longer be written to.
  init(_ session: CommandSession) {
    self.session = session
    session.onTerminalChange { [weak self] isResized in
      guard let self, !skies.isEmpty else { return }
      draw(over: isResized ? screen.clear() : forgotten())
    }
    tick()
  }

  func show(_ report: SkyReport) {
    let now = MonotonicClock.now()
    if let index = skies.firstIndex(where: { $0.report.device == report.device }) {
      skies[index] = (report, now)
    } else {
      skies.append((report, now))
    }
    draw()
  }

  /// Receives a fix, which is shown with the next report.
  func show(_ located: LocatedFix) { history.add(located, at: session.now) }

  private func forgotten() -> [UInt8] {
    screen.forget()
    return []
  }

  private func tick() {
    session.setTimer(after: .seconds(1)) { [weak self] in
      guard let self else { return }
      let now = MonotonicClock.now()
      if skies.contains(where: { now - $0.receivedAt > .seconds(1) }) { draw() }
      tick()
    }
  }

  private func draw(over background: [UInt8] = []) {
    guard !session.isOver, let style = Self.style else { return }
    let now = MonotonicClock.now()
    let last = skies.last
    skies.removeAll { now - $0.receivedAt > Self.timeout }
    // If all receivers are silent, keep the last one; the plot shows how long it has been silent.
    if skies.isEmpty, let last { skies = [last] }
    let lines = SkyScreen.lines(skies.map { ($0.report, now - $0.receivedAt) }, style, beside: history)
    guard let failure = Results.write(background + screen.frame(lines)) else { return }
    session.finish(failure)
  }
}
