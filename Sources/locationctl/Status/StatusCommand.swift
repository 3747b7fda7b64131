import ArgumentParser
import LocationIPC

/// `locationctl status`: shows what the service is doing, and for which clients.
struct StatusCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what the location service is doing, and for which users and programs.",
    discussion: """
      If locationd does not run, the command says so on standard error and shows the receivers that commands would open. \
      The exit status is still 0, and "daemon" is false in the JSON.
      """)

  @OptionGroup var report: ReportStyle

  func execute() throws -> CommandStatus {
    CommandSession.withService(try SourceOptions.fromEnvironment(), isAboutDaemon: true) { session in
      session.request(.status) { show($0) }
    }
  }

  private func show(_ status: ServiceStatus) -> CommandStatus {
    if status.version == nil {
      Diagnostics.print("locationd is not running: each command opens receivers itself, one command at a time.")
    }
    return Results.write(report.isJSON ? StatusJSON.line(status) : StatusTable.text(status, .current)) ?? .done
  }
}
