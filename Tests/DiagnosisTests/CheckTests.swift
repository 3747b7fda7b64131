import Diagnosis
import Geodesy
import LocationIPC
import Testing

/// What is reported as fine, as wrong and as not checked.
@Suite struct CheckTests {
  private static let port = "/dev/ttyUSB0"

  private static func receiver(_ device: String = port, _ change: (inout ReceiverFacts) -> Void = { _ in })
    -> ReceiverFacts
  {
    var facts = ReceiverFacts(device: device)
    facts.bytes = 2000
    facts.speeds = [4800, 9600]
    facts.bytesAtSpeed = 2000
    facts.timeReceived = .seconds(4)
    facts.validFrames = 40
    facts.positionMessages = 12
    facts.hasFix = true
    facts.listsSatellites = true
    facts.satellitesTracked = 8
    facts.satellitesUsed = 7
    facts.strongestSignal = 44
    facts.horizontalDilution = 0.9
    facts.radius68Meters = 4.04
    facts.aheadOfClock = .milliseconds(120)
    change(&facts)
    return facts
  }

  private static var machine: MachineFacts {
    var facts = MachineFacts()
    var port = PortFacts(path: port, id: "usb", isSource: true, isUSB: true, hasRealSpeed: true)
    port.name = "CP2102"
    facts.ports = [port]
    facts.state = StateFolderFacts(path: "/var/lib/locationd", isWritable: true, bytesFree: 12_500_000_000)
    return facts
  }

  private func checks(
    _ receivers: [ReceiverFacts] = [receiver()], subject: Subject = .automatic, failure: LocationFailure? = nil,
    isServed: Bool = false
  ) -> [Check] {
    var diagnosis = Diagnosis(subject: subject, machine: Self.machine, receivers: receivers, failure: failure)
    diagnosis.isServed = isServed
    return diagnosis.checks
  }

  private func lines(_ checks: [Check]) -> [String] { checks.map { "\($0.name) \($0.state): \($0.text)" } }

  @Test func whatIsFineIsListed() {
    #expect(
      lines(checks(isServed: true)) == [
        "access ok: this user has access to the location", "power ok: enough voltage, no overload, no USB disconnects",
        "receiver ok: /dev/ttyUSB0 (CP2102)", "port ok: /dev/ttyUSB0 is open",
        "baud ok: 9600 baud, 2000 bytes received",
        "data ok: 40 messages, none damaged", "antenna ok: 8 satellites, the strongest at 44 dB-Hz",
        "fix ok: 3D, ±4.0 m, 7 satellites used", "clock ok: agrees with the receiver to within 0.1 s",
        "storage ok: /var/lib/locationd can be written, 12 GB free",
        "service ok: locationd answers, and no limit was reached",
      ])
  }

  /// A recording has no port, no clock and no storage.
  @Test func aRecordingIsCheckedForItsDataOnly() {
    #expect(checks(subject: .recording).map(\.name) == [.recording, .data, .antenna, .fix])
  }

  @Test func whatFollowsFromAFindingIsSkipped() {
    let silent = checks([Self.receiver { $0 = ReceiverFacts(device: Self.port) }])
    let states = silent.filter { [.port, .baud, .data, .antenna, .fix].contains($0.name) }.map {
      "\($0.name) \($0.state)"
    }
    #expect(states == ["port ok", "baud stops", "data skipped", "antenna skipped", "fix skipped"])
    #expect(silent.first { $0.name == .fix }?.text == "not checked, because of 'baud'")
  }

  @Test func withoutAReceiverNothingOfItIsChecked() {
    let none = checks([], failure: .noSource)
    #expect(none.first { $0.name == .receiver }?.state == .stops)
    #expect(none.first { $0.name == .fix }?.text == "not checked, because of 'receiver'")
    #expect(none.filter { $0.state == .skipped }.count == 5)
  }

  @Test func aPortThatCannotBeOpenedStopsTheRest() {
    let busy = checks(
      [], subject: .port(Self.port), failure: .portInUse(path: Self.port, holder: .process(pid: 7, name: "minicom")))
    #expect(busy.first { $0.name == .port }?.state == .stops)
    #expect(busy.filter { $0.state == .skipped }.map(\.name) == [.baud, .data, .antenna, .fix])
  }

  @Test func deniedAccessStopsTheRest() {
    let denied = checks([], failure: .notAuthorized(.denied(inBackground: false), identity: nil), isServed: true)
    #expect(denied.first { $0.name == .receiver }?.text == "not checked, because of 'access'")
    #expect(denied.first?.name == .access && denied.first?.state == .stops)
    #expect(denied.first { $0.name == .port }?.text == "not checked, because of 'access'")
  }

  @Test func everyReceiverHasItsChecks() {
    let both = checks([Self.receiver(), Self.receiver("/dev/ttyUSB1") { $0 = ReceiverFacts(device: "/dev/ttyUSB1") }])
    #expect(both.filter { $0.name == .fix }.map(\.device) == [Self.port, "/dev/ttyUSB1"])
    // The other receiver gives fixes, so this is only good to know.
    #expect(both.first { $0.name == .baud && $0.device == "/dev/ttyUSB1" }?.state == .note)
    #expect(both.filter { $0.name == .fix }.map(\.state) == [.ok, .skipped])
  }

  /// Every finding is part of one check, and of no other.
  @Test func noFindingIsLost() {
    var flawed = Self.receiver()
    flawed.isFlat = true
    flawed.damagedFrames = 10
    flawed.aheadOfClock = .seconds(100)
    flawed.antenna = .short
    var diagnosis = Diagnosis(subject: .automatic, machine: Self.machine, receivers: [flawed], failure: nil)
    diagnosis.bounds = [ReachedBound(ServiceBound(.clients, limit: 256, userID: nil), times: 1, ago: .seconds(5))]
    let inChecks = diagnosis.checks.flatMap(\.findings)
    #expect(inChecks.count == diagnosis.findings.count && Set(inChecks) == Set(diagnosis.findings))
    #expect(Set(FindingCode.allCases.map(\.check)) == Set(CheckName.allCases))
  }
}
