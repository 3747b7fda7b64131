import Diagnosis
import FleetDestinations
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdConfigurationFiles
import LocationdConfiguration
import LocationdHost
import LocationdService
import PlacesStore

/// One diagnosis, from examining the receivers' output to printing the findings.
final class Examination: CommandHandler {
  /// The output format.
  enum Output: Hashable {
    /// One JSON object per finding.
    case findings
    /// One JSON object per finding, and one object that lists all checks.
    case findingsAndChecks
    /// The checks, for people.
    case checklist
  }

  let session: CommandSession
  private let source: SourceSelection
  private let duration: Duration
  private let examiner: ReceiverExaminer
  private let clients: [ClientStatus]
  private let isServed: Bool
  /// The source of the daemon; `nil`: none serves.
  private let daemonSource: String?
  /// The daemon's limits that were reached.
  private let bounds: [ReachedBound]
  /// `nil`: no corrections are configured.
  private var corrections: CorrectionFollower?
  private let time: TimeReport?
  private let fleet: [FleetReport]
  private let ports: [PortStatus]
  private let output: Output
  private var failure: LocationFailure?
  /// The minimum time of the examination, even if all receivers are healthy.
  private let shortest: Duration
  private var startedAt: Instant?

  /// - Parameter status: the daemon's status; `nil` if no daemon answers, or if the user named a source.
  init(
    _ session: CommandSession, of receivers: ReceiverOutput, source: SourceSelection, duration: Duration,
    shortest: Duration = .zero, status: ServiceStatus?, output: Output = .checklist
  ) {
    self.output = output
    self.shortest = shortest
    self.session = session
    self.source = source
    self.duration = duration
    clients = status?.clients ?? []
    isServed = status != nil
    daemonSource = status?.source
    bounds = status?.bounds ?? []
    time = status?.time
    fleet = status?.fleet ?? []
    ports = status?.ports ?? []
    examiner = receivers.examine()
    if let corrections = status?.corrections { self.corrections = CorrectionFollower(session, corrections) }
  }

  /// Examines the receivers, and prints the findings unless a signal ends the command.
  func execute() -> CommandStatus {
    do throws(CommandStatus) {
      return report(try diagnose().diagnosis)
    } catch {
      return error
    }
  }

  /// Examines the receivers; throws the exit status if a signal ends the command.
  func diagnose() throws(CommandStatus) -> (diagnosis: Diagnosis, receivers: [ReceiverFacts]) {
    var machine = MachineSurvey.facts(for: source)
    machine.configuration = Self.configuration
    machine.places = Self.places
    let status = run()
    guard status == .done else { throw status }
    var diagnosis = Diagnosis(
      subject: Subject(source), machine: machine, receivers: examiner.facts,
      failure: explained(failure ?? examiner.openFailure), client: client)
    diagnosis.clients = clients
    diagnosis.isServed = isServed
    diagnosis.isInBackground = clients.contains {
      $0.processID == ProcessEnvironment.processID && $0.presence == .background
    }
    diagnosis.bounds = bounds
    diagnosis.corrections = corrections?.status
    diagnosis.time = time
    diagnosis.fleet = fleet
    diagnosis.ports = ports
    return (diagnosis, examiner.facts)
  }

  /// The day of each imported file of places that can be used.
  private static var places: [String: String] {
    var days: [String: String] = [:]
    for entry in PlacesFolders.files() {
      guard let file = try? PlacesFile(path: entry.path, checks: false) else { continue }
      days[entry.name] = file.header[.dataDate]
    }
    return days
  }

  /// A daemon sends only the data of receivers that it has opened. If the port that it was given does not exist, that is the
  /// failure, as for `fix`.
  private func explained(_ failure: LocationFailure?) -> LocationFailure? {
    guard failure == nil || failure == .noSource, examiner.facts.isEmpty, let daemonSource,
      case .serial(let path, _)? = try? SourceSelection(parsing: daemonSource), !MachineSurvey.hasPort(path)
    else { return failure }
    return .cannotOpen(path: path, reason: .doesNotExist)
  }

  /// The settings of the daemon that systemd starts, and of this command.
  private static var configuration: ConfigurationFacts {
    let configuration = ConfigurationFiles.ofProcess.load(ofUnit: true)
    var facts = ConfigurationFacts()
    facts.unknown = configuration.problems.filter { $0.kind == .unknown }.map(\.sentence)
    facts.invalid = configuration.problems.filter { $0.kind != .unknown }.map(\.sentence)
    for entry in configuration.entries {
      if case .environmentFile(let path, _, _) = entry.origin { facts.environmentFile = path }
    }
    let places = configuration.settings.places
    facts.lacksPlacesContact = places.provider != nil && places.contact == nil
    return facts
  }

  func start() {
    startedAt = session.now
    // A recording ends by itself.
    if Subject(source) != .recording { session.setTimer(after: duration) { [unowned self] in session.finish(.done) } }
    session.send(.updates(UpdateOptions(setsReceivers: false)), for: self)
    corrections?.start()
  }

  func receive(_ event: FixEvent, to request: RequestID) {
    guard case .fix(let fix, _) = event else { return }
    examiner.add(fix)
    guard examiner.areSurelyHealthy, Subject(source) != .recording, let startedAt else { return }
    if session.now - startedAt >= shortest, corrections?.isSettled ?? true { session.finish(.done) }
  }

  /// The failure is a part of the diagnosis.
  func receive(_ failure: LocationFailure, of request: RequestID) {
    self.failure = failure
    session.finish(.done)
  }

  /// This client's name as `locationctl grant` accepts it.
  private var client: String {
    if case .notAuthorized(_, let identity?)? = failure { return ClientName.selector(of: identity) }
    return ClientName.selector(of: ClientIdentity(userID: ProcessEnvironment.userID))
  }

  private func report(_ diagnosis: Diagnosis) -> CommandStatus {
    let findings = diagnosis.findings
    let bytes =
      switch output {
      case .findings: FindingList.jsonLines(findings)
      case .findingsAndChecks: FindingList.jsonLines(findings) + CheckList.jsonLine(diagnosis.checks)
      case .checklist: CheckList.text(diagnosis.checks, .current)
      }
    if let status = Results.write(bytes), status != .done { return status }
    // The checklist has its own last line.
    if findings.isEmpty, output != .checklist { return CommandStatus.done.confirmed("No problems found.") }
    guard let first = findings.first, first.severity != .note else { return .done }
    return CommandStatus(first.code)
  }
}
