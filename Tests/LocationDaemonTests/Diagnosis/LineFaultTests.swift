import Diagnosis
import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationReplay
import LocationdClient
import LocationdHost
import LocationdServer
import LocationdService
import TestSupport
import Testing
import WireFormats

/// The real serial driver on pseudo-terminals.
@Suite(.serialized) struct LineFaultTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Examines a port until it is certainly without fault, or until `enough`, which is called ten times per second, returns
  /// `true`; 300 turns are a guard against hanging.
  private func diagnose(
    _ path: String, minding gpsd: GPSDAddress? = nil, begin: (EmbeddedHost) -> Void = { _ in },
    enough: @escaping (_ facts: ReceiverFacts?, _ turn: Int) -> Bool = { _, _ in false }
  ) throws -> [Finding] {
    let host = try EmbeddedHost(
      source: .serial(path: path, baud: nil), stateFolder: folder.appendingPathComponent("state").path, minding: gpsd)
    let examiner = host.examine()
    begin(host)
    var options = UpdateOptions()
    options.setsReceivers = false
    var failure: LocationFailure?
    _ = try host.serve(.startUpdates(RequestID(1), options), atMost: 300) { received, turn in
      if case .failed(_, let reason)? = received.last {
        failure = reason
        return false
      }
      return !examiner.areSurelyHealthy && !enough(examiner.facts.first, turn)
    } onUpdate: {
      examiner.add($0)
    }
    return Diagnosis(
      subject: .port(path), machine: MachineFacts(), receivers: examiner.facts, failure: failure ?? examiner.openFailure
    ).findings
  }

  /// Each generation at its factory baud rates. Nothing is written to any of the receivers.
  @Test(arguments: [
    (Dialect.nmea23, 4800), (.nmea23, 9600), (.nmea411, 38_400), (.nmea411, 115_200), (.ublox6, 9600), (.ublox7, 9600),
    (.ublox8, 9600), (.ublox9, 38_400), (.mixed, 9600), (.mixed, 57_600), (.ublox9, 460_800),
  ]) func aReceiverThatIsWellRaisesNoAlarm(dialect: Dialect, baud: Int) throws {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.baud = baud
    configuration.rateHertz = 10
    // Its clock is the machine's clock.
    let now = WallClock.now().nanosecondsSince1970
    configuration.startTime = GNSSTime(nanosecondsSince1970: now - now % 1_000_000_000)
    let line = try SimulatedLine(configuration)
    let findings = try diagnose(line.path) { line.begin(on: $0) }
    #expect(findings.filter { $0.severity != .note } == [])
    #expect(line.written == 0)
  }

  @Test func anUntriedBaudRateIsWrong() throws {
    var configuration = SimulatedReceiver.Configuration()
    configuration.baud = 14_400
    configuration.rateHertz = 10
    let line = try SimulatedLine(configuration)
    let findings = try diagnose(line.path) {
      line.begin(on: $0)
    } enough: { facts, _ in
      (facts?.speeds.count ?? 0) >= 9
    }
    #expect(findings.first?.code == .wrongSpeed)
    #expect(findings.first?.sentence.contains("at 38400, 9600, 115200") == true, "\(findings)")
  }

  @Test func aReceiverWithoutDataIsSilent() throws {
    let terminal = try PseudoTerminal()
    let findings = try diagnose(terminal.path, enough: { facts, _ in (facts?.speeds.count ?? 0) >= 2 })
    #expect(findings.first?.code == .silent)
    #expect(findings.first?.sentence.contains("\(terminal.path) received no data") == true)
    #expect(findings.first?.command.contains("TX goes to this port's RX") == true)
  }

  @Test func aReceiverThatStopsHasFallenSilent() throws {
    var configuration = SimulatedReceiver.Configuration()
    configuration.coldStart = .cold
    configuration.rateHertz = 5
    let line = try SimulatedLine(configuration)
    let findings = try diagnose(line.path) {
      line.begin(on: $0)
    } enough: { facts, _ in
      guard let facts else { return false }
      if facts.positionMessages > 4 { line.isMute = true }
      return facts.silence > .seconds(4) && facts.positionMessages > 4
    }
    #expect(findings.first?.code == .fellSilent)
  }

  @Test func aReceiverThatIsPulledOutHasVanished() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    let findings = try diagnose(
      receiver.path,
      enough: { _, turn in
        if turn < 4 { receiver.speak() }
        if turn == 5 { receiver.unplug() }
        return turn > 8
      })
    #expect(findings.first?.code == .vanished)
  }

  @Test func aLoopedBackAdapterReceivesZeros() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    let findings = try diagnose(
      receiver.path,
      enough: { facts, _ in
        receiver.send([UInt8](repeating: 0, count: 20))
        return (facts?.bytes ?? 0) > 100
      })
    #expect(findings.first?.code == .lineHeldLow)
  }

  /// Another process of this package has the port, and waiting for it fails.
  @Test func anotherOfOursThatHasThePortIsNamed() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    let other = try EmbeddedHost(
      source: .serial(path: receiver.path, baud: nil), stateFolder: folder.appendingPathComponent("other").path,
      minding: nil)
    var findings: [Finding]?
    other.onEvent = { _ in }
    other.send(.startUpdates(RequestID(1), UpdateOptions()))
    other.setTimer(after: .milliseconds(200)) {
      findings = try? diagnose(receiver.path, enough: { _, turn in turn > 3 })
      other.stop()
    }
    try other.run()
    #expect(findings?.first?.code == .inUseByOurs)
    #expect(findings?.first?.sentence.contains("(process \(getpid()))") == true, "\(String(describing: findings))")
    #expect(findings?.first?.command == "kill \(getpid())")
  }

  /// A receiver that gpsd has is received through gpsd, and stays gpsd's.
  @Test(.enabled(if: RunningGPSD.isInstalled)) func aReceiverBehindGPSDRaisesNoAlarm() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    let node = try #require(receiver.node)
    let gpsd = try RunningGPSD([node])
    defer { gpsd.kill() }
    let findings = try diagnose(
      node, minding: GPSDAddress(host: "127.0.0.1", port: gpsd.port),
      enough: { _, _ in
        receiver.speak()
        return false
      })
    #expect(findings.filter { $0.severity == .stops } == [], "\(findings)")
    #expect(gpsd.isRunning)
    #expect(try gpsd.devices().contains(node))
  }

  /// gpsd runs and has the port open, and its list of receivers is not consulted.
  @Test(.enabled(if: RunningGPSD.isInstalled)) func gpsdThatHasThePortIsNamed() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    let node = try #require(receiver.node)
    let gpsd = try RunningGPSD([node])
    defer { gpsd.kill() }
    _ = try gpsd.devices()
    let findings = try diagnose(node)
    #expect(findings.first?.code == .gpsdOwns, "\(findings)")
    #expect(findings.first?.command == "locationctl fix --source gpsd")
  }
}
