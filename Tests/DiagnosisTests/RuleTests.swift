import Diagnosis
import Geodesy
import LocationIPC
import LocationPolicy
import Testing

/// Findings that no machine here can be made to show: the tests supply the facts.
@Suite struct RuleTests {
  private static let port = "/dev/ttyUSB0"

  private static var healthy: ReceiverFacts {
    var facts = ReceiverFacts(device: port)
    facts.bytes = 2000
    facts.speeds = [9600]
    facts.bytesAtSpeed = 2000
    facts.timeReceived = .seconds(4)
    facts.validFrames = 40
    facts.positionMessages = 12
    facts.hasFix = true
    facts.listsSatellites = true
    facts.satellitesTracked = 11
    facts.strongestSignal = 44
    facts.horizontalDilution = 0.9
    return facts
  }

  private static var machine: MachineFacts {
    var facts = MachineFacts()
    facts.ports = [PortFacts(path: port, id: "usb", isSource: true, isUSB: true, hasRealSpeed: true)]
    return facts
  }

  private func findings(
    _ receiver: ReceiverFacts? = healthy, machine: MachineFacts = machine, subject: Subject = .automatic,
    failure: LocationFailure? = nil
  ) -> [Finding] {
    Diagnosis(subject: subject, machine: machine, receivers: receiver.map { [$0] } ?? [], failure: failure).findings
  }

  private func expect(
    _ findings: [Finding], _ code: FindingCode, _ severity: Severity, _ cause: String, _ command: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let first = findings.first
    #expect(first?.code == code, sourceLocation: sourceLocation)
    #expect(first?.severity == severity, sourceLocation: sourceLocation)
    #expect(first?.sentence.contains(cause) == true, "\(first?.sentence ?? "")", sourceLocation: sourceLocation)
    #expect(first?.command.contains(command) == true, "\(first?.command ?? "")", sourceLocation: sourceLocation)
  }

  @Test func oneThatIsWellHasNoFindings() { #expect(findings() == []) }

  @Test func programsThatGetNothingAreNamed() {
    var (paused, resting) = (ClientStatus(name: "tracker"), ClientStatus(name: "walk"))
    var waiting = ClientStatus(name: "map")
    (paused.paused, paused.processID, resting.resting, waiting.undecided) = (1, 4711, 1, 2)
    var diagnosis = Diagnosis(subject: .automatic, machine: Self.machine, receivers: [Self.healthy], failure: nil)
    diagnosis.clients = [paused, ClientStatus(name: "well"), resting, waiting, waiting]
    let findings = diagnosis.findings
    #expect(findings.map(\.code) == [.clientUndecided, .clientResting, .clientPaused])
    #expect(findings.allSatisfy { $0.severity == .note })
    #expect(findings[0].sentence.hasPrefix("map (and one other program) waits"))
    #expect(findings[1].sentence.hasPrefix("walk gets no locations") && findings[1].command.contains("--always"))
    #expect(findings[2].sentence.hasPrefix("tracker (process 4711) has paused"))
  }

  /// One finding for all ports at which the kernel cannot identify clients.
  @Test func portsWithoutIdentifiedClients() {
    var diagnosis = Diagnosis(subject: .automatic, machine: Self.machine, receivers: [Self.healthy], failure: nil)
    diagnosis.ports = [PortStatus.State.listening, .unidentified, .unidentified].map {
      PortStatus(protocolName: .gpsd, address: "127.0.0.1:2947", state: $0, isPassed: false)
    }
    #expect(diagnosis.findings.map(\.code) == [.portUnidentified])
    #expect(diagnosis.findings.first?.command.contains("modprobe tcp_diag") == true)
    diagnosis.ports.removeLast(2)
    #expect(diagnosis.findings.isEmpty)
  }

  // MARK: - Corrections

  private func findings(_ corrections: CorrectionStatus, isRTK: Bool = false) -> [Finding] {
    var receiver = Self.healthy
    receiver.hasRTK = isRTK
    var diagnosis = Diagnosis(subject: .automatic, machine: Self.machine, receivers: [receiver], failure: nil)
    diagnosis.corrections = corrections
    return diagnosis.findings
  }

  @Test(arguments: [
    (CorrectionStatus.Problem.badFile, FindingCode.correctionsFile), (.unreachable, .correctionsUnreachable),
    (.refused, .correctionsRefused), (.wrongMount, .correctionsMount), (.banned, .correctionsBanned),
    (.silent, .correctionsSilent), (.noCorrections, .correctionsUnusable), (.tooFar, .correctionsFar),
  ])
  func everyProblemOfCorrectionsIsNamed(problem: CorrectionStatus.Problem, code: FindingCode) {
    var status = CorrectionStatus(name: "base", state: .pausing)
    (status.problem, status.sentence) = (problem, "The caster reports 'a: b': check the\u{1B} account.")
    expect(findings(status), code, .degrades, "The caster reports 'a: b'.", "Check the? account.")
    // A service that explains nothing.
    status.sentence = nil
    #expect(findings(status).first?.command.isEmpty == false)
  }

  @Test func correctionsThatAreOldAreReported() {
    var status = CorrectionStatus(name: "base", state: .streaming)
    status.age = .seconds(31)
    expect(findings(status, isRTK: true), .correctionsOld, .degrades, "are 31 s old; receivers use only", "mount point")
    status.age = nil
    expect(findings(status), .correctionsOld, .degrades, "base contain no observations", "mount point")
    status.age = .seconds(2)
    #expect(findings(status, isRTK: true) == [])
    expect(findings(status), .noRTK, .note, "no receiver has reached RTK", "view of the sky")
  }

  @Test func correctionsThatNoReceiverUsesAreReported() {
    expect(
      findings(CorrectionStatus(name: "my base", state: .idle)), .correctionsUnused, .note, "No open receiver",
      "ntrip use 'my base' --rtcm")
    #expect(findings(CorrectionStatus(name: "base", state: .waitingForPosition)) == [])
    expect(findings(CorrectionStatus(name: "base", state: .waiting)), .correctionsSilent, .note, "yet", "ntrip status")
  }

  @Test func oneGoodReceiverOfTwoIsNoStop() {
    var silent = ReceiverFacts(device: "/dev/ttyUSB1")
    silent.speeds = [9600]
    let found = Diagnosis(
      subject: .gpsd, machine: Self.machine, receivers: [silent, Self.healthy], failure: nil
    ).findings
    #expect(found.map(\.code) == [.silent] && found.map(\.severity) == [.note])
    #expect(found.first?.sentence.hasSuffix("Fixes come from \(Self.port).") == true)
    // If neither of two receivers gives a position, neither finding is downgraded.
    var frozen = Self.healthy
    frozen.qualityFlag = .frozen
    let none = Diagnosis(subject: .gpsd, machine: Self.machine, receivers: [silent, frozen], failure: nil).findings
    #expect(none.first?.severity == .stops)
  }

  @Test func aMissingGrantIsReportedFirst() {
    for denial in [
      AuthorizationDenial.denied(inBackground: false), .restricted(inBackground: false), .undecided(isAsked: true),
      .undecided(isAsked: false),
    ] {
      let failure = LocationFailure.notAuthorized(denial, identity: nil)
      let found = Diagnosis(
        subject: .automatic, machine: Self.machine, receivers: [], failure: failure, client: "alice"
      ).findings
      expect(found, .locationNotGranted, .stops, "Access denied", "sudo locationctl grant alice")
    }
    // "While in use" permission does not help a client in the background.
    for denial in [AuthorizationDenial.inBackground, .notAsked(.notInUse)] {
      let found = Diagnosis(
        subject: .automatic, machine: Self.machine, receivers: [], failure: .notAuthorized(denial, identity: nil),
        client: "alice"
      ).findings
      expect(found, .locationNotGranted, .stops, "in the background", "sudo locationctl grant alice --always")
    }
    expect(
      findings(nil, failure: .notAuthorized(.servicesOff, identity: nil)), .servicesOff, .stops, "switched off",
      "sudo locationctl services on")
    // Nobody has switched them off, and the first step is not the command that discards decisions.
    let lost = findings(nil, failure: .notAuthorized(.decisionsLost, identity: nil))
    expect(
      lost, .servicesOff, .stops, "the file of access decisions is damaged or cannot be read", "journalctl -u locationd"
    )
    #expect(lost.first?.sentence.contains("switched off") == false)
    #expect(lost.first?.command.hasPrefix("journalctl -u locationd ") == true)
    // The client may receive positions, but not the raw output of the receivers.
    expect(
      findings(nil, failure: .notAuthorized(.needsAlways, identity: nil)), .locationNotGranted, .note,
      "Only the machine", "sudo locationctl doctor")
  }

  @Test func aFullDiskIsFound() {
    var machine = Self.machine
    machine.state = StateFolderFacts(path: "/var/lib/locationd", isWritable: true, bytesFree: 4096)
    expect(findings(machine: machine), .stateFull, .degrades, "is full", "df -h /var/lib/locationd")
  }

  @Test func oldPlacesAreFound() throws {
    var machine = Self.machine
    machine.clock = GNSSTime(nanosecondsSince1970: 1_772_582_400 * 1_000_000_000)  // 2026-03-04
    machine.places = ["new": "2025-06-01", "unknown": ""]
    #expect(!findings(machine: machine).contains { $0.code == .placesOld })
    machine.places["old"] = "2025-03-02"
    expect(findings(machine: machine), .placesOld, .note, "addresses of old are older", "locationctl places update")
  }

  @Test func aFolderThatCannotBeWrittenIsFound() {
    var machine = Self.machine
    machine.state = StateFolderFacts(path: "/var/lib/locationd", isWritable: false, bytesFree: nil)
    expect(findings(machine: machine), .stateReadOnly, .degrades, "cannot be written", "LOCATIOND_STATE")
  }

  @Test func breaksOnTheLineAreALooseWire() {
    var facts = ReceiverFacts(device: Self.port)
    facts.speeds = [9600]
    var errors = LineErrors()
    errors.breaks = 3
    facts.lineErrors = errors
    expect(findings(facts), .lineHeldLow, .stops, "always low", "TX")
  }

  @Test func bytesThatTheMachineLostAreNotTheCables() {
    var facts = Self.healthy
    facts.damagedFrames = 10
    var errors = LineErrors()
    errors.overruns = 77
    facts.lineErrors = errors
    expect(findings(facts), .dataDamaged, .degrades, "lost 77 bytes", "cable")
  }

  @Test func aLineThatIsFullIsTooSlow() {
    var facts = Self.healthy
    facts.bytesAtSpeed = 3800
    expect(findings(facts), .lineTooSlow, .degrades, "9600 baud", "115200")
    // On a busy machine bytes arrive late, and then all at once: the times of the receiver count.
    facts.bytesPerReceiverSecond = 420
    #expect(findings(facts) == [])
    facts.bytesPerReceiverSecond = 950
    expect(findings(facts), .lineTooSlow, .degrades, "9600 baud", "115200")
    // If the whole connection is USB, the baud rate has no effect.
    var machine = Self.machine
    machine.ports[0].hasRealSpeed = false
    #expect(findings(facts, machine: machine) == [])
  }

  @Test func aClockThatIsOffIsFound() {
    var facts = Self.healthy
    facts.aheadOfClock = .seconds(3600)
    expect(findings(facts), .clockWrong, .degrades, "3600 s behind", "set-ntp")
    facts.aheadOfClock = .seconds(-90)
    expect(findings(facts), .clockWrong, .degrades, "90 s ahead of", "set-ntp")
    facts.aheadOfClock = .seconds(2)
    #expect(findings(facts) == [])
  }

  /// A passive antenna draws no current and counts as open; if satellites are received, there is no fault.
  @Test func aPassiveAntennaIsNoFault() {
    var facts = Self.healthy
    facts.antenna = .open
    #expect(findings(facts) == [])
    facts.antenna = .short
    expect(findings(facts), .antennaShort, .degrades, "short circuit", "antenna")
  }

  @Test func underVoltageDoesNotStopAReceiverThatTalks() {
    var machine = Self.machine
    machine.power.isUnderVoltage = true
    expect(findings(machine: machine), .underVoltage, .degrades, "too low", "power supply")
    var past = Self.machine
    past.power.wasUnderVoltage = true
    expect(findings(machine: past), .underVoltage, .note, "was too low", "power supply")
    // Indoors, the view of the sky is the first finding, and the power the second.
    var facts = Self.healthy
    facts.hasFix = false
    facts.satellitesTracked = 0
    facts.strongestSignal = nil
    #expect(findings(facts, machine: machine).map(\.code) == [.noSatellites, .underVoltage])
  }

  @Test(arguments: [
    (LocationFailure.noGPSD(address: "localhost:2947"), FindingCode.gpsdAbsent, "No gpsd answers", "gpsd.socket"),
    (.noReceiverAtGPSD(address: "[::1]:2947"), .gpsdWithoutReceiver, "has no receiver", "gpsdctl add /dev/ttyUSB0"),
  ]) func gpsdThatCannotHelpIsNamed(failure: LocationFailure, code: FindingCode, cause: String, command: String) {
    expect(findings(nil, subject: .gpsd, failure: failure), code, .stops, cause, command)
  }

  @Test(arguments: [
    (
      LocationFailure.portInUse(path: port, holder: .process(pid: 9, name: "gpsd")), FindingCode.gpsdOwns,
      "--source gpsd"
    ),
    (.portInUse(path: port, holder: .likely(service: "ModemManager")), .modemManagerHolds, "60-swift-corelocation"),
    (.portInUse(path: port, holder: .unknown), .inUse, "sudo fuser -v /dev/ttyUSB0"),
    (.portInUse(path: port, holder: .ownLock(pid: 4)), .inUseByOurs, "kill 4"),
    (.portInUse(path: port, holder: .process(pid: 5, name: "hciattach")), .bluetoothOnUART, "serial:/dev/serial0"),
    (.cannotOpen(path: port, reason: .system(operation: "open", errno: 71)), .portBroken, "Unplug it"),
    (.cannotOpen(path: port, reason: .vanished), .vanished, "another cable"),
    (.cannotOpen(path: port, reason: .doesNotExist), .noSuchPort, "locationctl devices"),
    (.nothingReceived(path: port, bytesSeen: 0, speeds: [9600]), .silent, "TX"),
    (.nothingReceived(path: port, bytesSeen: 900, speeds: [9600]), .wrongSpeed, "serial:/dev/ttyUSB0@BAUD"),
  ]) func aFailureOfThePortIsNamed(failure: LocationFailure, code: FindingCode, command: String) {
    expect(findings(nil, failure: failure), code, .stops, Self.port, command)
  }

  /// A file that only a checkout has is no remedy on a machine where the package has installed the rules.
  @Test func rulesThatAreInstalledAreApplied() {
    var machine = Self.machine
    let denied = LocationFailure.permissionDenied(path: Self.port, group: "root")
    let held = LocationFailure.portInUse(path: Self.port, holder: .likely(service: "ModemManager"))
    for failure in [denied, held] {
      let command = findings(nil, machine: machine, failure: failure).first?.command
      #expect(command?.hasPrefix("Install the udev rules (60-swift-corelocation.rules)") == true, "\(command ?? "")")
    }
    machine.hasModemManagerRule = true
    expect(
      findings(nil, machine: machine, failure: denied), .nodePrivate, .stops, "Only root may open",
      "sudo udevadm control --reload && sudo udevadm trigger ")
    expect(
      findings(nil, machine: machine, failure: held), .modemManagerHolds, .stops, "searches for a modem",
      "sudo systemctl restart ModemManager ")
  }

  @Test(arguments: [
    (1, "a."), (2, "a. There is 1 more problem of this kind."), (3, "a. There are 2 more problems of this kind."),
  ])
  func problemsOfTheSettingsAreCounted(count: Int, sentence: String) {
    var machine = Self.machine
    machine.configuration.unknown = ["a.", "b.", "c."].prefix(count).map { $0 }
    #expect(findings(machine: machine).map(\.sentence) == [sentence])
  }

  @Test func aPortOfTheDaemonsIsReceivedThroughIt() {
    var machine = Self.machine
    machine.daemons = [4]
    let failure = LocationFailure.portInUse(path: Self.port, holder: .ownLock(pid: 4))
    expect(
      findings(nil, machine: machine, failure: failure), .inUseByOurs, .stops, "in use by locationd (process 4)",
      "locationctl doctor ")
  }

  @Test func theOrderIsBySeverityThenByWhatMendsWhat() {
    var machine = Self.machine
    machine.clock = GNSSTime(nanosecondsSince1970: 0)
    machine.builtOn = CalendarDate(year: 2026, month: 11, day: 1)
    machine.runsModemManager = true
    var facts = Self.healthy
    facts.isFlat = true
    #expect(
      findings(facts, machine: machine).map(\.code) == [.flatFix, .clockUnset, .modemManagerMayProbe])
  }
}
