import ArgumentParser
import LocationPolicy
import LocationdConfiguration
import Regions

/// The arguments that define the actions on events.
struct LaunchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "When the machine enters the region, run this command as your user, with /bin/sh.",
      discussion: "The command gets the event in LOCATION_* variables and, as JSON, on standard input.",
      valueName: "command"))
  var onEnter: String?
  @Option(help: ArgumentHelp("When the machine leaves the region, run this command.", valueName: "command"))
  var onExit: String?
  @Option(
    help: ArgumentHelp(
      "When the state of the region becomes unknown, run this command.",
      discussion: "This happens when there is no usable position for the time --after.",
      valueName: "command"))
  var onUnknown: String?
  @Option(
    help: ArgumentHelp(
      "The time without a usable position after which the state is unknown: 90s, 5m, 1h (default: 60s).",
      valueName: "duration"),
    transform: { try LaunchOptions.duration($0) })
  var after: DurationArgument?
  @Option(
    help: ArgumentHelp(
      "Count an entry only after the machine has been inside for this long: 90s, 5m, 1h.", valueName: "duration"),
    transform: { try LaunchOptions.duration($0) })
  var dwell: DurationArgument?
  @OptionGroup var budget: BudgetOption
  @Flag(help: "Show the event on your desktop.")
  var notify = false

  private static let usualAfter = DurationArgument(seconds: 60)

  private static func duration(_ text: String) throws -> DurationArgument {
    guard let duration = DurationArgument(argument: text), RegionTiming.possible.contains(duration.seconds) else {
      throw ValidationError("Use a duration from 1s to 7d, such as 90s, 5m or 1h30m.")
    }
    return duration
  }

  func validate() throws {
    if after != nil, onUnknown == nil, !notify {
      throw ValidationError("--after requires --on-unknown or --notify.")
    }
  }

  var timing: RegionTiming {
    let unknownAfter = after ?? (onUnknown == nil ? nil : Self.usualAfter)
    return RegionTiming(dwellSeconds: dwell?.seconds, unknownAfterSeconds: unknownAfter?.seconds) ?? RegionTiming()
  }

  /// Stores the commands, and returns the launch settings for the service.
  func noted() throws(FailureMessage) -> MonitoringLaunch {
    MonitoringLaunch(
      onEntry: try budget.note(onEnter), onExit: try budget.note(onExit), onUnknown: try budget.note(onUnknown),
      isShown: notify)
  }
}

/// The time limit of a command.
struct BudgetOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Stop a command that runs longer than this (default: 10, at most 300).", valueName: "seconds"),
    transform: { text in
      guard let seconds = Int(text), (1...300).contains(seconds) else {
        throw ValidationError("Use whole seconds from 1 to 300.")
      }
      return seconds
    })
  var budget: Int?

  /// Stores a command in a place to which only this user can write.
  func note(_ command: String?) throws(FailureMessage) -> CommandToken? {
    try command.map { text throws(FailureMessage) in try SavedCommands.note(text, budgetSeconds: budget) }
  }
}
