import ArgumentParser
import Geodesy
import LocationDaemon
import LocationIPC

/// `locationctl watch`: a line per update until it is told to end.
struct WatchCommand: ServiceCommand {
  static let configuration = CommandConfiguration(commandName: "watch", abstract: "Give a line for every update.")

  @Option(
    help: ArgumentHelp("Only fixes that are this good (68 % radius).", valueName: "metres"),
    transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "metres") })
  var accuracy: Double?

  @Option(
    help: ArgumentHelp("Only fixes at least this far from the one before.", valueName: "metres"),
    transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "metres") })
  var distanceFilter: Double?

  @Option(help: ArgumentHelp("End after this many fixes.", valueName: "number"), transform: { try Bounds.count($0) })
  var count: Int?

  @Option(
    help: ArgumentHelp("End after this long.", valueName: "seconds"),
    transform: { try Bounds.positive($0, upTo: Bounds.watch, unit: "seconds") })
  var duration: Double?

  @OptionGroup var style: StyleOptions
  @OptionGroup var origin: SourceOptions

  func execute() throws -> CommandStatus {
    let source = try origin.resolved()
    let isRecorded = if case .replay = source { true } else { false }
    let plan = StreamRun.Plan(
      options: UpdateOptions(
        desiredRadius68: accuracy.map { Meters($0) }, distanceFilter: distanceFilter.map { Meters($0) }),
      style: style.style(forPeople: Results.areForPeople), count: count, duration: duration.map { .seconds($0) },
      isRecorded: isRecorded)
    return withHost(source) { StreamRun(host: $0, plan: plan).execute() }
  }
}
