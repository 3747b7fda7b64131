import LocationDatabase
import PlacesStore

/// The tables of the layer `map`, which are those of the format MBTiles (github.com/mapbox/mbtiles-spec, version 1.3).
enum TileTable {
  /// Writes the tiles in the transaction that is open.
  static func write(
    _ tiles: TileBuilder, _ header: PlacesHeader, to database: borrowing Database, progress: @escaping (Double) -> Bool
  ) throws(ImportError) {
    guard let bounds = tiles.bounds else { return }
    let inserter: Inserter
    do throws(DatabaseError) {
      try describe(header, bounds, database)
      inserter = Inserter(try database.prepare("INSERT INTO tiles VALUES (?, ?, ?, ?)"))
    } catch {
      throw .database("\(error)")
    }
    try tiles.finish(
      receive: { (tile) throws(ImportError) in
        // MBTiles counts rows from the south.
        let row = (Int64(1) << tile.zoom) - 1 - tile.y
        do throws(DatabaseError) {
          try inserter.statement.run([.integer(tile.zoom), .integer(tile.x), .integer(row), .blob(tile.bytes)])
        } catch {
          throw .database("\(error)")
        }
      }, progress: progress)
    do throws(DatabaseError) {
      try database.run("CREATE UNIQUE INDEX tile ON tiles(zoom_level, tile_column, tile_row)")
      try database.run("INSERT INTO layer VALUES ('map', 1)")
    } catch {
      throw .database("\(error)")
    }
  }

  private static func describe(
    _ header: PlacesHeader, _ bounds: [Double], _ database: borrowing Database
  ) throws(DatabaseError) {
    for statement in [
      "CREATE TABLE metadata(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
      "CREATE TABLE tiles(zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB NOT NULL)",
    ] {
      try database.run(statement)
    }
    let layers = DrawnObject.Layer.allCases.map {
      "{\"id\":\"\($0.name)\",\"fields\":{\"class\":\"String\",\"name\":\"String\",\"rank\":\"Number\"}}"
    }
    let zooms = TileBuilder.zooms
    let values = [
      "name": header[.name], "format": "pbf", "type": "baselayer", "version": "1",
      "attribution": header[.attribution], "bounds": bounds.map { "\($0)" }.joined(separator: ","),
      "minzoom": "\(zooms.lowerBound)", "maxzoom": "\(zooms.upperBound)",
      "json": "{\"vector_layers\":[\(layers.joined(separator: ","))]}",
    ]
    for (name, value) in values {
      try database.run("INSERT INTO metadata VALUES (?, ?)", [.text(name), .text(value)])
    }
  }

  /// What the callback changes.
  private final class Inserter {
    var statement: Statement
    init(_ statement: consuming Statement) { self.statement = statement }
  }
}
