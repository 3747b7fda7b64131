import LocationDatabase
import MapServing
import PlacesStore

/// An MBTiles file (github.com/mapbox/mbtiles-spec, version 1.3), or a file of places, which has the same tables.
final class MBTilesFile: TileFile {
  let description: TileDescription
  private let database: Database

  /// Any file, which may be hostile: its table may be a view.
  convenience init(_ path: String) throws(TileFileError) {
    do throws(DatabaseError) {
      try self.init(Database(foreign: path))
    } catch {
      throw Self.failure(error)
    }
  }

  /// A file of places.
  convenience init(places path: String) throws(TileFileError) {
    do throws(DatabaseError) {
      try self.init(Database(foreign: path, identity: PlacesFormat.identity))
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: DatabaseError) -> TileFileError {
    if case .value(_, let found) = error { return .content(found) }
    if case .sqlite(_, _, let message) = error { return .database(message) }
    return .database("it lacks a value")
  }

  private init(_ database: consuming Database) throws(DatabaseError) {
    var values: [String: String] = [:]
    do {
      var rows = try database.prepare(
        "SELECT name, value FROM metadata WHERE length(value) <= \(TileFiles.largestMetadata) LIMIT 100")
      while try rows.step() {
        if let name = try? rows.text(0), let value = try? rows.text(1) { values[name] = value }
      }
    }
    let content: TileDescription.Content
    switch values["format"]?.lowercased() {
    case "pbf", "mvt": content = .vector
    case "png": content = .png
    case "jpg", "jpeg": content = .jpeg
    case "webp": content = .webp
    case let other: throw .value(expected: "pbf", found: String((other ?? "unknown").prefix(20)))
    }
    let bounds = (values["bounds"] ?? "").split(separator: ",").map { Double($0.filter { $0 != " " }) }
    var area: MapArea?
    if bounds.count == 4, let west = bounds[0], let south = bounds[1], let east = bounds[2], let north = bounds[3] {
      area = MapArea(west: west, south: south, east: east, north: north)
    }
    // The specification recommends these, but does not require them.
    var zooms: [Int] = []
    for (name, function) in [("minzoom", "min"), ("maxzoom", "max")] {
      if let zoom = values[name].flatMap({ Int($0) }) {
        zooms.append(zoom)
      } else {
        zooms.append(try Self.zoom(function, database))
      }
    }
    description = TileDescription(
      content: content, schema: TileDescription.schema(ofMetadata: Array((values["json"] ?? "").utf8)),
      leastZoom: zooms[0], mostZoom: zooms[1], area: area, attribution: values["attribution"] ?? "")
    self.database = database
  }

  private static func zoom(_ function: String, _ database: borrowing Database) throws(DatabaseError) -> Int {
    var row = try database.prepare("SELECT \(function)(zoom_level) FROM tiles")
    guard try row.step() else { return 0 }
    return Int(clamping: try row.integer(0))
  }

  func tile(_ address: TileAddress) -> StoredTile? { (try? read(address)) ?? nil }

  private func read(_ address: TileAddress) throws(DatabaseError) -> StoredTile? {
    // A statement of its own: the limit of instructions is that of one statement.
    var row = try database.prepare(
      "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? "
        + "AND length(tile_data) <= \(TileFiles.largestTile)")
    // Rows count from the south.
    try row.bind([
      .integer(Int64(address.zoom)), .integer(Int64(address.column)),
      .integer(Int64((1 << address.zoom) - 1 - address.row)),
    ])
    guard try row.step() else { return nil }
    let bytes = try row.blob(0)
    // RFC 1952, section 2.3.1.
    return StoredTile(bytes: bytes, isGzip: bytes.starts(with: [0x1F, 0x8B]))
  }
}
