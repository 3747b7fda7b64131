package import Geodesy
package import LocationDatabase
package import Positioning

/// Downloaded tiles. A tile of a city has 30,000 access points, so they are written and removed in parts; other work
/// can run in between.
extension AccessPointStore {
  /// Marks these tiles as in use; returns the stored records of their downloads.
  package func use(_ keys: [TileKey]) throws(DatabaseError) -> [TileFetchRecord] {
    try database.transaction { () throws(DatabaseError) in
      var last = try database.prepare("SELECT coalesce(max(used), 0) FROM tiles")
      guard try last.step() else { throw .noRow(statement: "SELECT max(used)") }
      let now = try last.integer(0) + 1
      last.end()
      // The current use is also stored under a number that no tile has, so that it counts even if none of these tiles
      // has been downloaded yet.
      try database.run("INSERT OR REPLACE INTO tiles VALUES (-1, NULL, NULL, ?)", [.integer(now)])
      var find = try database.prepare("SELECT asked_at, places FROM tiles WHERE tile = ?")
      var mark = try database.prepare("UPDATE tiles SET used = ?2 WHERE tile = ?1")
      var notes: [TileFetchRecord] = []
      for key in keys {
        try find.bind([.integer(key.number)])
        guard try find.step() else { continue }
        let askedAt = try find.optionalInteger(0).map { GNSSTime(nanosecondsSince1970: $0 &* 1_000_000_000) }
        notes.append(TileFetchRecord(key: key, askedAt: askedAt, isMissing: try find.optionalInteger(1) == nil))
        find.end()
        try mark.bind([.integer(key.number), .integer(now)])
        _ = try mark.step()
      }
      return notes
    }
  }

  /// Stores the record of a tile and marks the tile as in use.
  ///
  /// - Parameter places: number of its access points; `nil`: the tile does not exist.
  package func note(_ key: TileKey, askedAt: GNSSTime?, places: Int?) throws(DatabaseError) {
    try database.run(
      "INSERT OR REPLACE INTO tiles SELECT ?, ?, ?, coalesce(max(used), 0) FROM tiles",
      [
        .integer(key.number), DatabaseValue(askedAt.map { $0.nanosecondsSince1970 / 1_000_000_000 }),
        DatabaseValue(places.map { Int64($0) }),
      ])
  }

  /// Adds some of a tile's access points.
  package func add(_ places: some Sequence<AccessPointPosition>, of key: TileKey) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      var insert = try database.prepare("INSERT OR REPLACE INTO fetched VALUES (?, ?, ?, ?, ?)")
      for place in places {
        try insert.bind(Self.row(place) + [.integer(key.number)])
        _ = try insert.step()
      }
    }
  }

  /// Removes some of a tile's access points; returns their number, which is less than `limit` if none are left.
  package func removePlaces(of key: TileKey, limit: Int) throws(DatabaseError) -> Int {
    try database.run(
      "DELETE FROM fetched WHERE bssid IN (SELECT bssid FROM fetched WHERE tile = ? LIMIT ?)",
      [.integer(key.number), .integer(Int64(limit))])
    return database.changes
  }

  /// Removes a tile's record. Remove its access points first.
  package func forget(_ key: TileKey) throws(DatabaseError) {
    try database.run("DELETE FROM tiles WHERE tile = ?", [.integer(key.number)])
  }

  /// The least recently used tile, if all tiles together have more than `limit` access points; never a tile of the last
  /// call of `use`. `nil` if there is no such tile.
  package func leastUsedTile(beyond limit: Int) throws(DatabaseError) -> TileKey? {
    var statement = try database.prepare(
      """
      SELECT tile FROM tiles WHERE places > 0 AND used < (SELECT max(used) FROM tiles)
      AND (SELECT sum(places) FROM tiles) > ? ORDER BY used, tile LIMIT 1
      """)
    try statement.bind([.integer(Int64(limit))])
    guard try statement.step() else { return nil }
    return TileKey(number: try statement.integer(0))
  }

  /// Number of tiles that have access points.
  package func tileCount() throws(DatabaseError) -> Int {
    var statement = try database.prepare("SELECT count(*) FROM tiles WHERE places > 0")
    guard try statement.step() else { throw .noRow(statement: "SELECT count(*)") }
    return Int(try statement.integer(0))
  }

  /// Deletes all tiles and all answers of providers.
  package func forgetFetched() throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      for table in ["fetched", "tiles", "answers"] { try database.run("DELETE FROM \(table)") }
    }
  }
}

extension TileKey {
  /// Rows and columns take at most 13 bits.
  fileprivate var number: Int64 { Int64(row) << 13 | Int64(column) }

  fileprivate init?(number: Int64) {
    guard number >= 0, number >> 13 < Self.rows else { return nil }
    self.init(row: Int(number >> 13), column: Int(number & 0x1FFF))
  }
}
