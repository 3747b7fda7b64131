import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost

/// The one line on a terminal's stderr that shows the progress to a waiting person, redrawn every second. Without redrawing
/// (`--plain`), prints a sentence for each new stage.
final class ProgressDisplay {
  private let host: any ServiceAccess
  /// Whether a line is drawn, and whether stderr is a terminal at all.
  private let isShown = Redrawing.isPossible
  private let isRead = Terminal.isTerminal(2)
  /// The stages already printed, if no line is drawn.
  private var announced: Set<String> = []
  private var state: LocationProgress?
  private var elapsed: Duration = .zero
  private var isOver = false
  /// Whether an authorization prompt for this client is pending.
  private var isAsked = false
  /// Without redrawing, the pending prompt is reported only once.
  private var hasSaidSo = false
  private static let authorization = RequestID(2_000_000)
  /// The text before the state, for a command that counts something.
  var note: () -> String = { "" }

  init(host: any ServiceAccess) { self.host = host }

  /// Starts drawing.
  func start() {
    guard isShown else { return }
    draw()
    tick()
  }

  /// Starts to show whether an authorization prompt is pending. Call it after sending the request, because the request is what
  /// causes the prompt.
  func watchAuthorization() {
    // A service hosted in this process has no authorization prompts.
    guard host is RemoteHost else { return }
    host.send(.authorization(Self.authorization, .watch))
  }

  /// Receives the authorization events.
  func hear(_ event: ServiceEvent) {
    guard case .authorization(Self.authorization, .state(let state)) = event else { return }
    let authorization = state.authorization
    isAsked = authorization.level == .notDetermined && authorization.isPending && authorization.canBeAnswered
    if isAsked, !isShown, !hasSaidSo {
      hasSaidSo = true
      Diagnostics.print("Waiting for permission: somebody is being asked to give you access to the location.")
    }
    draw()
  }

  func show(_ progress: LocationProgress) {
    state = progress
    draw()
  }

  /// Erases the line until the next update, so that a result starts at the margin.
  func clear() {
    guard isShown, !isOver else { return }
    StandardError.write(Array("\r\u{1B}[K".utf8))
  }

  /// Erases the line for good before results and messages.
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
    if announced.insert(sentence).inserted { Diagnostics.print(sentence) }
  }
}
