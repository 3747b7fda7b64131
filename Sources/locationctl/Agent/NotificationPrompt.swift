import LinuxIO
import LocationPolicy

/// Shows prompts on a desktop by notify-send(1): one process for each prompt, which prints the button that was pressed.
final class NotificationPrompt: PromptInterface {
  private static let program = "notify-send"
  /// Maximum number of prompts on the screen at a time; the others wait.
  private static let mostShown = 3

  private struct Notice {
    let text: NotificationText
    let process: ChildProcess
    let watch: WatchID
  }

  private let loop: EventLoop
  private var waiting: [LocationPolicy.AuthorizationPrompt] = []
  private var shown: [PromptNumber: Notice] = [:]
  private var isReady = false
  private weak var agent: AuthorizationAgent?

  init(_ loop: EventLoop) { self.loop = loop }

  func start(for agent: AuthorizationAgent) {
    self.agent = agent
    guard SessionBus.isNamed else {
      return fail(
        "There is no desktop session that can show questions: run this command on a terminal, with --terminal.")
    }
    launch(Self.program, ["--version"]) { [unowned self] _, output in
      guard Self.hasActions(output) else {
        return fail("notify-send is too old to show buttons: install libnotify-bin 0.8 or later, or use --terminal.")
      }
      checkForService()
    }
  }

  /// Checks for a notification service with dbus-send(1), because notify-send waits forever if there is none. Without dbus-send the
  /// check is skipped.
  private func checkForService() {
    let name = "org.freedesktop.Notifications"
    let arguments = [
      "--session", "--print-reply", "--dest=\(name)", "/org/freedesktop/Notifications", "\(name).GetServerInformation",
    ]
    let isChecking = launch("dbus-send", arguments, isNeeded: false) { [unowned self] _, _ in becomeReady() }
    if isChecking == nil { becomeReady() }
  }

  private func becomeReady() {
    isReady = true
    showNext()
  }

  func show(_ question: LocationPolicy.AuthorizationPrompt) {
    // A restarted service may send the same prompt again.
    withdraw(question.number)
    waiting.append(question)
    showNext()
  }

  func withdraw(_ number: PromptNumber) {
    waiting.removeAll { $0.number == number }
    guard let notice = shown.removeValue(forKey: number) else { return }
    // On SIGINT notify-send closes the notification.
    notice.process.send(SignalNumber.interrupt)
    showNext()
  }

  func showRefusal(_ sentence: String) { Diagnostics.print(sentence) }

  func stop() {
    waiting = []
    for notice in shown.values {
      loop.unwatch(notice.watch)
      notice.process.end(by: SignalNumber.interrupt)
    }
    shown = [:]
  }

  // MARK: -

  private func showNext() {
    while isReady, shown.count < Self.mostShown, !waiting.isEmpty { notify(waiting.removeFirst()) }
  }

  private func notify(_ question: LocationPolicy.AuthorizationPrompt) {
    let text = NotificationText(question)
    let number = question.number
    guard
      let (process, watch) = launch(
        Self.program, text.arguments,
        { [unowned self] process, output in
          // The output of a prompt that was withdrawn in the meantime is ignored.
          guard shown[number]?.process === process else { return }
          shown[number] = nil
          if let answer = text.answer(output) { agent?.send(answer, to: number) }
          showNext()
        })
    else { return }
    shown[number] = Notice(text: text, process: process, watch: watch)
  }

  /// Starts a program; `ended` receives its output, unless the program fails, which ends the agent with a message.
  /// Returns `nil` if the program could not be started, which ends the agent with a message only if `isNeeded`.
  @discardableResult
  private func launch(
    _ program: String, _ arguments: [String], isNeeded: Bool = true,
    _ ended: @escaping (ChildProcess, [UInt8]) -> Void
  ) -> (ChildProcess, WatchID)? {
    do throws(SystemError) {
      let process = try ChildProcess(program, arguments)
      var watch: WatchID?
      watch = try loop.watch(process.descriptor) { [unowned self] _ in
        if let watch { loop.unwatch(watch) }
        let (ending, output) = process.finish()
        switch ending {
        case .exited(0), .killed: ended(process, output)
        case .exited:
          fail("The desktop did not show the notification: start a notification service, or use --terminal.")
        }
      }
      return watch.map { (process, $0) }
    } catch {
      guard isNeeded else { return nil }
      fail(
        error.isAbsence
          ? "notify-send is not installed: install libnotify-bin, or use --terminal."
          : "Cannot start notify-send (\(error.description)): use --terminal.")
      return nil
    }
  }

  private func fail(_ sentence: String) {
    Diagnostics.print(sentence)
    agent?.end(.noSource)
  }

  /// "notify-send 0.8.1": 0.8 was the first version with buttons.
  private static func hasActions(_ version: [UInt8]) -> Bool {
    let words = String(decoding: version, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let numbers = (words.last ?? "").split(separator: ".").compactMap { Int($0) }
    guard numbers.count >= 2 else { return false }
    return (numbers[0], numbers[1]) >= (0, 8)
  }
}
