import Geodesy
import LocationStore
import Positioning

/// What was had from outside: tiles, and a provider's answers.
extension PlaceKnowledge {
  /// Says that these tiles are in use, and what is known of them.
  func use(_ keys: [TileKey]) -> [TileNote] {
    attempt { store throws(DatabaseError) in try store.use(keys) } ?? []
  }

  /// Keeps what is known of a tile; whether it did.
  func note(_ key: TileKey, askedAt: GNSSTime?, places: Int?) -> Bool {
    attempt(makes: true) { store throws(DatabaseError) in
      try store.note(key, askedAt: askedAt, places: places)
      return true
    } ?? false
  }

  /// Adds some of a tile's access points; whether it did.
  func add(_ places: ArraySlice<AccessPointPlace>, of key: TileKey) -> Bool {
    attempt(makes: true) { store throws(DatabaseError) in
      try store.add(places, of: key)
      return true
    } ?? false
  }

  /// Takes out some of a tile's access points; whether there may be more.
  func removePlaces(of key: TileKey, limit: Int) -> Bool {
    attempt { store throws(DatabaseError) in try store.removePlaces(of: key, limit: limit) == limit } ?? false
  }

  /// Forgets a tile whose access points are taken out.
  func forget(_ key: TileKey) {
    _ = attempt { store throws(DatabaseError) in try store.forget(key) }
  }

  /// The tile that was used longest ago, where there are more access points than that.
  func leastUsedTile(beyond limit: Int) -> TileKey? {
    attempt { store throws(DatabaseError) in try store.leastUsedTile(beyond: limit) } ?? nil
  }

  /// What a provider has answered, oldest first.
  func keptAnswers() -> [KeptAnswer] {
    attempt { store throws(DatabaseError) in try store.answers(limit: ProviderInquiry.mostAnswers) } ?? []
  }

  func keep(_ answer: KeptAnswer) {
    _ = attempt(makes: true) { store throws(DatabaseError) in
      try store.keep(answer, limit: ProviderInquiry.mostAnswers)
    }
  }
}
