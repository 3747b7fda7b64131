import Diagnosis
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost
import LocationdServer

/// One diagnosis, from listening to printing the findings.
final class DoctorRun {
  private static let listening = RequestID(1)

  private let host: EmbeddedHost
  private let source: SourceSelection
  private let duration: Duration
  private let examiner: ReceiverExaminer
  /// The daemon's limits that were reached.
  private let bounds: [ReachedBound]
  private var failure: LocationFailure?
  private var interruption: CommandStatus?
  private let clients: [ClientStatus]

  /// - Parameters:
  ///   - clients: the daemon's clients, if a daemon answers.
  ///   - bounds: the daemon's limits that were reached.
  init(
    host: EmbeddedHost, source: SourceSelection, duration: Duration, clients: [ClientStatus] = [],
    bounds: [ReachedBound] = []
  ) {
    self.clients = clients
    self.host = host
    self.bounds = bounds
    self.source = source
    self.duration = duration
    examiner = host.examine()
  }

  func execute() -> CommandStatus {
    let machine = MachineSurvey.facts(for: source)
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in
      self?.interruption = CommandStatus(signal: $0)
      self?.host.stop()
    }
    // A recording ends on its own.
    if Subject(source) != .recording { host.setTimer(after: duration) { [weak self] in self?.host.stop() } }
    host.send(.startUpdates(Self.listening, UpdateOptions(setsReceivers: false)))
    // The host holds only a weak reference to this run.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return failure }
    if let interruption { return interruption }
    var diagnosis = Diagnosis(
      subject: Subject(source), machine: machine, receivers: examiner.facts,
      failure: failure ?? examiner.openFailure, client: client)
    diagnosis.clients = clients
    diagnosis.isInBackground = clients.contains {
      $0.processID == ProcessEnvironment.processID && $0.presence == .background
    }
    diagnosis.bounds = bounds
    return report(diagnosis.findings)
  }

  /// This client's name as `locationctl grant` accepts it.
  private var client: String {
    if case .notAuthorized(_, let identity?)? = failure { return ClientName.selector(of: identity) }
    return ClientName.selector(of: ClientIdentity(userID: ProcessEnvironment.userID))
  }

  private func receive(_ event: ServiceEvent) {
    switch event {
    case .update(Self.listening, let fix, _):
      examiner.take(fix)
      if examiner.areSurelyHealthy, Subject(source) != .recording { host.stop() }
    case .failed(Self.listening, let failure):
      self.failure = failure
      host.stop()
    // Events that this run did not request, and progress, which only matters to a waiting person.
    case .update, .failed, .located, .streamChanged, .sky, .progress, .devices, .done, .status, .log, .heard,
      .authorization, .wifi, .monitoring:
      break
    }
  }

  private func report(_ findings: [Finding]) -> CommandStatus {
    let bytes =
      Results.areForPeople ? FindingList.text(findings, receivers: examiner.facts) : FindingList.jsonLines(findings)
    if let status = Results.write(bytes), status != .done { return status }
    guard let first = findings.first, first.severity != .note else { return .done }
    return CommandStatus(first.code)
  }
}
