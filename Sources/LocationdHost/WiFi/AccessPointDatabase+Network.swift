import Geodesy
import LocationDatabase
import LocationStore
import Positioning

/// Positions from other sources than learning: tiles, and a provider's answers.
extension AccessPointDatabase {
  /// Marks these tiles as in use, and returns the records of their downloads.
  func use(_ keys: [TileKey]) -> [TileFetchRecord] {
    attempt { store throws(DatabaseError) in try store.use(keys) } ?? []
  }

  /// Stores the record of a tile's download; returns whether that succeeded.
  func note(_ key: TileKey, askedAt: GNSSTime?, places: Int?) -> Bool {
    attempt(makes: true) { store throws(DatabaseError) in
      try store.note(key, askedAt: askedAt, places: places)
      return true
    } ?? false
  }

  /// Adds some of a tile's access points; returns whether that succeeded.
  func add(_ places: ArraySlice<AccessPointPosition>, of key: TileKey) -> Bool {
    attempt(makes: true) { store throws(DatabaseError) in
      try store.add(places, of: key)
      return true
    } ?? false
  }

  /// Removes some of a tile's access points; returns whether more may be left.
  func removePlaces(of key: TileKey, limit: Int) -> Bool {
    attempt { store throws(DatabaseError) in try store.removePlaces(of: key, limit: limit) == limit } ?? false
  }

  /// Deletes a tile whose access points were removed.
  func forget(_ key: TileKey) {
    _ = attempt { store throws(DatabaseError) in try store.forget(key) }
  }

  /// The least recently used tile, if there are more access points than the limit; otherwise `nil`.
  func leastUsedTile(beyond limit: Int) -> TileKey? {
    attempt { store throws(DatabaseError) in try store.leastUsedTile(beyond: limit) } ?? nil
  }

  /// The stored answers of a provider, oldest first.
  func keptAnswers() -> [CachedGeolocation] {
    attempt { store throws(DatabaseError) in try store.answers(limit: GeolocationScheduler.mostAnswers) } ?? []
  }

  func keep(_ answer: CachedGeolocation) {
    _ = attempt(makes: true) { store throws(DatabaseError) in
      try store.keep(answer, limit: GeolocationScheduler.mostAnswers)
    }
  }
}
