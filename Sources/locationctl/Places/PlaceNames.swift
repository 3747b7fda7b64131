import ArgumentParser
import Geodesy
import LocationPolicy
import PlacesCore
import TrackFormats

/// `--place`.
struct PlaceOption: ParsableArguments {
  @Flag(help: "Add the place, from the data on this machine.")
  var place = false

  /// The names; `nil` without the option. Throws the message if there is no data.
  func names() throws(FailureMessage) -> PlaceNames? { place ? PlaceNames(try PlaceData.open()) : nil }

  /// Rejects the option for a format that has no room for a place.
  func validate(_ style: StyleOptions) throws {
    guard place else { return }
    if style.template != nil || ![nil, .json, .text].contains(style.format) {
      throw ValidationError("--place is for text and JSON: leave it out.")
    }
  }
}

/// The names of the places of fixes, visits and logs. They come from files on this machine only: many positions are never sent to a
/// server.
final class PlaceNames {
  private let data: PlaceData
  private let languages = LanguageOption.ofEnvironment
  /// The towns of cells of a thousandth of a degree.
  private var towns: [SIMD2<Int32>: String?] = [:]
  private static let mostTowns = 10_000
  /// A town is known at this accuracy, where no house and no street is.
  private static let townAccuracy = Meters(1000)
  /// What the licenses require to be shown with the names that were found.
  private(set) var attributions: [String] = []

  init(_ data: PlaceData) { self.data = data }

  /// The place at a position, as precise as its radius permits; `nil` if the data has none.
  func place(at coordinate: Coordinate, radius: Meters?) -> FoundPlace? {
    let query = ReverseQuery(coordinate, accuracy: radius, languages: languages)
    guard let place = try? data.finder.place(at: query) else { return nil }
    for text in place.attributions where !attributions.contains(text) { attributions.append(text) }
    return FoundPlace(place, data, nil)
  }

  func place(of located: LocatedFix) -> FoundPlace? {
    place(at: located.fix.coordinate, radius: located.fix.horizontalRadius68)
  }

  /// The town, the region and the country of a position, or the sea; `nil` if the data has none.
  func town(at coordinate: Coordinate) -> String? {
    func cell(_ degrees: Double) -> Int32 { Int32((degrees * 1000).rounded(.down)) }
    let key = SIMD2(cell(coordinate.longitude.degrees), cell(coordinate.latitude.degrees))
    if let known = towns[key] { return known }
    let found = place(at: coordinate, radius: Self.townAccuracy)
    let parts = [found?.place.locality, found?.place.administrativeArea, found?.country]
    let names = parts.compactMap(\.self).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let town = names.isEmpty ? found?.place.ocean : names.joined(separator: ", ")
    if towns.count >= Self.mostTowns { towns.removeAll(keepingCapacity: true) }
    towns[key] = .some(town)
    return town
  }

  /// A line of JSON with the place of its position.
  static func adding(_ found: FoundPlace?, to line: [UInt8]) -> [UInt8] {
    guard let found, line.suffix(2).elementsEqual([UInt8(ascii: "}"), UInt8(ascii: "\n")]) else { return line }
    var bytes = Array(line[..<(line.count - 2)])
    bytes += Array(",\"place\":".utf8)
    bytes += FoundPlaceKey.object(found).closed
    bytes += Array("}\n".utf8)
    return bytes
  }

  /// Prints what the licenses require, for output without room for it.
  func printAttributions() {
    guard !attributions.isEmpty else { return }
    Diagnostics.print("Places: \(TerminalText.sanitized(attributions.joined(separator: "; "), limit: 400)).")
  }
}
