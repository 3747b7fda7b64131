import ArgumentParser
import LocationIPC
import LocationPolicy

/// `locationctl significant`: reports significant location changes, about every 500 m.
struct SignificantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "significant", abstract: "Detect moves of about 500 meters or more, with little power.",
    discussion:
      "There is at most one event in 5 minutes. Detection continues while nobody is logged in, until 'significant off'.",
    subcommands: [Watch.self, On.self, Off.self], defaultSubcommand: Watch.self)

  struct Watch: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Print one line per significant change.")
    @OptionGroup var limits: EventLimits

    func execute() -> CommandStatus {
      MonitoringSession.open { EventStream($0, limits) { $0.subject == .significantChanges }.run() }
    }
  }

  struct On: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "on", abstract: "Start detecting significant changes.")
    @Option(
      help: ArgumentHelp(
        "After each significant change, run this command as your user, with /bin/sh.", valueName: "command"))
    var onMove: String?
    @OptionGroup var budget: BudgetOption
    @OptionGroup var purpose: PurposeOption
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      MonitoringSession.replacing(\.significantChangesLaunch) {
        MonitoringSession.begin(purpose.text, of: "Monitoring of significant changes") { () throws(FailureMessage) in
          MonitoringLaunch(onEntry: try budget.note(onMove))
        } _: {
          .setSignificantChanges(list: RegionCommand.list, isOn: true, $0, outlives: true)
        }
      }.confirmed("Detecting significant changes until 'locationctl significant off'.")
    }
  }

  struct Off: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "off", abstract: "Stop detecting significant changes.")

    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      MonitoringSession.replacing(\.significantChangesLaunch) {
        MonitoringSession.request(
          .monitoring(.setSignificantChanges(list: RegionCommand.list, isOn: false, MonitoringLaunch(), outlives: true))
        ) { .done }
      }.confirmed("Stopped detecting significant changes.")
    }
  }
}
