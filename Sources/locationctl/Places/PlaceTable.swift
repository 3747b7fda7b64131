import Geodesy
import PlacesCore
import PlacesData
import PlacesStore
import TrackFormats

/// Places for people.
package enum PlaceTable {
  /// The parts of one place below each other, or a table of several; the attribution of the data is the last line.
  package static func bytes(_ found: [FoundPlace], _ look: Presentation = .current) -> [UInt8] {
    let table =
      found.count == 1
      ? block(parts(found[0]), look)
      : TextTable.lines([titles.map { StyledText($0) }] + found.map { row($0).map { StyledText(clean($0)) } }, look)
    let sources = found.flatMap(\.place.attributions).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let notice = sources.isEmpty ? StyledText() : .dim("Data: \(clean(sources.joined(separator: "; ")))")
    return TextTable.bytes(table + (notice.isEmpty ? [] : TextTable.wrapped(notice, within: look.width ?? .max)), look)
  }

  /// Each part after its name, on further lines below it if it is wider than the terminal.
  private static func block(_ parts: [(String, String)], _ look: Presentation) -> [StyledText] {
    let label = (parts.map(\.0.count).max() ?? 0) + 2
    return TextFormat.labeled(parts.map { ($0, StyledText(clean($1))) }, look, width: label, role: .heading)
  }

  private static let titles = ["PLACE", "POSITION", "DISTANCE", "TIME ZONE"]

  private static func row(_ found: FoundPlace) -> [String] {
    [
      found.line + (found.place.match == .partial ? " (a part of the text)" : ""), position(found.place.coordinate),
      found.place.distance.map { RelationText.length($0) } ?? "-", found.place.timeZone ?? "-",
    ]
  }

  private static func parts(_ found: FoundPlace) -> [(String, String)] {
    let place = found.place
    let rows: [(String, String?)] = [
      ("Place", found.line), ("Match", place.match == .partial ? "a part of the text" : nil),
      ("Postal code", place.postalCode), ("District", place.subAdministrativeArea),
      ("Water", place.inlandWater),
      ("Inside", place.areasOfInterest.isEmpty ? nil : place.areasOfInterest.joined(separator: ", ")),
      ("Position", position(place.coordinate)), ("Distance", place.distance.map { RelationText.length($0) }),
      ("Time zone", place.timeZone),
    ]
    return rows.compactMap { name, text in text.map { (name, $0) } }
  }

  private static func position(_ coordinate: Coordinate) -> String {
    CoordinateStyle(.decimal, precision: 5).text(coordinate) ?? "?"
  }
}

private func clean(_ text: String) -> String { TerminalText.sanitized(text, limit: 400) }

/// The list of installed data.
enum PlaceListing {
  static func json(_ data: PlaceData) -> [UInt8] {
    let damaged = data.world?.damagedFile()
    let world: [UInt8] = (data.world?.files ?? []).flatMap { file in
      var object = JSONObject()
      object.add("name", .text(file.name))
      object.add("path", .text(data.world.map { "\($0.folder)/\(file.name)" }))
      object.add("content", .text(content(file.name)))
      object.add("count", .number(file.count))
      object.add("bytes", .number(file.size))
      object.add("dataDate", .text(file.provenance.dataDate))
      object.add("license", .text(file.provenance.license))
      object.add("attribution", .list([file.provenance.attribution]))
      object.add("intact", .flag(file.name != damaged))
      return object.line
    }
    let imported: [UInt8] = data.imported.flatMap { entry, file in
      var object = JSONObject()
      object.add("name", .text(entry.name))
      object.add("path", .text(entry.path))
      object.add("scope", .text(entry.scope.rawValue))
      object.add("source", .text(file.header[.source]))
      object.add("sourceHash", .text(file.header[.sourceHash]))
      object.add("content", .text(addresses))
      object.add("count", .number((try? file.counts())?.features))
      object.add("bytes", .number(entry.size))
      object.add("dataDate", .text(file.provenance.dataDate))
      object.add("license", .text(file.provenance.license))
      object.add("attribution", .list([file.provenance.attribution]))
      object.add("intact", .flag(true))
      return object.line
    }
    let unusable: [UInt8] = data.unusable.flatMap { entry in
      var object = JSONObject()
      object.add("name", .text(entry.name))
      object.add("path", .text(entry.path))
      object.add("scope", .text(entry.scope.rawValue))
      object.add("content", .text(addresses))
      object.add("bytes", .number(entry.size))
      object.add("license", .text(PlacesHeader.license))
      object.add("attribution", .list([PlacesHeader.attribution]))
      object.add("intact", .flag(false))
      return object.line
    }
    return world + imported + unusable
  }

  static func table(_ data: PlaceData) -> [UInt8] {
    let damaged = data.world?.damagedFile()
    let rows = (data.world?.files ?? []).map { file in
      [
        file.name, file.name == damaged ? "DAMAGED: install it again" : "\(file.count) \(content(file.name))",
        file.provenance.dataDate, file.provenance.license,
        clean(file.provenance.attribution),
      ]
    }
    let own = data.imported.map { entry, file in
      [
        "\(entry.name)\(entry.scope == .user ? "" : " (all users)")",
        "\((try? file.counts())?.features ?? 0) \(addresses)", clean(file.provenance.dataDate),
        clean(file.provenance.license), clean(file.provenance.attribution),
      ]
    }
    let unusable = data.unusable.map { [$0.name, "CANNOT BE USED: import it again", "-", "-", "-"] }
    return TextTable.aligned([["NAME", "CONTENT", "DATA OF", "LICENSE", "ATTRIBUTION"]] + rows + own + unusable)
  }

  private static let addresses = "streets and places"

  private static func content(_ name: String) -> String { name == WorldPlaces.zonesName ? "time zones" : "towns" }
}
