import FoundationEssentials
import LinuxIO
import LocationIPC
import LocationdClient

/// The sky plot on standard output's terminal, redrawn on every report and once a second otherwise, so that stale data is
/// recognizable.
final class SkyDisplay {
  /// A receiver that has sent no report for this long is removed from the plot.
  private static let patience: Duration = .seconds(60)

  private let host: any ServiceAccess
  private let environment: [String: String]
  /// Called with the exit status when the terminal cannot be written to any more.
  private let onFailure: (CommandStatus) -> Void
  private var screen = SkyScreen()
  private var skies: [(report: SkyReport, heardAt: ContinuousClock.Instant)] = []
  private var isOver = false

  /// The terminal's present capabilities; `nil` if it cannot be redrawn. A terminal that does not report its size gets the usual
  /// one.
  static func style(_ environment: [String: String]) -> SkyStyle? {
    let size = Terminal.size(1) ?? (80, 24)
    return SkyStyle(columns: size.columns, rows: size.rows, environment: environment)
  }

  init(host: any ServiceAccess, environment: [String: String], onFailure: @escaping (CommandStatus) -> Void) {
    self.host = host
    self.environment = environment
    self.onFailure = onFailure
    host.onTerminalChange { [weak self] isResized in
      guard let self, !skies.isEmpty else { return }
      draw(over: isResized ? screen.clear() : forgotten())
    }
    tick()
  }

  func show(_ report: SkyReport) {
    let now = ContinuousClock.now
    if let index = skies.firstIndex(where: { $0.report.device == report.device }) {
      skies[index] = (report, now)
    } else {
      skies.append((report, now))
    }
    draw()
  }

  private func forgotten() -> [UInt8] {
    screen.forget()
    return []
  }

  private func tick() {
    host.setTimer(after: .seconds(1)) { [weak self] in
      guard let self, !isOver else { return }
      let now = ContinuousClock.now
      if skies.contains(where: { now - $0.heardAt > .seconds(1) }) { draw() }
      tick()
    }
  }

  private func draw(over background: [UInt8] = []) {
    guard !isOver, let style = Self.style(environment) else { return }
    let now = ContinuousClock.now
    let last = skies.last
    skies.removeAll { now - $0.heardAt > Self.patience }
    // If all receivers are silent, keep the last one; the plot shows for how long it has been silent.
    if skies.isEmpty, let last { skies = [last] }
    let lines = SkyScreen.lines(skies.map { ($0.report, now - $0.heardAt) }, style)
    guard let failure = Results.write(background + screen.frame(lines)) else { return }
    isOver = true
    onFailure(failure)
  }
}
