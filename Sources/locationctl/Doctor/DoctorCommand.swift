import ArgumentParser
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService

/// `locationctl doctor`: diagnoses why a receiver gives no position, and how to fix it.
struct DoctorCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find out why there is no position, or only a poor one, and how to fix it.",
    discussion: """
      Checks the machine, then listens to the receivers that 'fix' would open. It writes nothing to them. If locationd runs, \
      locationd keeps the receivers open and sends their data to this command. On a terminal, the command lists \
      all checks, with a sentence and a remedy for each finding. In a pipe, it prints one JSON object per finding, the most \
      important one first. No output on standard output in a pipe means that nothing is wrong. \
      The exit status is that of the first finding, or 0 if there are none or only notes.
      """)

  @Option(
    help: ArgumentHelp(
      "Listen at most this long (default: 12s). The command ends earlier if everything works.", valueName: "time"),
    transform: { try Bounds.time($0, upTo: Bounds.wait) })
  var duration: Double = 12

  @Flag(help: "In JSON, also print one object that lists all checks, not only the findings.")
  var checks = false

  @OptionGroup var origin: SourceOptions
  @OptionGroup var report: ReportStyle
  @OptionGroup var messages: MessageOptions

  func execute() throws -> CommandStatus {
    let source = try origin.resolved()
    let status = source == .automatic ? ServiceStatus.ofDaemon : nil
    return CommandSession.withReceivers(source, realtime: !source.isRecording) { session, receivers in
      Examination(
        session, of: receivers, source: source, duration: .seconds(duration), status: status,
        output: !report.isJSON ? .checklist : checks ? .findingsAndChecks : .findings
      ).execute()
    }
  }
}

extension SourceSelection {
  /// A recording is played as fast as it can be read.
  fileprivate var isRecording: Bool { if case .replay = self { true } else { false } }
}
