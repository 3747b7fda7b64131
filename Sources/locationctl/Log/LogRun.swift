import LocationDaemon
import LocationIPC

/// One question about logs, from sending it to writing its answer.
final class LogRun {
  private static let id = RequestID(1)
  /// A sync on a slow card may take seconds.
  private static let patience: Duration = .seconds(60)

  private let host: any ServiceAccess
  private let request: LogRequest
  private let show: ([LogDescription]) -> [UInt8]
  private var status: CommandStatus?

  init(
    host: any ServiceAccess, _ request: LogRequest, show: @escaping ([LogDescription]) -> [UInt8] = { _ in [] }
  ) {
    self.host = host
    self.request = request
    self.show = show
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.setTimer(after: Self.patience) { [weak self] in self?.host.stop() }
    host.send(.log(Self.id, request))
    // The host holds this run weakly.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    guard let status else {
      Diagnostics.say("The service gave no answer: try again.")
      return .protocolError
    }
    return status
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    switch event {
    case .done(Self.id): end(.done)
    case .log(Self.id, .logs(let logs)):
      if logs.isEmpty { Diagnostics.say("There is no log: begin one with locationctl log start.") }
      end(Results.write(show(logs)) ?? .done)
    case .failed(Self.id, let failure): end(Diagnostics.end(FailureSentence(failure)))
    // Answers to what was not asked.
    case .log, .done, .failed, .located, .update, .streamChanged, .sky, .progress, .devices, .status: break
    }
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
