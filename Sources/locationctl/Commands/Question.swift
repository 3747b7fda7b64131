import LocationIPC
import LocationdClient

/// One question to the service, from sending it to its answer.
final class Question {
  static let id = RequestID(1)

  private let host: any ServiceAccess
  private let patience: Duration
  private let remedy: String
  /// Whether it is about what is done also while nobody is there.
  var wishesAlways = false
  private var status: CommandStatus?

  /// - Parameters:
  ///   - patience: so long an answer may take.
  ///   - remedy: what to do where none came.
  init(host: any ServiceAccess, patience: Duration = .seconds(30), remedy: String = "try again") {
    self.remedy = remedy
    self.host = host
    self.patience = patience
  }

  /// Whether the answer has come.
  var isOver: Bool { status != nil }

  /// Asks `request`, whose number is `id`; how the command ends.
  ///
  /// - Parameter answer: takes what the service tells, other than that it is done or has failed; how the command ends with it,
  ///   or `nil` where that is not the answer yet.
  func ask(_ request: ClientRequest, _ answer: @escaping (ServiceEvent) -> CommandStatus?) -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0, answer) }
    // What takes the answer may itself know the host.
    defer { host.onEvent = nil }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.setTimer(after: patience) { [weak self] in self?.host.stop() }
    // Whoever decides finds it in the list; what comes of that is in the answer to the request itself.
    if wishesAlways, host is RemoteHost { host.send(.authorization(RequestID(2), .ask(always: true))) }
    host.send(request)
    // The host holds this question weakly.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    guard let status else {
      Diagnostics.say("The location service did not answer: \(remedy).")
      return .protocolError
    }
    return status
  }

  private func receive(_ event: ServiceEvent, _ answer: (ServiceEvent) -> CommandStatus?) {
    guard !isOver else { return }
    switch event {
    case .done(Self.id): end(.done)
    case .failed(Self.id, let failure): end(Diagnostics.end(FailureSentence(failure, wishesAlways: wishesAlways)))
    case .done, .failed: break
    case .located, .update, .streamChanged, .sky, .progress, .devices, .status, .log, .heard, .authorization,
      .wifi, .monitoring:
      if let status = answer(event) { end(status) }
    }
  }

  private func end(_ status: CommandStatus) {
    guard !isOver else { return }
    self.status = status
    host.stop()
  }
}
