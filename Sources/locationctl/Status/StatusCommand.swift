import ArgumentParser
import LocationIPC

/// `locationctl status`: shows what the service is doing, and for which clients.
struct StatusCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what the location service is doing, and for which users and programs.",
    discussion: """
      If locationd does not run, the command says so on standard error and shows the receivers that commands find by themselves. \
      The exit status is still 0, and "daemon" is false in the JSON.
      """)

  @Flag(help: "Print JSON on a terminal, too.")
  var json = false

  func execute() throws -> CommandStatus {
    CommandSession.withService(try SourceOptions.fromEnvironment(), isAboutDaemon: true) { session in
      session.request(.status) { show($0) }
    }
  }

  private func show(_ report: ServiceStatus) -> CommandStatus {
    if report.version == nil {
      Diagnostics.print("locationd is not running: commands find receivers by themselves, one command at a time.")
    }
    let asJSON = json || !Results.areForPeople
    return Results.write(asJSON ? StatusJSON.line(report) : StatusTable.text(report)) ?? .done
  }
}
