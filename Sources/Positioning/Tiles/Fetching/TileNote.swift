package import Geodesy

/// What is known of a tile that was fetched, or asked for in vain.
package struct TileNote: Hashable, Sendable {
  package var key: TileKey
  /// When it was asked for; `nil`: the clock was not set.
  package var askedAt: GNSSTime?
  /// Whether there was none.
  package var isMissing: Bool

  package init(key: TileKey, askedAt: GNSSTime?, isMissing: Bool) {
    self.key = key
    self.askedAt = askedAt
    self.isMissing = isMissing
  }

  /// Access points that go are few in a month; a tile that is not there may be made this week.
  private static let (lifeOfTile, lifeOfNothing): (Duration, Duration) = (.seconds(30 * 86_400), .seconds(7 * 86_400))

  /// Whether it still holds; where nobody knows the time, it does.
  func holds(on wall: GNSSTime?) -> Bool {
    FetchedAge.holds(askedAt, for: isMissing ? Self.lifeOfNothing : Self.lifeOfTile, on: wall)
  }
}
