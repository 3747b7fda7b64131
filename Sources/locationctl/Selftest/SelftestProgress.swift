import Geodesy
import LinuxIO

/// The progress bar of the self-test on a terminal's stderr. Without redrawing (`--plain`), a sentence is printed for
/// each step.
final class SelftestProgress {
  private static let width = 30

  /// The count that the current step displays, as text.
  var note = ""

  private let total: Duration
  private let isShown = Redrawing.isPossible
  private let isRead = Terminal.isTerminal(2)
  /// The expected total time of the steps before the current one.
  private var done = Duration.zero
  private var step = (name: "", expected: Duration.zero)
  private var elapsed = Duration.zero
  private var isOver = false

  init(total: Duration) { self.total = total }

  /// Begins a step that is expected to take `expected`.
  func begin(_ name: String, lasting expected: Duration) {
    done += step.expected
    (step, elapsed, note) = ((name, expected), .zero, "")
    if isShown { draw() } else if isRead { Diagnostics.print("\(name.prefix(1).uppercased())\(name.dropFirst()).") }
  }

  /// Draws every second while the session runs.
  func run(on session: CommandSession) {
    guard isShown else { return }
    session.setTimer(after: .seconds(1)) { [weak self, unowned session] in
      guard let self, !isOver else { return }
      elapsed += .seconds(1)
      draw()
      run(on: session)
    }
  }

  /// Prints a sentence for the person who has to do something now.
  func say(_ sentence: String) {
    if isShown { StandardError.write(Array("\r\u{1B}[K".utf8)) }
    StandardError.write(Array("\(sentence)\n".utf8))
    if isShown { draw() }
  }

  /// Erases the bar permanently.
  func end() {
    guard isShown, !isOver else { return }
    isOver = true
    StandardError.write(Array("\r\u{1B}[K".utf8))
  }

  private func draw() {
    StandardError.write(Array("\r\(line)\u{1B}[K".utf8))
  }

  private var line: String {
    let share = min(0.99, max(0, (done + min(elapsed, step.expected)).inSeconds / total.inSeconds))
    let filled = Int(share * Double(Self.width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    let state = note.isEmpty ? step.name : "\(step.name), \(note)"
    return String("[\(bar)] \(Int(share * 100)) % \(state)".prefix(79))
  }
}
