import LocationIPC
import LocationdClient

/// One request to the service, from sending it to receiving its answer.
final class Question {
  static let id = RequestID(1)

  private let host: any ServiceAccess
  private let patience: Duration
  private let remedy: String
  /// Whether the request also takes effect while no user is there, so that it needs "always" permission.
  var needsAlways = false
  private var status: CommandStatus?

  /// - Parameters:
  ///   - patience: the timeout for the answer.
  ///   - remedy: what the user should do if no answer arrives.
  init(host: any ServiceAccess, patience: Duration = .seconds(30), remedy: String = "try again") {
    self.remedy = remedy
    self.host = host
    self.patience = patience
  }

  /// Whether the answer was received.
  var isOver: Bool { status != nil }

  /// Sends `request`, whose number is `id`; returns the exit status.
  ///
  /// - Parameter answer: handles every event other than completion and failure; returns the exit status, or `nil` if the event is
  ///   not the answer yet.
  func ask(_ request: ClientRequest, _ answer: @escaping (ServiceEvent) -> CommandStatus?) -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0, answer) }
    // The closure that receives the answer may itself hold a reference to the host.
    defer { host.onEvent = nil }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.setTimer(after: patience) { [weak self] in self?.host.stop() }
    // The request for "always" appears in the administrator's list; its outcome is part of the answer to the request itself.
    if needsAlways, host is RemoteHost { host.send(.authorization(RequestID(2), .ask(always: true))) }
    host.send(request)
    // The host holds only a weak reference to this object.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    guard let status else {
      Diagnostics.print("The location service did not answer: \(remedy).")
      return .protocolError
    }
    return status
  }

  private func receive(_ event: ServiceEvent, _ answer: (ServiceEvent) -> CommandStatus?) {
    guard !isOver else { return }
    switch event {
    case .done(Self.id): end(.done)
    case .failed(Self.id, let failure): end(Diagnostics.report(FailureMessage(failure, needsAlways: needsAlways)))
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
