import ArgumentParser
import LocationIPC

/// The root of the command line: all commands, and none that is not implemented yet.
struct LocationCtl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locationctl",
    abstract: "Get the position of this machine from a GNSS (GPS) receiver or from Wi-Fi.",
    discussion: """
      Results go to standard output: text on a terminal, one JSON object per line in a pipe. Everything else goes to standard \
      error. 'man locationctl' has examples.

      Exit status: 0 done, 64 wrong usage, 65 bad input file, 69 no source of location, 73 cannot write, 75 no position before \
      the timeout, 76 protocol error, 77 access denied, 129 terminal closed, 130 interrupted, 143 terminated.
      """,
    version: Version.current,
    subcommands: [
      FixCommand.self, WatchCommand.self, SkyCommand.self, DevicesCommand.self, StatusCommand.self,
      DoctorCommand.self, ReplayCommand.self, SimulateCommand.self, EvaluateCommand.self, CaptureCommand.self,
      RegionCommand.self, VisitsCommand.self, SignificantCommand.self, WiFiCommand.self, LogCommand.self,
      GeotagCommand.self, GrantsCommand.self, GrantCommand.self, RevokeCommand.self,
      ServicesCommand.self,
      AgentCommand.self,
    ])
}

/// A command that ends with an exit status of the command line contract.
protocol ServiceCommand: ParsableCommand {
  /// Runs the command; throws a usage error that is only detected at this point.
  func execute() throws -> CommandStatus
}

/// The output of `--version`.
enum Version {
  static let current = Release.current
}
