import LocationIPC
import LocationPolicy
import LocationdClient

/// The fixes that the service reports for a recording, for an evaluation.
final class RecordedFixes {
  private let host: any ServiceAccess
  private let run: EvaluationRun
  private let request = RequestID(1)
  private var status: CommandStatus?

  init(host: any ServiceAccess, run: EvaluationRun) {
    self.host = host
    self.run = run
  }

  /// Plays the recording to its end.
  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.send(.startUpdates(request, UpdateOptions(isRaw: true)))
    // The host holds only a weak reference to this run.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    return status ?? .protocolError
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    switch event {
    case .update(request, let fix, _): run.take(fix)
    case .failed(request, .sourceEnded): end(.done)
    case .failed(request, let failure):
      let sentence = FailureSentence(failure)
      Diagnostics.say(sentence.text)
      end(sentence.status)
    default: break
    }
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
