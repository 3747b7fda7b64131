import ArgumentParser
import LocationdHost
import LocationdService

/// `locationctl sky`: shows the satellites of every receiver, with or without a fix, until it is stopped.
struct SkyCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "sky",
    abstract: "Show the satellites: where they are, how strong their signals are, and which are used.")

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output format: json or text. The default is a picture on a terminal, else json.", valueName: "format"))
  var format: SkyFormat?
  @Flag(name: .shortAndLong, help: "The same as --format json.")
  var json = false
  @Flag(name: .shortAndLong, help: "The same as --format text.")
  var text = false

  @OptionGroup var limits: StreamLimits<SkyItem>

  @Option(
    help: ArgumentHelp("Give up if no receiver has listed its satellites after this time.", valueName: "time"),
    transform: { try Bounds.time($0, upTo: Bounds.wait) })
  var timeout: Double?

  @Flag(help: "If there is no receiver, wait for one.")
  var wait = false

  @OptionGroup var purpose: PurposeOption
  @OptionGroup var origin: SourceOptions
  @OptionGroup var plain: PlainOption
  @OptionGroup var color: ColorOption

  func validate() throws {
    if [format != nil, json, text].count(where: \.self) > 1 {
      throw ValidationError("Use only one of --format, --json and --text.")
    }
  }

  func execute() throws -> CommandStatus {
    let source = try origin.resolved()
    let isRecorded = if case .replay = source { true } else { false }
    let plan = SkyStream.Plan(
      output: output, count: limits.count, duration: limits.time, timeout: timeout.map { .seconds($0) },
      waitsForSource: wait, isRecorded: isRecorded)
    return CommandSession.withService(source, purpose: purpose.text) { SkyStream($0, plan).run() }
  }

  private var output: SkyStream.Output {
    if let format = format ?? (json ? .json : text ? .text : nil) { return .lines(format) }
    guard Results.areForPeople else { return .lines(.json) }
    // If the terminal cannot be redrawn, print line by line.
    let isDrawn = !Redrawing.isPlain && SkyDisplay.style != nil
    return isDrawn ? .picture : .lines(.text)
  }
}

/// The output format of the satellites when they are not drawn.
package enum SkyFormat: String, CaseIterable, Sendable {
  case json, text
}

extension SkyFormat: ExpressibleByArgument {}
