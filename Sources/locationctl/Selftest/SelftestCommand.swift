import ArgumentParser
package import Diagnosis
import LinuxIO
import LocationdService

/// `locationctl selftest`: measures whether everything works on this machine, and writes a report for an issue.
struct SelftestCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest", abstract: "Check this machine and its receiver, and write a report without private data.",
    discussion: """
      Measures the time to the first fix, the updates while the receiver stands still, and the load of the machine. Then it compares \
      the receiver's settings with those before the test, and measures the time to a fix when positions are requested again (second \
      start). On a terminal, it asks you to unplug the receiver and plug it in again. It prints one line for each check; in a pipe, \
      each line is a JSON object. The exit status is 0 if no check failed.

      The report contains no position, serial number, hardware address, host name or path. On a terminal, it is shown, and \
      written only if you agree.
      """)

  @Option(
    help: ArgumentHelp(
      "Measure the updates for this many minutes (default: 10). The whole test takes at least a minute more, plus the time to wait for fixes and to unplug the receiver.",
      valueName: "minutes"),
    transform: { try Bounds.positive($0, upTo: 1440, unit: "minutes") })
  var minutes: Double = 10

  @Option(
    help: ArgumentHelp("Wait at most this long for each fix (default: 120s).", valueName: "time"),
    transform: { try Bounds.time($0, upTo: Bounds.wait) })
  var timeout: Double = 120

  @Flag(name: .customLong("no-replug"), help: "Do not ask to unplug the receiver.")
  var skipsReplug = false

  @Option(
    help: ArgumentHelp("Write the report to this file; - prints it instead of the list.", valueName: "file"))
  var report: String?

  @OptionGroup var origin: SourceOptions
  @OptionGroup var style: ReportStyle
  @OptionGroup var plain: PlainOption

  func validate() throws {
    if report == "" { throw ValidationError("The name of the report is empty: specify a file, or - to print it.") }
  }

  func execute() throws -> CommandStatus {
    let source = try origin.resolved()
    switch source {
    case .replay, .wifi:
      throw ValidationError("A self-test needs a receiver: use --source auto, serial:PATH, gpsd or simulator.")
    case .automatic, .serial, .gpsd, .network, .simulator, .daemon, .receiver: break
    }
    if let report, report != "-", let failure = ReportFile(path: report).check() { return failure }
    let run = SelftestRun(
      source: source, minutes: minutes, timeout: .seconds(timeout),
      asksReplug: !skipsReplug && Terminal.isTerminal(0) && Terminal.isTerminal(2), skipsReplug: skipsReplug)
    do throws(CommandStatus) {
      try run.execute()
    } catch {
      return error
    }
    return show(run)
  }

  private func show(_ run: SelftestRun) -> CommandStatus {
    let checks = run.test.checks
    let report = SelftestReport(run.test, of: run.receivers, source: run.source, minutes: minutes)
    if self.report == "-" {
      if let failure = Results.write(report.text) { return failure }
      return CommandStatus(checks)
    }
    let list = style.isJSON ? SelftestList.jsonLines(checks) : SelftestList.text(checks)
    if let failure = Results.write(list) { return failure }
    if let file = self.report {
      let written = ReportFile(path: file).write(report.text)
      guard written == .done else { return written }
    }
    return CommandStatus(checks)
  }
}

extension CommandStatus {
  /// The exit status of `selftest`: that of the first failed check, with the meanings that other commands use.
  ///
  /// | failed check | status |
  /// |---|---|
  /// | a finding of `doctor` | as `doctor` |
  /// | the updates, the radius, the settings | 76: the receiver sends unexpected data |
  /// | all others | 75 |
  package init(_ checks: [SelfTestCheck]) {
    guard let failed = checks.first(where: { $0.outcome == .failed }) else {
      self = .done
      return
    }
    if let code = failed.findings.first {
      self = CommandStatus(code)
      return
    }
    switch failed.id {
    case .updates, .radius, .settings: self = .protocolError
    case .machine, .receiver, .firstFix, .clock, .secondStart, .replug, .cpu, .memory, .temperature, .cardWrites, .wifi,
      .bluetooth, .pps:
      self = .locationUnknown
    }
  }
}
