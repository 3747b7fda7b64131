import Diagnosis
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService

/// The steps of a self-test, each in a session of its own with the service.
final class SelftestRun {
  /// Maximum and minimum time for which the output of the receivers is examined.
  private static let examination = (longest: Duration.seconds(12), shortest: Duration.seconds(4))

  let source: SourceSelection
  private(set) var test = SelfTest()
  /// The receiver whose updates were measured; empty if the service did not list it in time.
  private(set) var receivers: [DeviceDescription] = []
  private let minutes: Double
  private let timeout: Duration
  private let asksReplug: Bool
  private let progress: SelftestProgress
  private let status: ServiceStatus?

  init(source: SourceSelection, minutes: Double, timeout: Duration, asksReplug: Bool, skipsReplug: Bool) {
    (self.source, self.minutes, self.timeout, self.asksReplug) = (source, minutes, timeout, asksReplug)
    status = ServiceStatus.ofDaemon
    progress = SelftestProgress(total: .seconds(30 + minutes * 60))
    test.replug = .skipped(
      reason: skipsReplug ? "--no-replug was given" : "the command is not running on a terminal")
  }

  /// Runs all steps; throws the exit status if a signal ends the command.
  func execute() throws(CommandStatus) {
    defer { progress.end() }
    test.system = MachineSurvey.system
    progress.begin("examining the receiver's output", lasting: .seconds(8))
    let before = try examine()
    guard !before.isHopeless else { return skipRest("no receiver works here") }
    progress.begin("waiting for the first fix", lasting: .seconds(5))
    let start = try watchStart(asksReplug: asksReplug)
    test.firstStart = start.result
    guard case .fix = test.firstStart else { return skipRest("there was no fix") }
    if asksReplug { test.replug = start.replug }
    progress.begin("measuring updates", lasting: .seconds(minutes * 60))
    try measureUpdates()
    progress.begin("comparing the receiver's settings", lasting: .seconds(8))
    let isReleased = try awaitRelease()
    let after = try examine()
    compare(before.receivers, after.receivers, isReleased: isReleased)
    progress.begin("waiting for the second fix", lasting: .seconds(5))
    test.secondStart = try secondStart()
  }

  private func skipRest(_ reason: String) {
    if case .notTried = test.firstStart { test.firstStart = .notTried(reason: reason) }
    test.secondStart = .notTried(reason: reason)
    test.settings = .notExamined(reason: reason)
    if asksReplug { test.replug = .skipped(reason: reason) }
  }

  // MARK: - Steps

  private struct Outcome {
    var findings: [Finding] = []
    var receivers: [ReceiverFacts] = []

    /// Whether waiting for a fix is useless.
    var isHopeless: Bool {
      findings.contains { $0.severity == .stops } && !receivers.contains { $0.positionMessages > 0 || $0.hasFix }
    }
  }

  private func examine() throws(CommandStatus) -> Outcome {
    var outcome = Outcome()
    let status = CommandSession.withReceivers(source) { [self] session, receivers in
      let examination = Examination(
        session, of: receivers, source: source, duration: Self.examination.longest, shortest: Self.examination.shortest,
        status: source == .automatic ? self.status : nil)
      progress.run(on: session)
      do throws(CommandStatus) {
        let (diagnosis, receivers) = try examination.diagnose()
        outcome = Outcome(findings: diagnosis.findings, receivers: receivers)
        return .done
      } catch {
        return error
      }
    }
    guard status == .done else { throw status }
    test.findings += outcome.findings
    test.aheadOfClock = outcome.receivers.compactMap(\.aheadOfClock).first ?? test.aheadOfClock
    return outcome
  }

  private func secondStart() throws(CommandStatus) -> SelfTest.Start { try watchStart(asksReplug: false).result }

  /// Returns values instead of the watch: the watch retains its session, and locationd keeps the receiver open as long
  /// as that client is connected.
  private func watchStart(
    asksReplug: Bool
  ) throws(CommandStatus) -> (result: SelfTest.Start, replug: SelfTest.Replug) {
    var outcome: (result: SelfTest.Start, replug: SelfTest.Replug)?
    let status = CommandSession.withService(source) { [self] session in
      let start = StartWatch(session, timeout: timeout, asksReplug: asksReplug, progress: progress)
      progress.run(on: session)
      let status = start.run()
      outcome = (start.result, start.replug)
      return status
    }
    guard status == .done, let outcome else { throw status }
    return outcome
  }

  private func measureUpdates() throws(CommandStatus) {
    let status = CommandSession.withService(source) { [self] session in
      test.isMeasuringDaemon = session.isServedByDaemon
      let daemon = session.isServedByDaemon ? self.status?.processID : nil
      let watch = UpdateWatch(
        session, duration: .seconds(minutes * 60), process: daemon ?? ProcessEnvironment.processID, progress: progress)
      progress.run(on: session)
      let status = watch.run()
      (test.series, test.load) = (watch.series, watch.load)
      receivers = watch.devices.filter { $0.path == watch.series.device }
      return status
    }
    guard status == .done else { throw status }
  }

  /// Whether the service has closed the receiver's port. A service hosted in this process has done so before its
  /// session ended.
  private func awaitRelease() throws(CommandStatus) -> Bool {
    guard test.isMeasuringDaemon else { return true }
    var isReleased = false
    let status = CommandSession.withService(source) { [self] session in
      let watch = ReleaseWatch(session, path: test.series.device)
      progress.run(on: session)
      let status = watch.run()
      isReleased = watch.isReleased
      return status
    }
    guard status == .done else { throw status }
    return isReleased
  }

  private func compare(_ before: [ReceiverFacts], _ after: [ReceiverFacts], isReleased: Bool) {
    if isUsedByOthers {
      test.settings = .notExamined(reason: "another program still uses the receiver, so the settings were not restored")
      return
    }
    guard isReleased else {
      test.settings = .notExamined(reason: "locationd keeps the receiver open")
      return
    }
    guard let device = test.series.device, let former = before.first(where: { $0.device == device }),
      let latter = after.first(where: { $0.device == device })
    else {
      test.settings = .notExamined(reason: "the receiver's own output was not received before or after the test")
      return
    }
    test.settings = .compared(before: former.output, after: latter.output)
  }

  private var isUsedByOthers: Bool {
    guard let status else { return false }
    return status.logs.contains(where: \.isRunning)
      || status.clients.contains { $0.wantsLocation && $0.processID != ProcessEnvironment.processID }
  }
}
