import Geodesy
import LinuxIO
import LocationIPC
import TrackFormats

/// The panel of `watch` on the terminal of standard output. Until there is data to show, the terminal stays unchanged.
final class WatchDisplay {
  private unowned let session: CommandSession
  private let screen: FullScreen
  private let content = Content()

  /// The content of the screen; a separate object, so that the screen does not retain the display.
  private final class Content { var state = WatchPanelState() }

  init(_ session: CommandSession) {
    self.session = session
    screen = FullScreen(session) { [content, unowned session] columns, rows in
      let state = content.state
      let panel = WatchPanel(state, at: session.now, columns: columns, rows: rows, .current)
      return (panel.lines, state.showsAge)
    }
  }

  /// Whether the panel is on the screen.
  var isShown: Bool { screen.isShown }

  func show(_ located: LocatedFix) { show { $0.receive(located, at: session.now) } }
  func show(_ event: StreamEvent) { show { $0.receive(event, at: session.now) } }
  func show(_ report: SkyReport) { show { $0.receive(report, at: session.now) } }

  /// Shows the stage if the panel is on the screen; returns whether the panel is on the screen.
  func show(_ stage: LocationProgress) -> Bool {
    guard isShown else { return false }
    show { $0.receive(stage) }
    return true
  }

  private func show(_ change: (inout WatchPanelState) -> Void) {
    session.endProgress()
    change(&content.state)
    screen.redraw()
  }

  /// The last fix as a line, for the terminal after the panel has ended; and, if it was not the current position any more, the
  /// event that says so.
  var lastLines: [UInt8] {
    let state = content.state
    let fix = state.history.latest.map { TextFormat.line(LocatedFix($0.fix, age: nil), .current) } ?? []
    guard case .interrupted(let event, _) = state.stream else { return fix }
    return fix + StreamWriter(.format(.text), .current).line(event)
  }
}

extension WatchPanelState {
  /// Whether the panel contains an age.
  fileprivate var showsAge: Bool {
    if case .waiting = stream { return false }
    return true
  }
}
