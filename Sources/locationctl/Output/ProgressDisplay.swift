import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient

/// The line on a terminal's stderr that shows the progress to a waiting person; it is redrawn every second. Without
/// redrawing (`--plain`), a sentence is printed for each new stage.
final class ProgressDisplay {
  private let host: any ServiceAccess
  /// Whether a line is drawn, and redrawn.
  let isShown = Redrawing.isPossible
  /// Whether stderr is a terminal, on which somebody may read.
  private let isRead = Terminal.isTerminal(2)
  /// The stages already printed, if no line is drawn.
  private var announced: Set<String> = []
  private var stage: LocationProgress?
  /// The strongest signal of the latest satellite report, dB-Hz; `nil`: unknown.
  private var strongest: Int?
  private var elapsed: Duration = .zero
  private var isOver = false
  /// Whether an authorization prompt for this client is pending.
  private var isAsked = false
  /// Without redrawing, the pending prompt is reported only once.
  private var hasReportedPrompt = false
  private var hasNamedHolder = false
  /// The text before the stage, for a command that counts something.
  private let note: () -> String

  init(host: any ServiceAccess, note: @escaping () -> String) { (self.host, self.note) = (host, note) }

  func start() {
    guard isShown else { return }
    draw()
    tick()
  }

  /// Receives this client's authorization.
  func show(_ state: AuthorizationState) {
    let authorization = state.authorization
    isAsked = authorization.level == .notDetermined && authorization.isPending && authorization.canBeAnswered
    if isAsked, !isShown, !hasReportedPrompt {
      hasReportedPrompt = true
      Diagnostics.print("Waiting for permission: somebody is being asked to give you access to the location.")
    }
    draw()
  }

  /// Receives the stage of the request.
  ///
  /// - Parameter namesHolder: print once which process uses the port that the service waits for.
  func show(_ stage: LocationProgress, namesHolder: Bool) {
    if namesHolder, !hasNamedHolder, case .waitingForPort(let path) = stage {
      hasNamedHolder = true
      return Diagnostics.print(FailureMessage.waiting(for: path))
    }
    self.stage = stage
    draw()
  }

  /// Receives the satellites of a receiver that searches for its first fix.
  func show(_ report: SkyReport) {
    strongest = report.satellites?.compactMap(\.signalDecibelHertz).max()
    draw()
  }

  /// Erases the line until the next update, so that a result starts at the margin.
  func clear() {
    guard isShown, !isOver else { return }
    StandardError.write(Array("\r\u{1B}[K".utf8))
  }

  /// Erases the line permanently, before results and messages.
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
    let line =
      isAsked
      ? ProgressLine.asking(elapsed) : ProgressLine.text(stage, elapsed: elapsed, strongest: strongest, note: note())
    StandardError.write(Array("\r\(line)\u{1B}[K".utf8))
  }

  private func announce() {
    guard isRead, !isAsked, let stage else { return }
    let sentence = ProgressLine.announcement(stage)
    if announced.insert(sentence).inserted { Diagnostics.print(sentence) }
  }
}
