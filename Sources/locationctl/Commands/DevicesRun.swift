import LocationDaemon
import LocationIPC

/// One question about devices, from sending it to writing its answer.
final class DevicesRun {
  static let id = RequestID(1)
  /// Ports are looked at, not hunted through, so an answer is a matter of seconds.
  private static let patience: Duration = .seconds(30)

  private let host: EmbeddedHost
  private let request: ClientRequest
  private var status: CommandStatus?

  init(host: EmbeddedHost, request: ClientRequest) {
    self.host = host
    self.request = request
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.setTimer(after: Self.patience) { [weak self] in self?.host.stop() }
    host.send(request)
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
    case .devices(Self.id, let devices): end(show(devices))
    case .done(Self.id): end(.done)
    case .failed(Self.id, let failure): end(Diagnostics.end(FailureSentence(failure)))
    // Answers to what was not asked.
    case .devices, .done, .failed, .located, .update, .streamChanged, .sky, .progress: break
    }
  }

  /// That there is none is an answer too: status 0, with a word on stderr.
  private func show(_ devices: [DeviceDescription]) -> CommandStatus {
    guard !devices.isEmpty else {
      Diagnostics.say("No receiver and no serial adapter is attached: plug one in.")
      return .done
    }
    return Results.write(Results.areForPeople ? DeviceTable.table(devices) : DeviceTable.jsonLines(devices)) ?? .done
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
