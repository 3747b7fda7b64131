import ArgumentParser
import Geodesy
import LinuxIO
import Regions
import TrackFormats

/// `locationctl sort`: prints places in the order of their distance.
struct SortCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "sort", abstract: "Sort the places of a file by their distance.",
    discussion: """
      Reads GPX waypoints, GeoJSON or KML features, CSV with the columns lat and lon, or lines of LAT,LON,NAME in any notation. Prints \
      the nearest place first, with distance and bearing from the position of this machine, or from --from.
      """)

  @Argument(help: ArgumentHelp("The file to read; - is standard input.", valueName: "file"))
  var file = "-"

  @Option(
    help: ArgumentHelp("Print only this many places.", valueName: "number"), transform: { try Bounds.count($0) })
  var nearest: Int?

  @OptionGroup var origin: OriginOptions
  @OptionGroup var report: ReportStyle
  @Option(
    help: ArgumentHelp(
      "Print a line in this format for each place: %{name} or any other JSON key, \\n, \\t, %%.", valueName: "template"),
    transform: { text in
      do throws(TemplateError) {
        return try KeyTemplate<PlaceKey>(parsing: text)
      } catch {
        throw ValidationError(error.description(keys: PlaceKey.names))
      }
    })
  var template: KeyTemplate<PlaceKey>?
  @OptionGroup var plain: PlainOption

  func validate() throws {
    if template != nil, report.json || report.text {
      throw ValidationError("Use only one of --json, --text and --template.")
    }
    if file == "-", Terminal.isTerminal(0) {
      throw ValidationError("Specify a file of places, or send one to standard input.")
    }
  }

  func execute() throws -> CommandStatus {
    let places: [NamedPlace]
    do throws(FailureMessage) {
      places = try PlaceFile(path: file).read()
    } catch {
      return Diagnostics.report(error)
    }
    let regions: [String: Region]
    do throws(CommandStatus) {
      regions = try origin.regions(and: [])
    } catch {
      return error
    }
    return try origin.measure(regions) { from, located in
      Results.write(bytes(Self.sorted(places, from: from, located, nearest: nearest))) ?? .done
    }
  }

  /// The nearest place first; places at the same distance keep the order of the file.
  private static func sorted(
    _ places: [NamedPlace], from origin: Coordinate, _ located: LocatedFix?, nearest: Int?
  ) -> ArraySlice<SortedPlace> {
    let sorted = places.map { SortedPlace($0, from: origin, located) }
      .sorted { $0.relation.way.distance < $1.relation.way.distance }
    return sorted.prefix(nearest ?? sorted.count)
  }

  private func bytes(_ sorted: ArraySlice<SortedPlace>) -> [UInt8] {
    if let template { return sorted.flatMap { template.line($0) } }
    if report.isJSON { return sorted.flatMap { PlaceKey.line($0) } }
    let rows = sorted.map { place in
      let bearing = place.relation.bearing.map { "\(RelationText.degrees($0)) \(CompassPoint($0).letters)" } ?? ""
      let position = CoordinateStyle(.decimal, precision: 5).text(place.place.coordinate) ?? "?"
      return [
        RelationText.length(place.relation.way.distance), bearing, position,
        TerminalText.sanitized(place.place.name ?? ""),
      ]
    }
    return TextTable.aligned([["DISTANCE", "BEARING", "POSITION", "NAME"]] + rows)
  }
}
