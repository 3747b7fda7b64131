import ArgumentParser
import Evaluation
import LinuxIO
import LocationdHost
import Replay

/// `locationctl evaluate`: measures the errors of fixes, and of the service's output computed from them, against the truth.
struct EvaluateCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure the errors of a log's fixes, and of what the service makes of them.",
    discussion: """
      LOG is a capture, an NMEA log, a UBX log or a CSV file. The header of the CSV file names the columns t, lat and lon; hacc, \
      speed, course, true_lat and true_lon are optional. Units: seconds, degrees, meters, m/s. An empty value is unknown. Other \
      columns and any order are allowed. The log is played through the service as fast as possible. The truth is NMEA with GGA, \
      or CSV with t, lat and lon. Between two points at most 1.5 s apart it is interpolated; in longer gaps nothing is compared. \
      If one of the two files has no dates, they are aligned by whole days.

      raw: the receiver's own fixes. causal: what the service reports at once. lagged: what the service reports some seconds \
      later; latency is that delay. inside50, inside68, inside95: the share of the errors inside the radius scaled to 50, 68 and \
      95 %; a calibrated radius has 0.5, 0.68 and 0.95. beyond3: the share of the errors beyond three times the radius, ideally \
      near 0.
      """)

  @Argument(help: ArgumentHelp("The recording of the receiver.", valueName: "log"))
  var log: String

  @Option(
    help: ArgumentHelp("The true positions. Default: the columns true_lat and true_lon of the log.", valueName: "file"))
  var truth: String?

  @Flag(help: "Print JSON on a terminal, too.")
  var json = false

  func execute() throws -> CommandStatus {
    do throws(FailureMessage) {
      let reference: Reference? =
        if let truth { try EvaluationInput.reference(truth) } else { nil }
      let format = try EvaluationInput.format(of: log)
      let run = EvaluationRun(reference: reference)
      if format == .unknown {
        try EvaluationInput.rows(of: log, into: run)
      } else {
        guard reference != nil else {
          throw FailureMessage(
            "\(TerminalText.sanitized(log)) does not contain the true positions: name a file that does with --truth FILE.",
            .usage)
        }
        let status = CommandSession.withHostedService(.replay(path: log), realtime: false) { session, _ in
          RecordedFixes(session, to: run).run()
        }
        guard status == .done else { return status }
      }
      let report = EvaluationReport(try run.comparison(of: log))
      let isForPeople = Results.areForPeople && !json
      return Results.write(isForPeople ? report.text : report.json) ?? .done
    } catch {
      return Diagnostics.report(error)
    }
  }
}
