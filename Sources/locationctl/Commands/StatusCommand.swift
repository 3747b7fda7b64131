import ArgumentParser
import LocationIPC

/// `locationctl status`: what the service is doing, and for whom.
struct StatusCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell what the location service is doing, and for whom.",
    discussion: """
      Without a daemon it says so on stderr, and tells what the service inside a command finds; the status is 0 all the \
      same, and "daemon" is false in the JSON.
      """)

  @Flag(help: "One JSON object; so also in a pipe.")
  var json = false

  func execute() throws -> CommandStatus {
    Self.withService(try SourceOptions.fromEnvironment(), isAboutDaemon: true) {
      Question(host: $0).ask(.status(Question.id)) { event in
        guard case .status(Question.id, let report) = event else { return nil }
        return show(report)
      }
    }
  }

  private func show(_ report: ServiceStatus) -> CommandStatus {
    if report.version == nil {
      Diagnostics.say("No locationd answers: commands find receivers by themselves, one at a time.")
    }
    let asJSON = json || !Results.areForPeople
    return Results.write(asJSON ? StatusJSON.line(report) : StatusTable.text(report)) ?? .done
  }
}
