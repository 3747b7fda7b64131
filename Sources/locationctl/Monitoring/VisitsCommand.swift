import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import TrackFormats

/// `locationctl visits`: where this machine has stayed, as locationd finds out.
struct VisitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits", abstract: "Find out where this machine stays, and list or follow that.",
    discussion: """
      A stay of some minutes is told when it is certain, with the best estimate of when it began and ended; places need not be \
      named before. It goes on while nobody is logged in, until 'visits off'.
      """,
    subcommands: [List.self, Watch.self, On.self, Off.self], defaultSubcommand: List.self)

  /// `visits list`.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List them, oldest first.")
    @Option(
      help: ArgumentHelp("Only those that were not over by then.", valueName: "time"),
      transform: { try LogName.time($0, .from) })
    var from: GNSSTime?
    @Flag(help: "One JSON object a line; so also in a pipe.")
    var json = false

    func execute() -> CommandStatus {
      let asJSON = json || !Results.areForPeople
      return MonitoringQuestion.ask(.visits(list: RegionCommand.list, from: from)) { answer in
        guard case .visits(let visits) = answer else { return nil }
        if visits.isEmpty {
          Diagnostics.say(
            "No visit is known: 'locationctl visits on' begins to look for them, if it has not been given yet.")
        }
        return Results.write(visits.flatMap { asJSON ? EventJSON.object($0).line : Array("\(Self.row($0))\n".utf8) })
          ?? .done
      }
    }

    private static func row(_ visit: Visit) -> String {
      func time(_ time: GNSSTime?, _ otherwise: String) -> String {
        time.flatMap { Timestamp($0)?.iso8601 } ?? otherwise
      }
      let departure = time(visit.departure, visit.hasEnded ? "departure not observed" : "still there")
      return "\(time(visit.arrival, "arrival not observed"))  \(departure)  "
        + EventWords.place(visit.coordinate, visit.horizontalRadius68)
    }
  }

  /// `visits watch`.
  struct Watch: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Print arrivals and departures as they become certain.")
    @OptionGroup var limits: FollowLimits

    func execute() -> CommandStatus {
      Self.withService(.automatic) { EventFollowing(host: $0, limits: limits) { $0.subject == .visits }.execute() }
    }
  }

  /// `visits on`.
  struct On: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "on", abstract: "Look for visits from now on.")
    @Option(help: ArgumentHelp("Run this by /bin/sh -c, as you, on an arrival.", valueName: "command"))
    var onArrival: String?
    @Option(help: ArgumentHelp("Run this on a departure.", valueName: "command"))
    var onDeparture: String?
    @OptionGroup var budget: BudgetOption
    @OptionGroup var purpose: PurposeOption

    func execute() -> CommandStatus {
      MonitoringQuestion.replacing(\.visitsLaunch) {
        MonitoringQuestion.begin(purpose.text, of: "Visit detection") { () throws(FailureSentence) in
          MonitoringLaunch(onEntry: try budget.note(onArrival), onExit: try budget.note(onDeparture))
        } _: {
          .setVisits(list: RegionCommand.list, isOn: true, $0, outlives: true)
        }
      }
    }
  }

  /// `visits off`.
  struct Off: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "off", abstract: "Look for them no more; those that are known stay.")

    func execute() -> CommandStatus {
      MonitoringQuestion.replacing(\.visitsLaunch) {
        MonitoringQuestion.ask(
          .setVisits(list: RegionCommand.list, isOn: false, MonitoringLaunch(), outlives: true)
        ) { _ in nil }
      }
    }
  }
}

/// `locationctl significant`: where this machine comes to, every some 500 m.
struct SignificantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "significant", abstract: "Tell when this machine has come some 500 m further, with little power.",
    discussion: "At most once in five minutes. It goes on while nobody is logged in, until 'significant off'.",
    subcommands: [Watch.self, On.self, Off.self], defaultSubcommand: Watch.self)

  /// `significant watch`.
  struct Watch: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "watch", abstract: "Print a line for each.")
    @OptionGroup var limits: FollowLimits

    func execute() -> CommandStatus {
      Self.withService(.automatic) {
        EventFollowing(host: $0, limits: limits) { $0.subject == .significantChanges }.execute()
      }
    }
  }

  /// `significant on`.
  struct On: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "on", abstract: "Begin.")
    @Option(help: ArgumentHelp("Run this by /bin/sh -c, as you, for each.", valueName: "command"))
    var onMove: String?
    @OptionGroup var budget: BudgetOption
    @OptionGroup var purpose: PurposeOption

    func execute() -> CommandStatus {
      MonitoringQuestion.replacing(\.significantChangesLaunch) {
        MonitoringQuestion.begin(purpose.text, of: "Monitoring of significant changes") { () throws(FailureSentence) in
          MonitoringLaunch(onEntry: try budget.note(onMove))
        } _: {
          .setSignificantChanges(list: RegionCommand.list, isOn: true, $0, outlives: true)
        }
      }
    }
  }

  /// `significant off`.
  struct Off: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "off", abstract: "End.")

    func execute() -> CommandStatus {
      MonitoringQuestion.replacing(\.significantChangesLaunch) {
        MonitoringQuestion.ask(
          .setSignificantChanges(list: RegionCommand.list, isOn: false, MonitoringLaunch(), outlives: true)
        ) { _ in nil }
      }
    }
  }
}
