import ArgumentParser
import Evaluation
import LinuxIO
import LocationdHost
import Replay

/// `locationctl evaluate`: how far fixes, and what the service makes of them, are off the truth.
struct EvaluateCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Say how far a log's fixes, and what the service makes of them, are off the truth.",
    discussion: """
      LOG is a capture, an NMEA or a UBX log, or CSV with a header that names the columns t, lat and lon and may name hacc, \
      speed, course, true_lat and true_lon (seconds, degrees, metres, m/s; what is empty is unknown; other columns and any \
      order are allowed). It is played through the service as fast as it goes. The truth is NMEA with GGA, or CSV with t, lat \
      and lon; between two of its points no more than 1.5 s apart it is interpolated, elsewhere nothing is compared. A truth \
      without dates is put beside the log by whole days.

      raw: the receiver's own fixes. causal: the service's answer at once. lagged: its answer some seconds later, of which \
      latency tells how many. inside50, inside68, inside95, beyond3: the shares of the errors inside the radius scaled to 50, 68 \
      and 95 %, and beyond three times the radius; a true radius has 0.5, 0.68, 0.95 and next to nothing.
      """)

  @Argument(help: ArgumentHelp("What the receiver said.", valueName: "log"))
  var log: String

  @Option(help: ArgumentHelp("Where it truly was; without it the log's own true columns.", valueName: "file"))
  var truth: String?

  @Flag(help: "One JSON object, also on a terminal.")
  var json = false

  func execute() throws -> CommandStatus {
    do throws(FailureSentence) {
      let reference: Reference? =
        if let truth { try EvaluationInput.reference(truth) } else { nil }
      let format = try EvaluationInput.format(of: log)
      let run = EvaluationRun(reference: reference)
      if format == .unknown {
        try EvaluationInput.rows(of: log, into: run)
      } else {
        guard reference != nil else {
          throw FailureSentence(
            "\(TerminalText.sanitized(log)) does not tell where it truly was: name that with --truth FILE.", .usage)
        }
        let status = Self.withHost(.replay(path: log), realtime: false) { RecordedFixes(host: $0, run: run).execute() }
        guard status == .done else { return status }
      }
      let report = EvaluationReport(try run.comparison(of: log))
      let isForPeople = Results.areForPeople && !json
      return Results.write(isForPeople ? report.text : report.json) ?? .done
    } catch {
      return Diagnostics.end(error)
    }
  }
}
