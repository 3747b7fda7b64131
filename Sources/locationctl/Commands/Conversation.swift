import LocationIPC
import LocationdClient

/// Questions to the service, each one asked when the one before has been answered, up to the end.
final class Conversation {
  /// What comes after an answer.
  enum Step {
    case ask((RequestID) -> ClientRequest)
    case end(CommandStatus)
  }

  /// Where no answer comes.
  static let remedy = "its disk may hang (see 'dmesg'); try again later"
  /// From one answer to the next.
  private static let patience: Duration = .seconds(60)
  /// Questions that are asked as fast as they are answered; the service lets go a client that asks more than 200 times a second
  /// for long, and has others to serve.
  private static let hurry = 100
  private static let interval: Duration = .milliseconds(8)

  private let host: any ServiceAccess
  private let writes: Bool
  /// Whether it is about what is done also while nobody is there.
  var wishesAlways = false
  private var request = RequestID(0)
  private var status: CommandStatus?

  /// - Parameter writes: whether it ends when nobody reads the program's output any more.
  init(_ host: any ServiceAccess, writes: Bool = true) {
    self.host = host
    self.writes = writes
  }

  /// The end, after an answer of another kind than was asked for.
  static func misunderstood() -> Step {
    Diagnostics.say(
      "The location service sent an answer that does not match the request, perhaps because its version is different: restart it with 'sudo systemctl restart locationd'."
    )
    return .end(.protocolError)
  }

  /// Asks `first`, and then what `next` says; how the command ends. A failure is told and ends it.
  func execute(first: @escaping (RequestID) -> ClientRequest, _ next: @escaping (ServiceEvent) -> Step)
    -> CommandStatus
  {
    host.onEvent = { [weak self] in self?.receive($0, next) }
    // What takes the answers may itself know the host.
    defer { host.onEvent = nil }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    if writes { host.onOutputClosed { [weak self] in self?.end(.done) } }
    watchForSilence()
    go(on: .ask(first))
    // The host holds this conversation weakly.
    if status == nil, let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    guard let status else {
      Diagnostics.say("The location service did not answer: \(Self.remedy).")
      return .protocolError
    }
    return status
  }

  private func watchForSilence() {
    host.setTimer(after: Self.patience) { [weak self, request] in
      guard let self, status == nil else { return }
      if self.request == request { host.stop() } else { watchForSilence() }
    }
  }

  private func receive(_ event: ServiceEvent, _ next: (ServiceEvent) -> Step) {
    // Answers to what was not asked are nobody's.
    guard status == nil, event.request == request else { return }
    if case .failed(_, let failure) = event {
      return end(Diagnostics.end(FailureSentence(failure, wishesAlways: wishesAlways)))
    }
    go(on: next(event))
  }

  private func go(on step: Step) {
    switch step {
    case .end(let status): end(status)
    case .ask(let question):
      request = RequestID(request.rawValue &+ 1)
      guard request.rawValue > Self.hurry else { return host.send(question(request)) }
      host.setTimer(after: Self.interval) { [weak self, request] in
        guard let self, status == nil else { return }
        host.send(question(request))
      }
    }
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
