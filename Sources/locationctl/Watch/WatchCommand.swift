import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService

/// `locationctl watch`: shows the position as a panel, or prints a line per update, until it is stopped.
struct WatchCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the position continuously: as a panel on a terminal, else one line per update.",
    discussion: """
      The panel shows the position and its radius, the speed, the course, the satellites and the latest events. With --accuracy \
      or --auto-pause, it shows no satellites, because the receiver may be off between positions. Press q or Ctrl-C to end.
      """)

  @Option(
    help: ArgumentHelp("Print only fixes with at most this radius (68 %).", valueName: "meters"),
    transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "meters") })
  var accuracy: Double?

  @Option(
    help: ArgumentHelp("Print only fixes at least this far from the one before.", valueName: "meters"),
    transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "meters") })
  var distanceFilter: Double?

  @Option(help: "How the machine moves. Some receivers adapt to it.")
  var activity: Activity?

  @Flag(help: "Print the receiver's own positions, without the filter of the service.")
  var raw = false

  @Flag(
    help: ArgumentHelp(
      "While the command is in the background, pause if the machine does not move or has no fix.",
      discussion:
        "Updates resume when the command is in the foreground again or, if it never can be, when the machine moves."))
  var autoPause = false

  @Option(
    help: ArgumentHelp(
      "In the background, print updates together, after a time such as 15m or a distance such as 2km.",
      discussion: "A service is always in the background. The command wakes up less often.",
      valueName: "time|distance"),
    transform: { try BatchArgument.parse($0) })
  var batch: DeferralLimits?

  @Option(
    help: ArgumentHelp("Updates per second, if the receiver and its baud rate allow that many.", valueName: "hertz"),
    transform: { try Bounds.rate($0) })
  var rate: Int?

  @Flag(help: "Do not change the settings of the receiver. Without this option, changes are undone at the end.")
  var keepSettings = false

  @OptionGroup var limits: StreamLimits<FixItem>

  @Flag(help: "On a terminal, print one line per update instead of the panel.")
  var lines = false

  @OptionGroup var style: StyleOptions
  @OptionGroup var places: PlaceOption
  @OptionGroup var purpose: PurposeOption
  @OptionGroup var origin: SourceOptions
  @OptionGroup var plain: PlainOption

  func validate() throws {
    try places.validate(style)
    guard batch != nil, accuracy != nil || distanceFilter != nil else { return }
    throw ValidationError(
      "--batch prints all updates of the best accuracy: leave out --accuracy and --distance-filter.")
  }

  func execute() throws -> CommandStatus {
    let names: PlaceNames?
    do throws(FailureMessage) { names = try places.names() } catch { return Diagnostics.report(error) }
    let source = try origin.resolved()
    let isRecorded = if case .replay = source { true } else { false }
    let options = UpdateOptions(
      desiredRadius68: accuracy.map { Meters($0) }, distanceFilter: distanceFilter.map { Meters($0) },
      activity: activity, rateHertz: rate,
      setsReceivers: !keepSettings, pausesAutomatically: autoPause, isRaw: raw)
    var plan = FixStream.Plan(
      options: options,
      style: style.style(forPeople: Results.areForPeople), notations: style.notations.styles, count: limits.count,
      duration: limits.time, isRecorded: isRecorded, isPanel: isPanel)
    plan.names = names
    plan.batch = batch
    let status = CommandSession.withService(source, purpose: purpose.text) { FixStream($0, plan).run() }
    if plan.style != .format(.json) { names?.printAttributions() }
    return status
  }
}

extension WatchCommand {
  /// Whether to draw the panel: on a terminal that can be redrawn, if the user has selected no output format.
  private var isPanel: Bool {
    let terminal = ProcessEnvironment.value("TERM") ?? ""
    return Results.areForPeople && !lines && batch == nil && !places.place && !style.isChosen && !Redrawing.isPlain
      && !terminal.isEmpty
  }
}

extension Activity: NamedArgument {}
