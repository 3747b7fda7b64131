import LinuxIO
import LocationDaemon
import LocationIPC
import LocationPolicy

/// Puts questions on a desktop by notify-send(1), one process each, which prints what was pressed.
final class NotificationDesk: AgentRun.Desk {
  private static let program = "notify-send"
  /// More questions are not on the screen at a time; the others wait.
  private static let mostShown = 3

  private struct Notice {
    let text: NotificationText
    let process: ChildProcess
    let watch: WatchID
  }

  private let loop: EventLoop
  private var waiting: [LocationPolicy.Question] = []
  private var shown: [QuestionNumber: Notice] = [:]
  private var isReady = false
  private var answer: (QuestionNumber, Answer) -> Void = { _, _ in }
  private var end: (CommandStatus) -> Void = { _ in }

  init(_ loop: EventLoop) { self.loop = loop }

  func begin(answer: @escaping (QuestionNumber, Answer) -> Void, end: @escaping (CommandStatus) -> Void) {
    self.answer = answer
    self.end = end
    guard SessionBus.isNamed else {
      return fail("There is no desktop session to show questions on: run it on a terminal, with --terminal.")
    }
    start(["--version"]) { [unowned self] _, output in
      guard Self.hasActions(output) else {
        return fail("notify-send is too old to ask by: install libnotify-bin 0.8 or later, or use --terminal.")
      }
      isReady = true
      showNext()
    }
  }

  func ask(_ question: LocationPolicy.Question) {
    // A service that has begun anew counts from the start.
    withdraw(question.number)
    waiting.append(question)
    showNext()
  }

  func withdraw(_ number: QuestionNumber) {
    waiting.removeAll { $0.number == number }
    guard let notice = shown.removeValue(forKey: number) else { return }
    // By that it takes the notification off the screen.
    notice.process.send(SignalNumber.interrupt)
    showNext()
  }

  func refuse(_ sentence: String) { Diagnostics.say(sentence) }

  func stop() {
    waiting = []
    for number in Array(shown.keys) { withdraw(number) }
  }

  // MARK: -

  private func showNext() {
    while isReady, shown.count < Self.mostShown, !waiting.isEmpty { show(waiting.removeFirst()) }
  }

  private func show(_ question: LocationPolicy.Question) {
    let text = NotificationText(question)
    let number = question.number
    guard
      let (process, watch) = start(
        text.arguments,
        { [unowned self] process, output in
          // What was withdrawn meanwhile is nobody's any more.
          guard shown[number]?.process === process else { return }
          shown[number] = nil
          if let answer = text.answer(output) { self.answer(number, answer) }
          showNext()
        })
    else { return }
    shown[number] = Notice(text: text, process: process, watch: watch)
  }

  /// Starts notify-send; `ended` hears what it printed.
  @discardableResult
  private func start(
    _ arguments: [String], _ ended: @escaping (ChildProcess, [UInt8]) -> Void
  ) -> (ChildProcess, WatchID)? {
    do throws(SystemError) {
      let process = try ChildProcess(Self.program, arguments)
      var watch: WatchID?
      watch = try loop.watch(process.descriptor) { [unowned self] _ in
        if let watch { loop.unwatch(watch) }
        let (ending, output) = process.finish()
        switch ending {
        case .exited(0), .killed: ended(process, output)
        case .exited: fail("The desktop shows no notifications: start a notification service, or use --terminal.")
        }
      }
      return watch.map { (process, $0) }
    } catch {
      fail(
        error.isAbsence
          ? "There is no notify-send to show questions by: install libnotify-bin, or use --terminal."
          : "notify-send cannot be started (\(error.description)): use --terminal.")
      return nil
    }
  }

  private func fail(_ sentence: String) {
    Diagnostics.say(sentence)
    end(.noSource)
  }

  /// "notify-send 0.8.1": 0.8 was the first with buttons.
  private static func hasActions(_ version: [UInt8]) -> Bool {
    let words = String(decoding: version, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let numbers = (words.last ?? "").split(separator: ".").compactMap { Int($0) }
    guard numbers.count >= 2 else { return false }
    return (numbers[0], numbers[1]) >= (0, 8)
  }
}
