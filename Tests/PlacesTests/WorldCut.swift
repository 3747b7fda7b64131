import Foundation
import Geodesy
import PlacesCore

/// The committed cut of the world's data: Switzerland, Liechtenstein and Andorra.
enum WorldCut {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Cut")
  static let zoneBytes = bytes("world.zones")
  static let townBytes = bytes("world.towns")

  static func bytes(_ name: String) -> [UInt8] {
    (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) } ?? []
  }

  /// Positions with the zone that the full polygons have there.
  static let zones: [(coordinate: Coordinate, zone: String)] = {
    let text = String(decoding: bytes("zones.tsv"), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t")
      guard fields.count == 3, let latitude = Double(fields[0]), let longitude = Double(fields[1]) else { return nil }
      return Coordinate(checkingLatitude: latitude, longitude: longitude).map { ($0, String(fields[2])) }
    }
  }()
}

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
}

/// The data of the cut as a source, from bytes in memory.
struct CutPlaces: PlaceSource {
  let tables: WorldTables

  init() throws {
    tables = WorldTables(
      zones: try ZoneMap(WorldCut.zoneBytes.span), towns: try TownTable(WorldCut.townBytes.span))
  }

  var provenance: PlaceProvenance {
    tables.provenances.last ?? PlaceProvenance(name: "", license: "", attribution: "", dataDate: "")
  }

  func place(at query: ReverseQuery) -> Place? {
    tables.place(at: query.coordinate, WorldCut.zoneBytes.span, WorldCut.townBytes.span)
  }

  func countryCode(named name: String) -> String? {
    tables.towns?.countryCode(named: name, in: WorldCut.townBytes.span)
  }

  func places(matching query: ForwardQuery) -> [Place] {
    guard let towns = tables.towns else { return [] }
    return TownSearch(query, in: towns).run(WorldCut.townBytes.span).map { found in
      var place = tables.place(of: found.town, WorldCut.zoneBytes.span)
      (place.match, place.distance) = (found.match, found.distance)
      return place
    }
  }
}
