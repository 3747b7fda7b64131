import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import TrackFormats

/// `locationctl status`: shows what the service is doing, and for which clients.
struct StatusCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what the location service is doing, and for which users and programs.",
    discussion: """
      The position is the last known one, with the accuracy to which you have access; no receiver is started for it.

      If locationd is not running, the command says so on standard error and shows the receivers that commands would open. \
      The exit status is still 0, and "daemon" is false in the JSON. With --prometheus, locationd_up is 0.
      """)

  @OptionGroup var report: ReportStyle

  @Flag(help: "Print metrics in Prometheus' text format, for a file that node_exporter reads.")
  var prometheus = false

  @Flag(help: "With --prometheus, add the coordinates of the last fix.")
  var withPosition = false

  @Flag(
    help:
      "With --prometheus, answer one HTTP request on standard input. locationd-metrics.socket starts the command with this option."
  )
  var http = false

  func validate() throws {
    if withPosition || http, !prometheus { throw ValidationError("--with-position and --http need --prometheus.") }
    if prometheus, report.json || report.text {
      throw ValidationError("Use only one of --prometheus, --json and --text.")
    }
    if http, withPosition {
      throw ValidationError(
        "--http must not print positions, because every program on this machine can read its answer: leave out --with-position."
      )
    }
  }

  func execute() throws -> CommandStatus {
    if http { return MetricsEndpoint.serve { Self.metrics(fix: nil) } }
    if prometheus { return printMetrics() }
    return CommandSession.withService(try SourceOptions.fromEnvironment(), isAboutDaemon: true) { session in
      StatusRequest(session) { show($0, at: $1) }.run()
    }
  }

  private func show(_ status: ServiceStatus, at located: LocatedFix?) -> CommandStatus {
    if status.version == nil {
      Diagnostics.print(
        "locationd is not running: each command opens the receivers itself, and only one command at a time can use a receiver."
      )
    }
    return Results.write(
      report.isJSON
        ? StatusJSON.line(status, at: located)
        : StatusTable.text(
          status, at: located, own: ProcessEnvironment.processID, .ofReports)) ?? .done
  }

  private func printMetrics() -> CommandStatus {
    guard withPosition else { return Results.write(Self.metrics(fix: nil)) ?? .done }
    return CommandSession.withDaemon { session in
      FixSearch(session, .lastKnown) { located in Results.write(Self.metrics(fix: located.fix)) ?? .done }.run()
    }
  }

  /// Requests the status, which contains only what this client has access to.
  private static func metrics(fix: PositionFix?) -> [UInt8] {
    PrometheusText.text(
      ServiceStatus.ofDaemon, fix: fix, own: ProcessEnvironment.processID, now: GNSSTime.ofThisMachine)
  }
}
