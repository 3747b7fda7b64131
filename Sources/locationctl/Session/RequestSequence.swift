import LocationIPC
import LocationdClient

/// A sequence of requests to the service: each one is sent when the one before has been answered.
final class Conversation {
  /// The next step after an answer.
  enum Step {
    case ask((RequestID) -> ClientRequest)
    case end(CommandStatus)
  }

  /// What the user should do if no answer arrives.
  static let remedy = "its disk may hang (see 'dmesg'); try again later"
  /// The timeout from one answer to the next.
  private static let patience: Duration = .seconds(60)
  /// The number of requests that are sent as fast as they are answered; later ones are `interval` apart. The service disconnects a
  /// client that sends more than 200 requests a second for long, and has other clients to serve.
  private static let hurry = 100
  private static let interval: Duration = .milliseconds(8)

  private let host: any ServiceAccess
  private let writes: Bool
  /// Whether the requests also take effect while no user is there, so that they need "always" permission.
  var needsAlways = false
  private var request = RequestID(0)
  private var status: CommandStatus?

  /// - Parameter writes: whether to end when the reader of standard output closes the pipe.
  init(_ host: any ServiceAccess, writes: Bool = true) {
    self.host = host
    self.writes = writes
  }

  /// The end, after an answer of another kind than the request calls for.
  static func misunderstood() -> Step {
    Diagnostics.print(
      "The location service sent an answer that does not match the request, perhaps because its version is different: restart it with 'sudo systemctl restart locationd'."
    )
    return .end(.protocolError)
  }

  /// Sends `first`, then the requests that `next` returns; returns the exit status. A failure is printed and ends the sequence.
  func execute(first: @escaping (RequestID) -> ClientRequest, _ next: @escaping (ServiceEvent) -> Step)
    -> CommandStatus
  {
    host.onEvent = { [weak self] in self?.receive($0, next) }
    // The closure that receives the answers may itself hold a reference to the host.
    defer { host.onEvent = nil }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    if writes { host.onOutputClosed { [weak self] in self?.end(.done) } }
    watchForSilence()
    go(on: .ask(first))
    // The host holds only a weak reference to this object.
    if status == nil, let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    guard let status else {
      Diagnostics.print("The location service did not answer: \(Self.remedy).")
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
    // Ignore events that this object did not request.
    guard status == nil, event.request == request else { return }
    if case .failed(_, let failure) = event {
      return end(Diagnostics.report(FailureMessage(failure, needsAlways: needsAlways)))
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
