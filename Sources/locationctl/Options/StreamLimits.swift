import ArgumentParser

/// `--count` and `--duration`, for commands that print until they are stopped.
struct StreamLimits<Item: StreamItem>: ParsableArguments {
  @Option(
    name: [.customShort("n"), .long], help: ArgumentHelp("End after this many \(Item.plural).", valueName: "number"),
    transform: { try Bounds.count($0) })
  var count: Int?

  @Option(
    help: ArgumentHelp("End after this time.", valueName: "time"),
    transform: { try Bounds.time($0, upTo: Bounds.watch) })
  var duration: Double?

  /// The duration in the standard library's type.
  var time: Duration? { duration.map { .seconds($0) } }
}

/// The items that a command prints.
protocol StreamItem: Sendable {
  static var plural: String { get }
}

enum FixItem: StreamItem { static let plural = "fixes" }
enum SkyItem: StreamItem { static let plural = "updates" }
enum SentenceItem: StreamItem { static let plural = "sentences" }
enum EventItem: StreamItem { static let plural = "events" }
