import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy

/// `locationctl fix`: one fix, or the reason why there is none.
struct FixCommand: ServiceCommand {
  static let configuration = CommandConfiguration(commandName: "fix", abstract: "Give one fix.")

  @Option(
    help: ArgumentHelp(
      """
      Answer as soon as a fix is this accurate (68 % radius), or fail at the timeout; without it, when the accuracy stops \
      improving.
      """,
      valueName: "metres"),
    transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "metres") })
  var accuracy: Double?

  @Option(
    help: ArgumentHelp("Give up after this long (default: 120).", valueName: "seconds"),
    transform: { try Bounds.positive($0, upTo: Bounds.wait, unit: "seconds") })
  var timeout: Double?

  @Option(
    help: ArgumentHelp("How old a good fix may be; 0 asks for a fresh one (default: 2).", valueName: "seconds"),
    transform: { try Bounds.notNegative($0, upTo: Bounds.watch, unit: "seconds") })
  var maxAge: Double?

  @Flag(help: "With --accuracy, give the best fix at the timeout instead of failing; \"accuracyMet\" is then false.")
  var orBest = false

  @Flag(help: "Give the last known fix instead of failing, marked as cached.")
  var orLast = false

  @Flag(help: "With no receiver at all, wait for one to appear.")
  var wait = false

  @OptionGroup var style: StyleOptions
  @OptionGroup var purpose: PurposeOption
  @OptionGroup var origin: SourceOptions

  func validate() throws {
    if orBest, accuracy == nil { throw ValidationError("Give --accuracy with --or-best.") }
  }

  func execute() throws -> CommandStatus {
    let source = try origin.resolved()
    return Self.withService(source, purpose: purpose.text) { host in
      OneShotRun(host: host, options: options, style: style.style(forPeople: Results.areForPeople)).execute()
    }
  }

  /// `locationctl fix` without any argument, which needs no parser.
  static func executePlain() throws -> CommandStatus {
    let source = try SourceOptions.fromEnvironment()
    return withService(source) { host in
      OneShotRun(
        host: host, options: OneShotOptions(), style: .format(Results.areForPeople ? .text : .json)
      ).execute()
    }
  }

  private var options: OneShotOptions {
    var options = OneShotOptions(acceptsLastKnown: orLast, waitsForSource: wait)
    options.desiredRadius68 = accuracy.map { Meters($0) }
    if accuracy != nil { options.accuracyRule = orBest ? .preferred : .required }
    if let timeout { options.timeout = .seconds(timeout) }
    if let maxAge { options.maximumAge = .seconds(maxAge) }
    return options
  }
}
