import ArgumentParser
import Geodesy
import Regions
import TrackFormats

/// `locationctl distance`: prints the distance to a place, and its direction.
struct DistanceCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "distance", abstract: "Print the distance to a position or a region.",
    discussion: """
      The distance is the length of the shortest path over the WGS 84 ellipsoid. For a region, the path ends at the center. JSON also \
      has the distance to the border of the region, and whether the path begins inside the region.
      """)

  @OptionGroup var target: TargetOption
  @OptionGroup var origin: OriginOptions
  @OptionGroup var style: RelationStyle
  @OptionGroup var plain: PlainOption

  func execute() throws -> CommandStatus { try target.measure(origin, style, RelationText.distance) }
}

/// `locationctl bearing`: prints the direction to a place, and its distance.
struct BearingCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "bearing", abstract: "Print the direction to a position or a region.",
    discussion: """
      The bearing is the direction in which the shortest path begins, in degrees clockwise from true north. On a long path, the \
      direction changes along the way.
      """)

  @OptionGroup var target: TargetOption
  @OptionGroup var origin: OriginOptions
  @OptionGroup var style: RelationStyle
  @OptionGroup var plain: PlainOption

  func execute() throws -> CommandStatus { try target.measure(origin, style, RelationText.bearing) }
}

/// `--to`.
struct TargetOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The position, such as 47.3769,8.5417 or any other notation, or the name of one of your regions.",
      valueName: EndpointArgument.valueName),
    transform: { try EndpointArgument.parse($0) })
  var to: EndpointArgument

  /// Prints the relation of the target to the origin; returns the exit status.
  func measure(
    _ origin: OriginOptions, _ style: RelationStyle, _ text: @escaping (PlaceRelation) -> String
  ) throws -> CommandStatus {
    let regions: [String: Region]
    do throws(CommandStatus) {
      // An unknown name fails before the user has to wait for a position.
      regions = try origin.regions(and: [to])
    } catch {
      return error
    }
    let (target, region): (Coordinate, Region?)
    switch to {
    case .place(let place): (target, region) = (place, nil)
    case .region(let name, _):
      guard let found = regions[name] else { return .usage }
      (target, region) = (found.shape.middle, found)
    }
    return try origin.measure(regions) { place, located in
      let relation = PlaceRelation(from: place, to: target, region: region, origin: located)
      return Results.write(style.bytes(relation, text)) ?? .done
    }
  }
}

/// `--json`, `--text` and `--template`; without any, text on a terminal and JSON in a pipe.
struct RelationStyle: ParsableArguments {
  @OptionGroup var report: ReportStyle
  @Option(
    help: ArgumentHelp(
      "Print a line in this format: %{distance} or any other JSON key, \\n, \\t, %%.", valueName: "template"),
    transform: { text in
      do throws(TemplateError) {
        return try KeyTemplate<RelationKey>(parsing: text)
      } catch {
        throw ValidationError(error.description(keys: RelationKey.names))
      }
    })
  var template: KeyTemplate<RelationKey>?

  func validate() throws {
    if template != nil, report.json || report.text {
      throw ValidationError("Use only one of --json, --text and --template.")
    }
  }

  func bytes(_ relation: PlaceRelation, _ text: (PlaceRelation) -> String) -> [UInt8] {
    if let template { return template.line(relation) }
    return report.isJSON ? RelationKey.line(relation) : TextTable.sentences(text(relation))
  }
}
