import ArgumentParser
import LinuxIO
import LocationReplay
import LocationdHost
import LocationdService

/// `locationctl evaluate`: measures the errors of fixes, and of the service's output computed from them, against true
/// positions.
struct EvaluateCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure the errors of the fixes in a log, and of the positions that the service computes from them.",
    discussion: """
      LOG is a capture, an NMEA log, a UBX log or a CSV file. The header of the CSV file names the columns t, lat and lon; hacc, \
      speed, course, true_lat and true_lon are optional. t is in seconds; lat, lon, course, true_lat and true_lon in degrees; hacc \
      in meters, as in u-blox's hAcc; speed in meters per second. An empty value is unknown. Other columns and any order are \
      allowed. The log is played through the service as fast as possible. The file of --truth is NMEA with GGA, or CSV with t, \
      lat and lon. Between two true positions that are at most 1.5 s apart, the truth is interpolated; in longer gaps nothing is \
      compared. If one of the two files has no dates, its times are shifted by whole days to match the other file.

      raw: the receiver's own fixes. causal: the service's immediate output. lagged: the service's output some seconds \
      later; latency is that delay. inside50, inside68, inside95: the radius is scaled to 50, 68 and 95 % with a Rayleigh \
      distribution; each value is the share of errors inside the scaled radius. A calibrated radius has 0.5, 0.68 and 0.95. \
      beyond3: the share of errors larger than three times the radius, ideally near 0. inside68Interval, beyond3Interval: 95 % \
      intervals of these two, from resampled blocks of 60 s, because errors of neighboring fixes are alike; they need three minutes \
      of fixes. fifths: the same shares for five groups of fixes, by the size of their radius. recovery: the time until the causal \
      output is right again after the receiver has been wrong for a while.
      """)

  @Argument(help: ArgumentHelp("The recording of the receiver.", valueName: "log"))
  var log: String

  @Option(
    help: ArgumentHelp("The true positions. Default: the columns true_lat and true_lon of the log.", valueName: "file"))
  var truth: String?

  @OptionGroup var report: ReportStyle

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
            "\(TerminalText.sanitized(log)) does not contain the true positions: add --truth FILE, with a file that contains them.",
            .usage)
        }
        let status = CommandSession.withHostedService(.replay(path: log), realtime: false) { session, _ in
          RecordedFixes(session, to: run).run()
        }
        guard status == .done else { return status }
      }
      let errors = EvaluationReport(try run.comparison(of: log))
      return Results.write(report.isJSON ? errors.json : errors.text) ?? .done
    } catch {
      return Diagnostics.report(error)
    }
  }
}
