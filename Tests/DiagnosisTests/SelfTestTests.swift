import Diagnosis
import Geodesy
import TestSupport
import Testing
import WireFormats

/// From observations to the list of checks.
@Suite struct SelfTestTests {
  // MARK: - Observations

  private static let place = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))

  /// A fix per second at distances of up to `meters` from a point; `radius` is what the receiver reports.
  private static func series(
    _ count: Int = 60, meters: Double = 2, radius: Double = 2.5, speed: Double? = 0.05, skipping: Set<Int> = [],
    _ change: (inout PositionFix) -> Void = { _ in }
  ) -> FixSeries {
    var series = FixSeries()
    var random = SplitMix64(seed: 7)
    for second in 0..<count where !skipping.contains(second) {
      let course = Angle(degrees: Double.random(in: 0..<360, using: &random))
      let distance = Meters(Double.random(in: 0...meters, using: &random))
      var fix = PositionFix(
        time: GNSSTime(nanosecondsSince1970: Int64(second) * 1_000_000_000), timeValidity: .confirmed,
        receivedAt: Instant(nanoseconds: Int64(second) * 1_000_000_000),
        coordinate: Geodesic.direct(from: place, course: course, distance: distance).coordinate,
        horizontalRadius68: Meters(radius), kind: .threeDimensional, technologies: .gnss)
      fix.speedMetersPerSecond = speed
      fix.satellitesUsed = 9
      change(&fix)
      series.add(fix)
    }
    return series
  }

  private static func output(_ sentences: [String], seconds: Int = 5) -> OutputSignature {
    var examination = ReceiverExamination(device: "/dev/ttyACM0", dateFloor: nil, at: Instant(nanoseconds: 0))
    for second in 0..<seconds {
      for sentence in sentences {
        let bytes = NMEASentence.encode(sentence)
        examination.receive(bytes.span, at: Instant(nanoseconds: Int64(second) * 1_000_000_000))
      }
    }
    return examination.facts(at: Instant(nanoseconds: Int64(seconds) * 1_000_000_000)).output
  }

  private static let usual = [
    "GPGGA,120000,4717.1000,N,00833.9000,E,1,08,0.9,400.0,M,47.0,M,,",
    "GPRMC,120000,A,4717.1,N,00833.9,E,0.1,,010826,,,A",
  ]

  private static func load(_ change: (inout SystemSample, inout SystemSample) -> Void = { _, _ in }) -> SystemLoad {
    var (first, last) = (SystemSample(), SystemSample())
    (first.processorTime, last.processorTime) = (.seconds(1), .seconds(1.5))
    (first.residentBytes, last.residentBytes) = (20_000_000, 22_000_000)
    (first.writtenBytes, last.writtenBytes) = (0, 30_000)
    (first.machineWrittenBytes, last.machineWrittenBytes) = (5_000_000, 6_000_000)
    (first.temperatureCelsius, last.temperatureCelsius) = (45, 48)
    (first.pulses, last.pulses) = (["pps0": 10], ["pps0": 70])
    change(&first, &last)
    var load = SystemLoad()
    load.add(first, after: .zero)
    load.add(last, after: .seconds(60))
    return load
  }

  private static func healthy() -> SelfTest {
    var test = SelfTest()
    test.firstStart = .fix(after: .seconds(3))
    test.secondStart = .fix(after: .seconds(1))
    test.series = series()
    test.aheadOfClock = .milliseconds(-40)
    test.settings = .compared(before: output(usual), after: output(usual))
    test.replug = .back(fix: .seconds(4))
    test.load = load()
    test.system.radios = [RadioFacts(.wifi, isBlocked: false), RadioFacts(.bluetooth, isBlocked: false)]
    return test
  }

  private static func findings(_ facts: ReceiverFacts? = nil, _ machine: MachineFacts = MachineFacts()) -> [Finding] {
    Diagnosis(subject: .automatic, machine: machine, receivers: facts.map { [$0] } ?? [], failure: nil).findings
  }

  // MARK: - Healthy set-ups

  @Test func aHealthyMachinePassesEveryCheck() {
    let checks = Self.healthy().checks
    #expect(checks.map(\.id) == SelfTestCheckID.allCases)
    #expect(checks.filter { $0.outcome != .passed } == [])
  }

  @Test(arguments: 0..<5) func otherHealthySetupsRaiseNoAlarm(_ number: Int) {
    var test = Self.healthy()
    switch number {
    case 0: test.series = Self.series(300, meters: 0.4, radius: 4)
    case 1: test.series = Self.series(50) { $0.speedMetersPerSecond = 20 }
    case 2:
      // A server without radios, sensors and pulses.
      test.system.radios = []
      test.load = Self.load { first, last in
        (first.temperatureCelsius, last.temperatureCelsius, first.pulses, last.pulses) = (nil, nil, [:], [:])
        (first.writtenBytes, last.writtenBytes) = (nil, nil)
      }
    case 3: test.replug = .skipped(reason: "the command is not running on a terminal")
    default:
      // Sentences that come rarely.
      let rare = Self.output(Self.usual + ["GPZDA,120000,01,08,2026,00,00"], seconds: 1)
      test.settings = .compared(before: Self.output(Self.usual), after: Self.output(Self.usual))
      #expect(Self.output(Self.usual).difference(from: rare) == nil)
    }
    let alarms = test.checks.filter { $0.outcome == .failed || $0.outcome == .warning }
    #expect(alarms == [])
  }

  /// What was not measured is skipped with its reason, and is never passed.
  @Test func anEndedTestSkipsEverything() {
    let checks = SelfTest().checks.filter { ![.machine, .receiver].contains($0.id) }
    #expect(checks.allSatisfy { $0.outcome == .skipped && $0.sentence.contains(": ") }, "\(checks)")
  }

  // MARK: - Faults

  enum Fault: String, CaseIterable, CustomTestStringConvertible {
    case noReceiver, silentReceiver, jammed, rollover, underVoltage, overCurrent, fullDisk, noFirstFix, slowFirstFix,
      missedUpdates,
      manyMissedUpdates, slowUpdates, lostPosition, endsEarly, frozen, overconfident, tooSmallRadius, wrongClock,
      slowClock,
      newMessages,
      missingMessages, otherBaud, otherRate, noSecondFix, slowSecondFix, neverBack, noFixAfterReplug, busyProcessor,
      memory,
      heat, slowedByHeat, cardWrites, blockedWiFi, blockedBluetooth, noPulses

    var testDescription: String { rawValue }
  }

  /// Each fault is found by its own check, and by no other.
  @Test(arguments: Fault.allCases) func aFaultIsFoundByItsCheck(_ fault: Fault) {
    var test = Self.healthy()
    let expected = inject(fault, into: &test)
    let alarms = test.checks.filter { $0.outcome == .failed || $0.outcome == .warning }
    #expect(alarms.map(\.id) == [expected.id], "\(alarms)")
    #expect(alarms.first?.outcome == expected.outcome)
    if let finding = expected.finding { #expect(alarms.first?.findings.first == finding) }
  }

  private typealias Expected = (id: SelfTestCheckID, outcome: SelfTestOutcome, finding: FindingCode?)

  private func inject(_ fault: Fault, into test: inout SelfTest) -> Expected {
    var facts = ReceiverFacts(device: "/dev/ttyACM0")
    (facts.bytes, facts.validFrames, facts.positionMessages, facts.hasFix) = (5000, 50, 10, true)
    var machine = MachineFacts()
    switch fault {
    case .noReceiver:
      test.findings = Self.findings()
      return (.receiver, .failed, .noReceiver)
    case .silentReceiver:
      test.findings = Self.findings(ReceiverFacts(device: "/dev/ttyACM0"))
      return (.receiver, .failed, .silent)
    case .jammed:
      facts.isJammed = true
      test.findings = Self.findings(facts)
      return (.receiver, .failed, .jammed)
    case .rollover:
      facts.reportedDate = CalendarDate(year: 2006, month: 12, day: 17)
      facts.dateFloor = CalendarDate(year: 2026, month: 1, day: 1)
      test.findings = Self.findings(facts)
      return (.receiver, .warning, .weekRollover)
    case .underVoltage:
      machine.power.isUnderVoltage = true
      test.findings = Self.findings(facts, machine)
      return (.machine, .warning, .underVoltage)
    case .overCurrent:
      machine.power.overCurrentEvents = 2
      test.findings = Self.findings(facts, machine)
      return (.machine, .warning, .overCurrent)
    case .fullDisk:
      machine.state = StateFolderFacts(path: "/var/lib/locationd", isWritable: true, bytesFree: 10)
      test.findings = Self.findings(facts, machine)
      return (.machine, .warning, .stateFull)
    case .noFirstFix:
      test.firstStart = .none(after: .seconds(120))
      return (.firstFix, .failed, nil)
    case .slowFirstFix:
      test.firstStart = .fix(after: .seconds(100))
      return (.firstFix, .warning, nil)
    case .missedUpdates:
      test.series = Self.series(100, skipping: [20, 40, 60, 80])
      return (.updates, .warning, nil)
    case .manyMissedUpdates:
      test.series = Self.series(100, skipping: Set(40..<60))
      return (.updates, .failed, nil)
    case .slowUpdates:
      test.series = Self.series(100, skipping: Set((0..<100).filter { $0 % 3 != 0 }))
      return (.updates, .failed, nil)
    case .lostPosition:
      test.series.lost()
      return (.updates, .warning, nil)
    case .endsEarly:
      test.series.end(silentFor: .seconds(15))
      return (.updates, .failed, nil)
    case .frozen:
      test.series = Self.series { $0.qualityFlag = .frozen }
      return (.updates, .failed, nil)
    case .overconfident:
      test.series = Self.series(meters: 12, radius: 2)
      return (.radius, .failed, nil)
    case .tooSmallRadius:
      test.series = Self.series(meters: 5, radius: 2)
      return (.radius, .warning, nil)
    case .wrongClock:
      test.aheadOfClock = .seconds(7200)
      return (.clock, .failed, nil)
    case .slowClock:
      test.aheadOfClock = .seconds(-5)
      return (.clock, .warning, nil)
    case .newMessages:
      let more = Self.output(Self.usual + ["GPZDA,120000,01,08,2026,00,00"])
      test.settings = .compared(before: Self.output(Self.usual), after: more)
      return (.settings, .failed, nil)
    case .missingMessages:
      test.settings = .compared(before: Self.output(Self.usual), after: Self.output([Self.usual[0]]))
      return (.settings, .failed, nil)
    case .otherBaud:
      var (before, after) = (Self.output(Self.usual), Self.output(Self.usual))
      (before.baud, after.baud) = (9600, 115_200)
      test.settings = .compared(before: before, after: after)
      return (.settings, .failed, nil)
    case .otherRate:
      var after = Self.output(Self.usual, seconds: 20)
      after.duration = .seconds(4)
      test.settings = .compared(before: Self.output(Self.usual), after: after)
      return (.settings, .failed, nil)
    case .noSecondFix:
      test.secondStart = .none(after: .seconds(120))
      return (.secondStart, .failed, nil)
    case .slowSecondFix:
      test.secondStart = .fix(after: .seconds(31))
      return (.secondStart, .warning, nil)
    case .neverBack:
      test.replug = .notBack
      return (.replug, .failed, nil)
    case .noFixAfterReplug:
      test.replug = .back(fix: nil)
      return (.replug, .failed, nil)
    case .busyProcessor:
      test.load = Self.load { $1.processorTime = .seconds(50) }
      return (.cpu, .failed, nil)
    case .memory:
      test.load = Self.load { $1.residentBytes = 250_000_000 }
      return (.memory, .warning, nil)
    case .heat:
      test.load = Self.load { $1.temperatureCelsius = 95 }
      return (.temperature, .failed, nil)
    case .slowedByHeat:
      test.load = Self.load { first, _ in first.temperatureCelsius = 82 }
      return (.temperature, .warning, nil)
    case .cardWrites:
      test.load = Self.load { $1.writtenBytes = 3_000_000 }
      return (.cardWrites, .warning, nil)
    case .blockedWiFi:
      test.system.radios[0].isBlocked = true
      return (.wifi, .warning, nil)
    case .blockedBluetooth:
      test.system.radios[1].isBlocked = true
      return (.bluetooth, .warning, nil)
    case .noPulses:
      test.load = Self.load { $1.pulses = $0.pulses }
      return (.pps, .warning, nil)
    }
  }

  @Test func everyFindingBelongsToOneCheck() {
    for code in FindingCode.allCases {
      var test = SelfTest()
      test.findings = Self.findings().map { finding in
        var finding = finding
        finding.code = code
        return finding
      }
      #expect(test.checks.filter { $0.findings == [code] }.count == 1)
    }
  }

  /// The texts have no position and no device name, and are bounded.
  @Test func sentencesRevealNothing() {
    var test = Self.healthy()
    test.findings = Self.findings()
    for check in test.checks {
      #expect(!check.sentence.contains("/dev") && !check.sentence.contains("47."), "\(check.sentence)")
      #expect(check.sentence.utf8.count < 300)
    }
  }

  @Test func numbersAreShort() {
    var test = Self.healthy()
    test.firstStart = .fix(after: .milliseconds(3050))
    #expect(test.checks[2].sentence == "A fix after 3.05 s.")
    test.firstStart = .fix(after: .milliseconds(3500))
    #expect(test.checks[2].sentence == "A fix after 3.5 s.")
    test.firstStart = .fix(after: .seconds(3))
    #expect(test.checks[2].sentence == "A fix after 3 s.")
  }
}
