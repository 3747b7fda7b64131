import ArgumentParser

/// The command line's root: what there is, and nothing that is not built yet.
struct LocationCtl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locationctl",
    abstract: "Where this machine is, by the receiver that is attached to it.",
    discussion: """
      Results go to stdout: text on a terminal, one JSON object a line in a pipe. Everything else goes to stderr.
      Exit status: 0 done, 64 bad usage, 65 bad input file, 69 no source of location, 73 cannot write, 75 location \
      unknown by the deadline, 76 protocol broken, 77 denied, 129 hung up, 130 interrupted, 143 terminated.
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
