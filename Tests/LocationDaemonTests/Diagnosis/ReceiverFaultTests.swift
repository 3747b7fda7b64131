import Diagnosis
import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationReplay
import LocationdHost
import LocationdServer
import LocationdService
import TestSupport
import Testing

/// The whole service examines a receiver in virtual time, and the first finding is its fault.
@Suite struct ReceiverFaultTests {
  @Test(arguments: ReceiverFault.allCases) func aFaultOfTheReceiverIsTheFirstFinding(fault: ReceiverFault) throws {
    let findings = try Self.diagnose(fault.recording)
    let first = try #require(findings.first)
    let expected = fault.expected
    #expect(first.code == expected.code, "\(findings.map(\.code))")
    #expect(first.sentence.contains(expected.cause), "\(first.sentence)")
    #expect(first.command.contains(expected.command), "\(first.command)")
    #expect(first.device == Recording.device)
    #expect(first.sentence.hasSuffix("."))
  }

  @Test(arguments: Dialect.allCases, [1, 5]) func aReceiverThatIsWellRaisesNoAlarm(dialect: Dialect, hertz: Int) throws
  {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.rateHertz = hertz
    configuration.announcesSimulation = false
    configuration.trajectory = .line(
      from: SimulatedPosition(latitude: -33.9, longitude: 151.2, height: 30), course: Angle(degrees: 200),
      metersPerSecond: 20)
    let findings = try Self.diagnose(Recording(configuration))
    #expect(findings.filter { $0.code != .simulated } == [])
  }

  /// After a cold start, a receiver is without fault as soon as it has a fix.
  @Test(arguments: Dialect.allCases) func aColdStartThatCameToItsEndRaisesNoAlarm(dialect: Dialect) throws {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.coldStart = .cold
    let findings = try Self.diagnose(Recording(configuration, seconds: 45))
    #expect(findings.filter { $0.severity != .note } == [])
  }

  /// Half an hour of a real receiver, with thirteen damaged lines.
  @Test(.enabled(if: RecordedDrive.isThere, Comment(rawValue: RecordedDrive.whatIsMissing)))
  func aRealReceiverRaisesNoAlarm() throws {
    #expect(try Self.diagnose(path: RecordedDrive.logPath, as: .recording) == [])
  }

  static func diagnose(_ recording: Recording) throws -> [Finding] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("fault-\(UUID().uuidString).capture")
    defer { try? FileManager.default.removeItem(at: file) }
    try recording.write(to: file)
    return try diagnose(path: file.path, as: .automatic)
  }

  /// - Parameter subject: the original subject, because a recording is judged like the receiver that was recorded.
  static func diagnose(path: String, as subject: Subject) throws -> [Finding] {
    let host = try EmbeddedHost(source: .replay(path: path), realtime: false, minding: nil)
    let examiner = host.examine()
    var failure: LocationFailure?
    host.onEvent = { event in
      switch event {
      case .update(_, let fix, _): examiner.add(fix)
      case .failed(_, let reason):
        failure = reason
        host.stop()
      case .located, .streamChanged, .sky, .progress, .devices, .done, .status, .log, .received, .authorization, .wifi,
        .monitoring, .fleet, .places, .batch:
        break
      }
    }
    host.send(.startUpdates(RequestID(1), UpdateOptions()))
    try host.run()
    #expect(failure != nil, "the recording was played to its end")
    return Diagnosis(
      subject: subject, machine: MachineFacts(), receivers: examiner.facts, failure: failure
    ).findings
  }
}
