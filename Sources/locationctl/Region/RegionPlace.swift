import Geodesy
import LinuxIO
import PlacesCore
import PlacesStore
import Regions

/// A place of the imported data, as the center or the border of a region.
enum RegionPlace {
  /// The position of an address. A street without the number that was asked for is no center of a region.
  static func position(of text: String) throws(FailureMessage) -> Coordinate {
    var best: Place?
    for file in try files() {
      let found: Place?
      do throws(PlaceError) { found = try file.places(matching: ForwardQuery(.text(text))).first } catch {
        throw problem(error)
      }
      guard let found else { continue }
      if best == nil || best?.match == .partial && found.match == .complete { best = found }
    }
    let shown = TerminalText.sanitized(text)
    guard let best else {
      throw FailureMessage("The imported data has no address '\(shown)': see 'locationctl places find'.", .badInput)
    }
    guard best.match == .complete else {
      throw FailureMessage(
        "The imported data has no '\(shown)', only \(TerminalText.sanitized(line(best))): use that, or --at LAT,LON.",
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
        throw problem(error)
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
    let entries = PlacesFolders.files()
    guard !entries.isEmpty else {
      throw FailureMessage(
        "No streets and addresses are imported: get an extract of OpenStreetMap, and run 'locationctl places import FILE'.",
        .badInput)
    }
    var files: [PlacesFile] = []
    for entry in entries {
      do throws(PlaceError) { files.append(try PlacesFile(path: entry.path)) } catch { throw problem(error) }
    }
    // The newest data first.
    return files.sorted { $0.provenance.dataDate > $1.provenance.dataDate }
  }

  private static func line(_ place: Place) -> String {
    [place.name, place.locality == place.name ? nil : place.locality].compactMap(\.self).joined(separator: ", ")
  }

  private static func problem(_ error: PlaceError) -> FailureMessage {
    let text =
      switch error {
      case .unreadable(let path, let operation, let code):
        "\(path) cannot be read: \(SystemError(operation: operation, errno: code).description)"
      case .wrongFormat(let path): "\(path) is no file of places: remove it"
      case .wrongVersion(let path, _): "\(path) is of another version: import it again with --replace"
      case .damaged(let path, _): "\(path) is damaged: import it again with --replace"
      }
    return FailureMessage("\(TerminalText.sanitized(text)).", .badInput)
  }
}
