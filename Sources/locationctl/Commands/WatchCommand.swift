import ArgumentParser
import Geodesy
import LocationIPC
import LocationdHost

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

  @Option(help: "How you move, so that the receiver expects it.")
  var activity: Activity?

  @Flag(help: "Tell what the receiver said, and not what the service makes of it.")
  var raw = false

  @Flag(help: "Pause in the background while nothing moves or no fix is to be had, until it is in use again.")
  var autoPause = false

  @Option(
    help: ArgumentHelp("Updates a second, as far as the receiver and its line can do that.", valueName: "hertz"),
    transform: { try Bounds.rate($0) })
  var rate: Int?

  @Flag(help: "Leave the receiver's settings as they are; else what is added is taken back at the end.")
  var keepSettings = false

  @Option(help: ArgumentHelp("End after this many fixes.", valueName: "number"), transform: { try Bounds.count($0) })
  var count: Int?

  @Option(
    help: ArgumentHelp("End after this long.", valueName: "seconds"),
    transform: { try Bounds.positive($0, upTo: Bounds.watch, unit: "seconds") })
  var duration: Double?

  @OptionGroup var style: StyleOptions
  @OptionGroup var purpose: PurposeOption
  @OptionGroup var origin: SourceOptions

  func execute() throws -> CommandStatus {
    let source = try origin.resolved()
    let isRecorded = if case .replay = source { true } else { false }
    let options = UpdateOptions(
      desiredRadius68: accuracy.map { Meters($0) }, distanceFilter: distanceFilter.map { Meters($0) },
      activity: activity, rateHertz: rate,
      setsReceivers: !keepSettings, pausesAutomatically: autoPause, isRaw: raw)
    let plan = StreamRun.Plan(
      options: options,
      style: style.style(forPeople: Results.areForPeople), count: count, duration: duration.map { .seconds($0) },
      isRecorded: isRecorded)
    return Self.withService(source, purpose: purpose.text) { StreamRun(host: $0, plan: plan).execute() }
  }
}

extension Activity: ExpressibleByArgument {}
