import Geodesy
import LinuxIO
import PlacesCore
import PlacesStore
import Regions

/// A place of the imported data, as the center or the border of a region.
enum RegionPlace {
  /// The position of an address. A street without the number that was asked for is no center of a region.
  static func position(of text: String) throws(FailureMessage) -> Coordinate {
    let data = try PlaceData.open()
    let query = ForwardQuery(.text(text), languages: LanguageOption.ofEnvironment)
    let best: Place?
    do throws(PlaceError) { best = try data.finder.places(matching: query).first } catch { throw FailureMessage(error) }
    let advice = data.imported.isEmpty ? ", or import streets with 'locationctl places import FILE'" : ""
    let shown = TerminalText.sanitized(text)
    guard let best else {
      throw FailureMessage(
        "The installed data has no address '\(shown)': see 'locationctl places find'\(advice).", .badInput)
    }
    guard best.match == .complete else {
      throw FailureMessage(
        "The installed data has no '\(shown)', only \(TerminalText.sanitized(line(best))): use that, or --at LAT,LON\(advice).",
        .badInput)
    }
    Diagnostics.print("\(TerminalText.sanitized(line(best))).")
    return best.coordinate
  }

  /// The border of a town or of another named area.
  static func border(of text: String) throws(FailureMessage) -> [Coordinate] {
    for file in try files() {
      let area: (name: String, corners: [Coordinate])?
      do throws(PlaceError) {
        area = try file.area(named: text, mostCorners: mostCorners)
      } catch {
        Diagnostics.print(FailureMessage(imported: error).text)
        continue
      }
      if let area {
        Diagnostics.print("\(TerminalText.sanitized(area.name)), \(CountedNoun.text(area.corners.count, "corner")).")
        return area.corners
      }
    }
    throw FailureMessage(
      "The imported data has no border of '\(TerminalText.sanitized(text))': use --address with a --radius instead.",
      .badInput)
  }

  /// More corners than this are finer than the positions of a receiver.
  private static let mostCorners = 512

  private static func files() throws(FailureMessage) -> [PlacesFile] {
    let (usable, unusable) = PlaceData.importedFiles()
    guard !usable.isEmpty else {
      throw FailureMessage(
        unusable.isEmpty
          ? "No streets and addresses are imported: get an extract of OpenStreetMap, and run 'locationctl places import FILE'."
          : "None of the imported data can be used.", .badInput)
    }
    // The newest data first.
    return usable.map(\.file).sorted { $0.provenance.dataDate > $1.provenance.dataDate }
  }

  private static func line(_ place: Place) -> String {
    [place.name, place.locality == place.name ? nil : place.locality].compactMap(\.self).joined(separator: ", ")
  }
}
