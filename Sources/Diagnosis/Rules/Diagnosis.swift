package import FleetDestinations
package import LocationIPC

/// Decides what is wrong: facts in, findings out, ordered by what to fix first. It performs no I/O.
package struct Diagnosis: Sendable {
  let subject: Subject
  let machine: MachineFacts
  let receivers: [ReceiverFacts]
  /// The failure that the service reported; `nil`: none.
  let failure: LocationFailure?
  /// The clients of the service that the requesting client may see.
  package var clients: [ClientStatus] = []
  /// Whether the service treats the requesting client as a background client, for which only "always" grants anything.
  package var isInBackground = false
  /// Whether a daemon serves the requesting client.
  package var isServed = false
  /// The requesting client's name as `locationctl grant` accepts it.
  let client: String
  /// The service's limits that were reached.
  package var bounds: [ReachedBound] = []
  /// The corrections for RTK; `nil`: none are configured, or this user has no access to their state.
  package var corrections: CorrectionStatus?
  /// The destinations of positions.
  package var fleet: [FleetReport] = []
  /// The ports for programs that speak another protocol.
  package var ports: [PortStatus] = []
  /// The time for the machine's clocks; `nil`: off, or unknown.
  package var time: TimeReport?

  package init(
    subject: Subject, machine: MachineFacts, receivers: [ReceiverFacts], failure: LocationFailure?,
    client: String = "\"$USER\""
  ) {
    self.client = client
    self.subject = subject
    self.machine = machine
    self.receivers = receivers
    self.failure = failure
  }

  /// Ordered by severity, and within one severity by `FindingCode`, so that a finding whose fix may resolve others
  /// comes first. Each code appears once per device.
  package var findings: [Finding] {
    var all = findingsOfReceivers
    // Findings from a receiver's data explain more than the failure that there was no fix.
    let isSilenced = all.contains { $0.severity == .stops }
    if let failure, !isSilenced || failure.isOfTheRecording, let finding = finding(of: failure) { all.append(finding) }
    if receivers.isEmpty, failure == nil { all.append(nothingThere) }
    let hasPosition =
      receivers.contains { $0.hasFix && $0.qualityFlag == nil } && !all.contains { $0.severity == .stops }
    all += boundFindings
    all += correctionFindings
    all += fleetFindings
    if subject != .recording { all += timeFindings }
    if subject != .recording {
      all += machineFindings(hasPosition: hasPosition)
      all += configurationFindings
    }
    all += clientFindings
    all += portFindings
    return Self.ordered(all)
  }

  /// Findings from the receivers' data. If one receiver gives good fixes, another that gives none does not prevent a position.
  private var findingsOfReceivers: [Finding] {
    let findings = receivers.map { (facts: $0, findings: receiverFindings($0)) }
    let good = findings.first { facts, findings in
      facts.hasFix && facts.qualityFlag == nil && !findings.contains { $0.severity == .stops }
    }
    guard let good else { return findings.flatMap(\.findings) }
    return findings.flatMap(\.findings).map { finding in
      guard finding.severity == .stops else { return finding }
      var finding = finding
      finding.severity = .note
      finding.sentence += " Fixes come from \(name(good.facts.device))."
      return finding
    }
  }

  private static func ordered(_ findings: [Finding]) -> [Finding] {
    var seen: Set<String> = []
    let order = Dictionary(uniqueKeysWithValues: FindingCode.allCases.enumerated().map { ($1, $0) })
    return findings.filter { seen.insert($0.code.rawValue + " " + ($0.device ?? "")).inserted }
      .enumerated()
      .sorted { a, b in
        (a.element.severity, order[a.element.code] ?? 0, a.offset)
          < (b.element.severity, order[b.element.code] ?? 0, b.offset)
      }
      .map(\.element)
  }

  /// A port's name for a sentence.
  func name(_ path: String) -> String { SafeText.plain(path) }

  /// The facts of a port under any of its names.
  func port(_ path: String) -> PortFacts? { machine.ports.first { $0.path == path || $0.otherNames.contains(path) } }
}

extension LocationFailure {
  fileprivate var isOfTheRecording: Bool { if case .badRecording = self { true } else { false } }
}

/// The intended source of a position.
package enum Subject: Hashable, Sendable {
  /// Any attached receiver.
  case automatic
  /// The port at this path.
  case port(String)
  /// The gpsd that was named.
  case gpsd
  /// A recording: the state of this machine is irrelevant.
  case recording
  /// A simulated receiver: the state of this machine's ports is irrelevant.
  case simulator
}

/// Ports at which nobody is served.
extension Diagnosis {
  var portFindings: [Finding] {
    guard ports.contains(where: { $0.state == .unidentified }) else { return [] }
    return [
      Finding(
        .portUnidentified, .degrades,
        "Programs that speak gpsd's protocol or read NMEA 0183 get nothing, because the kernel cannot identify them: its module tcp_diag is missing.",
        command: "sudo modprobe tcp_diag; echo tcp_diag | sudo tee /etc/modules-load.d/locationd.conf")
    ]
  }
}

/// The service's limits that were reached, so that requests were refused.
extension Diagnosis {
  /// A limit whose last refusal was this long ago, or longer, is only a note.
  private static let recent = Duration.seconds(600)

  var boundFindings: [Finding] {
    bounds.map { reached in
      Finding(
        .serviceBound, reached.ago < Self.recent ? .degrades : .note, reached.bound.sentence,
        command: reached.bound.remedy)
    }
  }
}

extension ServiceBound {
  /// The event, for a person.
  package var sentence: String {
    let user = userID.map { "user \($0)" } ?? "an unknown user"
    return switch kind {
    case .clients:
      "The location service refused a client of \(user): \(limit) clients were connected, which is the limit."
    case .clientsOfUser:
      "The location service refused a client of \(user), who already had \(limit) clients, which is the limit."
    case .clientsWithoutGrant:
      "The location service refused a client of \(user): the service already had \(limit) clients of users without access, which is the limit."
    case .clientsOfNamespaces:
      "The location service refused a client of \(user): the service already had \(limit) clients in user namespaces, which is the limit."
    case .requests:
      "The location service refused a request of \(user): the service was working on \(limit) requests, which is the limit."
    case .requestsOfUser:
      "The location service refused a request of \(user), who had \(limit) open requests, which is the limit."
    case .regions:
      "The location service refused a region of \(user), who already had \(limit) regions, which is the limit."
    case .regionBytes:
      "The location service refused a region of \(user), whose regions already took \(limit) bytes, which is the limit."
    case .lists:
      "The location service refused to watch regions for one more program of \(user): \(limit) programs already watched regions, which is the limit."
    }
  }

  /// The administrator's remedy.
  fileprivate var remedy: String {
    switch kind {
    case .clients, .clientsOfUser, .clientsWithoutGrant, .clientsOfNamespaces, .requests, .requestsOfUser:
      "Find these programs with 'sudo locationctl status', and end those that you do not need."
    case .regions, .regionBytes, .lists:
      "List the regions with 'sudo locationctl region list', and remove those that you do not need."
    }
  }
}
