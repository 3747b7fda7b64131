import LinuxIO
import LocationPolicy

/// Shows authorization prompts on a terminal, one after the other, and reads the answers, which are letters.
final class TerminalPrompt: PromptInterface {
  private let loop: EventLoop
  private let isTerminal = LinuxIO.Terminal.isTerminal(2)
  /// Whether a prompt can be erased.
  private let draws = Redrawing.isPossible
  private var interview = PromptDialog()
  private var lines = InputLines()
  private var watch: WatchID?
  private weak var agent: AuthorizationAgent?
  /// The number of terminal rows that the open prompt uses.
  private var rows = 0

  init(_ loop: EventLoop) { self.loop = loop }

  func start(for agent: AuthorizationAgent) {
    self.agent = agent
    do throws(SystemError) {
      watch = try loop.watch(StandardInput.descriptor) { [unowned self] _ in receive() }
    } catch {
      Diagnostics.print("The standard input is closed: run this command on a terminal, or with --notify on a desktop.")
      return agent.end(.noSource)
    }
    if isTerminal {
      write("Permission requests appear here. To answer, type a letter and press Enter. Press Ctrl-C to end.\n")
    }
    rows = 0
  }

  func show(_ question: LocationPolicy.AuthorizationPrompt) { handle(.asked(question)) }
  func withdraw(_ number: PromptNumber) { handle(.withdrawn(number)) }
  func showRefusal(_ sentence: String) { write("\(sentence)\n") }

  func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if isTerminal { write("\n") }
  }

  // MARK: -

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 1024)
    switch StandardInput.read(into: &buffer) {
    case .bytes(let count):
      for line in lines.push(buffer[..<count]) {
        rows += 1
        // Lines that follow an answer were typed before the next prompt was shown; they are ignored.
        guard !handle(.lineEntered(line)) else { break }
      }
    case .wouldBlock: break
    // The terminal was closed.
    case .endOfFile, .failed: agent?.end(.done)
    }
  }

  /// Handles an input; returns whether another prompt was shown.
  @discardableResult
  private func handle(_ input: PromptDialog.Input) -> Bool {
    var hasPut = false
    for action in interview.handle(input) {
      switch action {
      case .put(let question):
        // Discard input that was typed before the prompt was shown.
        lines.drop()
        StandardInput.dropTyped()
        hasPut = true
        rows = 0
        let text = PromptText(question)
        let claims = text.claims.map { "  \($0)\n" }.joined()
        write("\(text.headline)\n\(claims)  \(text.choices)\n> ")
      case .putAccuracy(let question), .repeatAccuracy(let question): write("  \(PromptText(question).accuracy)\n> ")
      case .repeatChoices(let question): write("  \(PromptText(question).choices)\n> ")
      case .answer(let number, let answer): agent?.send(answer, to: number)
      case .takeAway: erase()
      }
    }
    return hasPut
  }

  private func write(_ text: String) {
    let columns = max(1, Terminal.size(2)?.columns ?? 80)
    // The last line has no line end yet; what the user types appears there.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      rows += max(1, (line.count + columns - 1) / columns)
    }
    StandardError.write(Array(text.utf8))
  }

  /// Erases a prompt that was answered elsewhere or withdrawn.
  private func erase() {
    guard draws else { return write("This request was answered elsewhere or withdrawn.\n") }
    StandardError.write(Array("\r\(rows > 0 ? "\u{1B}[\(rows)A" : "")\u{1B}[J".utf8))
    rows = 0
  }
}
