import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost

/// The one line on a terminal's stderr that shows a waiting person the progress; redrawn every second. Without redrawing (`--plain`), a
/// sentence when something new begins.
final class ProgressDisplay {
  private let host: any ServiceAccess
  /// Whether a line is drawn, and whether a person reads at all.
  private let isShown = Redrawing.isPossible
  private let isRead = Terminal.isTerminal(2)
  /// What was announced where no line is drawn.
  private var announced: Set<String> = []
  private var state: LocationProgress?
  private var elapsed: Duration = .zero
  private var isOver = false
  /// Whether somebody is asked whether this client may know.
  private var isAsked = false
  /// Where no line is drawn it is said once.
  private var hasSaidSo = false
  private static let authorization = RequestID(2_000_000)
  /// What is told before the state, where a command has something to count.
  var note: () -> String = { "" }

  init(host: any ServiceAccess) { self.host = host }

  /// Draws from now on.
  func start() {
    guard isShown else { return }
    draw()
    tick()
  }

  /// Shows from now on while somebody is asked whether this client may know; that is asked after the request itself, which makes the
  /// question.
  func watchAuthorization() {
    // A service of this process asks nobody.
    guard host is RemoteHost else { return }
    host.send(.authorization(Self.authorization, .watch))
  }

  /// Takes what concerns it.
  func hear(_ event: ServiceEvent) {
    guard case .authorization(Self.authorization, .state(let state)) = event else { return }
    let authorization = state.authorization
    isAsked = authorization.level == .notDetermined && authorization.isPending && authorization.canBeAnswered
    if isAsked, !isShown, !hasSaidSo {
      hasSaidSo = true
      Diagnostics.say("Waiting for permission: somebody is being asked to give you access to the location.")
    }
    draw()
  }

  func show(_ progress: LocationProgress) {
    state = progress
    draw()
  }

  /// Takes the line away until it is next drawn, so that a result starts at the margin.
  func clear() {
    guard isShown, !isOver else { return }
    StandardError.write(Array("\r\u{1B}[K".utf8))
  }

  /// Takes the line away for good: results and sentences stand alone.
  func end() {
    guard !isOver else { return }
    clear()
    isOver = true
  }

  private func tick() {
    host.setTimer(after: .seconds(1)) { [weak self] in
      guard let self, !isOver else { return }
      elapsed += .seconds(1)
      draw()
      tick()
    }
  }

  private func draw() {
    guard !isOver else { return }
    guard isShown else { return announce() }
    let line = isAsked ? ProgressLine.asking(elapsed) : ProgressLine.text(state, elapsed: elapsed, note: note())
    StandardError.write(Array("\r\(line)\u{1B}[K".utf8))
  }

  private func announce() {
    guard isRead, !isAsked, let state else { return }
    let sentence = ProgressLine.announcement(state)
    if announced.insert(sentence).inserted { Diagnostics.say(sentence) }
  }
}
