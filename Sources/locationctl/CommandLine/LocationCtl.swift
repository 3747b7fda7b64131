import ArgumentParser
import LocationIPC

/// The root of the command line, with all implemented commands.
struct LocationCtl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locationctl",
    abstract: "Get the position of this machine from a GNSS (GPS) receiver or from Wi-Fi.",
    discussion: """
      Results go to standard output: text on a terminal, one JSON object per line in a pipe. 'nmea', 'capture', \
      'simulate' and the exports print their own formats instead. Everything else goes to standard error. 'man locationctl' has examples.

      Times: 30s, 2m, 1h30m; a bare number is in seconds. Moments: 2026-03-01, 2026-03-01T12:30Z, 19:00, today, yesterday, -2h.

      Exit status: 0 done, 64 wrong usage, 65 bad input file, 66 no such place or no data, 69 no source of location, 73 cannot write, 75 no position before \
      the timeout, 76 no usable answer, or false data from a receiver, 77 access denied, 129 terminal closed, 130 interrupted, \
      143 terminated.
      """,
    version: Version.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Position",
        subcommands: [
          FixCommand.self, WatchCommand.self, SkyCommand.self, NMEACommand.self, DistanceCommand.self,
          BearingCommand.self,
          MapCommand.self, SortCommand.self, PlacesCommand.self, TimezoneCommand.self,
        ]),
      CommandGroup(
        name: "Receivers and the service",
        subcommands: [
          DevicesCommand.self, StatusCommand.self, DoctorCommand.self, SelftestCommand.self, ConfigCommand.self,
          WiFiCommand.self, NTRIPCommand.self, GPSDCommand.self, TimeCommand.self,
        ]),
      CommandGroup(
        name: "Logs and places",
        subcommands: [
          LogCommand.self, TripsCommand.self, GeotagCommand.self, RegionCommand.self, VisitsCommand.self,
          SignificantCommand.self, FleetCommand.self,
        ]),
      CommandGroup(
        name: "Access to the location",
        subcommands: [
          GrantsCommand.self, GrantCommand.self, RevokeCommand.self, ServicesCommand.self, AgentCommand.self,
        ]),
      CommandGroup(
        name: "Recordings",
        subcommands: [CaptureCommand.self, ReplayCommand.self, SimulateCommand.self, EvaluateCommand.self]),
      CommandGroup(name: "About this program", subcommands: [VersionCommand.self]),
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

/// `locationctl version`: the same as `--version`.
struct VersionCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version of this program.")

  func execute() -> CommandStatus { Results.write(Array("\(Version.current)\n".utf8)) ?? .done }
}
