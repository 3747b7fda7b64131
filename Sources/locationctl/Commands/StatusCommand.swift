import ArgumentParser
import LocationDaemon
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
      StatusRun(host: $0, asJSON: json || !Results.areForPeople).execute()
    }
  }
}
