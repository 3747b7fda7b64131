import ArgumentParser
import Geodesy
import LocationPolicy
import Regions
import TrackFormats

/// The origin of a measurement: `--from`, otherwise the position of this machine.
struct OriginOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Measure from this position or region instead of the position of this machine.",
      valueName: EndpointArgument.valueName),
    transform: { try EndpointArgument.parse($0) })
  var from: EndpointArgument?

  @OptionGroup var search: FixOptions
  @OptionGroup var purpose: PurposeOption
  @OptionGroup var origin: SourceOptions

  func validate() throws {
    if from != nil, search.areGiven || origin.source != nil || purpose.text != nil {
      throw ValidationError("With --from, no fix is needed: leave out --from, or leave out the options for a fix.")
    }
  }

  /// The regions that are named by `--from` and by `others`; throws the exit status if one does not exist.
  func regions(and others: [EndpointArgument]) throws(CommandStatus) -> [String: Region] {
    var (names, marked): (Set<String>, Set<String>) = ([], [])
    for case .region(let name, let isMarked) in [from].compactMap(\.self) + others {
      names.insert(name)
      if isMarked { marked.insert(name) }
    }
    return try RegionLookup.find(names, marked: marked)
  }

  /// Passes the position to `body`, with the fix that it is taken from; returns the exit status.
  func measure(
    _ regions: [String: Region], _ body: @escaping (Coordinate, LocatedFix?) -> CommandStatus
  ) throws -> CommandStatus {
    switch from {
    case .place(let place)?: body(place, nil)
    case .region(let name, _)?: regions[name].map { body($0.shape.middle, nil) } ?? .usage
    case nil:
      FixCommand.search(from: try origin.resolved(), purpose: purpose.text, search.request) { located in
        body(located.fix.coordinate, located)
      }
    }
  }
}
