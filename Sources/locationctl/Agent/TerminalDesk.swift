import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService

/// Shows authorization prompts on a terminal, one after the other, and reads the answers, which are letters.
final class TerminalDesk: AgentRun.Desk {
  private let loop: EventLoop
  private let isTerminal = LinuxIO.Terminal.isTerminal(2)
  /// Whether a prompt can be erased.
  private let draws = Redrawing.isPossible
  private var interview = Interview()
  private var lines = InputLines()
  private var watch: WatchID?
  private var answer: (QuestionNumber, Answer) -> Void = { _, _ in }
  private var end: (CommandStatus) -> Void = { _ in }
  /// The number of terminal rows that the open prompt uses.
  private var rows = 0

  init(_ loop: EventLoop) { self.loop = loop }

  func begin(answer: @escaping (QuestionNumber, Answer) -> Void, end: @escaping (CommandStatus) -> Void) {
    self.answer = answer
    self.end = end
    do throws(SystemError) {
      watch = try loop.watch(StandardInput.descriptor) { [unowned self] _ in hear() }
    } catch {
      Diagnostics.print("The standard input is closed: run this command on a terminal, or with --notify on a desktop.")
      return end(.noSource)
    }
    if isTerminal { show("Permission requests appear here. Press Ctrl-C to end.\n") }
    rows = 0
  }

  func ask(_ question: LocationPolicy.Question) { feed(.asked(question)) }
  func withdraw(_ number: QuestionNumber) { feed(.withdrawn(number)) }
  func refuse(_ sentence: String) { show("\(sentence)\n") }

  func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if isTerminal { show("\n") }
  }

  // MARK: -

  private func hear() {
    var buffer = [UInt8](repeating: 0, count: 1024)
    switch StandardInput.read(into: &buffer) {
    case .bytes(let count):
      for line in lines.push(buffer[..<count]) {
        rows += 1
        // Lines typed after an answer were typed before the next prompt was shown, so ignore them.
        guard !feed(.said(line)) else { break }
      }
    case .wouldBlock: break
    // The terminal was closed.
    case .endOfFile, .failed: end(.done)
    }
  }

  /// Whether another prompt was shown.
  @discardableResult
  private func feed(_ input: Interview.Input) -> Bool {
    var hasPut = false
    for action in interview.handle(input) {
      switch action {
      case .put(let question):
        // Discard input that was typed before the prompt was shown.
        lines.drop()
        StandardInput.dropTyped()
        hasPut = true
        rows = 0
        let text = QuestionText(question)
        let claims = text.claims.map { "  \($0)\n" }.joined()
        show("\(text.headline)\n\(claims)  \(text.choices)\n> ")
      case .putAccuracy(let question), .repeatAccuracy(let question): show("  \(QuestionText(question).accuracy)\n> ")
      case .repeatChoices(let question): show("  \(QuestionText(question).choices)\n> ")
      case .answer(let number, let answer): self.answer(number, answer)
      case .takeAway: takeAway()
      }
    }
    return hasPut
  }

  private func show(_ text: String) {
    let columns = max(1, Terminal.size(2)?.columns ?? 80)
    // The last line has no line end yet; what the user types appears there.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      rows += max(1, (line.count + columns - 1) / columns)
    }
    StandardError.write(Array(text.utf8))
  }

  /// The prompt was answered elsewhere or withdrawn.
  private func takeAway() {
    guard draws else { return show("This request was answered elsewhere or withdrawn.\n") }
    StandardError.write(Array("\r\(rows > 0 ? "\u{1B}[\(rows)A" : "")\u{1B}[J".utf8))
    rows = 0
  }
}
