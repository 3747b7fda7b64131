import ArgumentParser
import Geodesy
import LocationPolicy

/// Which fix a command waits for, and for how long.
struct FixOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Wait for a fix with at most this radius (68 %), and fail at the timeout. Default: wait until the accuracy stops improving.
      """,
      valueName: "meters"),
    transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "meters") })
  var accuracy: Double?

  @Option(
    help: ArgumentHelp("Give up after this time (default: 120s).", valueName: "time"),
    transform: { try Bounds.time($0, upTo: Bounds.wait) })
  var timeout: Double?

  @Option(
    help: ArgumentHelp(
      "Accept a good fix that is at most this old; 0: always get a new one (default: 2s).", valueName: "time"),
    transform: { try Bounds.timeOrZero($0, upTo: Bounds.watch) })
  var maxAge: Double?

  @Flag(
    help:
      "With --accuracy, print the best fix at the timeout instead of failing. In JSON, the fix then has \"accuracyMet\" false."
  )
  var orBest = false

  @Flag(help: "Print the last known fix instead of failing. It is marked as cached.")
  var orLast = false

  @Flag(help: "Print the last known fix at once, however old it is. No receiver is switched on.")
  var last = false

  @Flag(help: "If there is no receiver, wait for one.")
  var wait = false

  func validate() throws {
    if last, orBest || orLast || wait || accuracy != nil || timeout != nil || maxAge != nil {
      throw ValidationError(
        "--last does not wait for a fix: leave out --accuracy, --timeout, --max-age, --or-best, --or-last and --wait.")
    }
    if orBest, accuracy == nil { throw ValidationError("--or-best requires --accuracy.") }
  }

  /// Whether any of these options was given.
  var areGiven: Bool { givenCount > 0 }

  /// How many of these options were given.
  var givenCount: Int {
    [last, orBest, orLast, wait, accuracy != nil, timeout != nil, maxAge != nil].count(where: \.self)
  }

  var request: OneShotOptions {
    if last { return .lastKnown }
    var options = OneShotOptions(acceptsLastKnown: orLast, waitsForSource: wait)
    options.desiredRadius68 = accuracy.map { Meters($0) }
    if accuracy != nil { options.accuracyRule = orBest ? .preferred : .required }
    if let timeout { options.timeout = .seconds(timeout) }
    if let maxAge { options.maximumAge = .seconds(maxAge) }
    return options
  }
}
