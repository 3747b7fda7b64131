import LocationDaemon
import LocationIPC

/// One question about the service, from sending it to writing its answer.
final class StatusRun {
  private static let id = RequestID(1)
  private static let patience: Duration = .seconds(30)

  private let host: any ServiceAccess
  private let asJSON: Bool
  private var status: CommandStatus?

  init(host: any ServiceAccess, asJSON: Bool) {
    self.host = host
    self.asJSON = asJSON
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.setTimer(after: Self.patience) { [weak self] in self?.host.stop() }
    host.send(.status(Self.id))
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
    case .status(Self.id, let report):
      if report.version == nil {
        Diagnostics.say("No locationd answers: commands find receivers by themselves, one at a time.")
      }
      end(Results.write(asJSON ? StatusJSON.line(report) : StatusTable.text(report)) ?? .done)
    case .failed(Self.id, let failure): end(Diagnostics.end(FailureSentence(failure)))
    // Answers to what was not asked.
    case .status, .failed, .devices, .done, .located, .update, .streamChanged, .sky, .progress, .log: break
    }
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
