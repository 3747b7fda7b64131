import Geodesy
import LinuxIO
import Positioning

/// Writes a tile to the store in parts, one in each turn of the loop, and removes the least recently used tiles.
final class TileImporter {
  /// The number of access points written at a time, which takes some milliseconds even on a storage card.
  private static let part = 500
  /// The maximum number of stored access points: as many as a federal state has, in 60 MB on disk.
  static let most = 1_000_000

  private enum Task {
    case rest
    case clear(TileKey, then: [AccessPointPosition])
    case fill(TileKey, ArraySlice<AccessPointPosition>, count: Int)
    case evict
  }

  private let loop: EventLoop
  private let knowledge: AccessPointDatabase
  private let most: Int
  private var task = Task.rest
  private var turn: TimerID?
  private var askedAt: GNSSTime?
  private unowned let tiles: RemoteTileSource

  init(loop: EventLoop, knowledge: AccessPointDatabase, most: Int, for tiles: RemoteTileSource) {
    self.loop = loop
    self.tiles = tiles
    self.knowledge = knowledge
    self.most = most
  }

  /// Replaces the stored contents of a tile; one tile at a time.
  func put(_ places: [AccessPointPosition], of key: TileKey, askedAt: GNSSTime?) {
    self.askedAt = askedAt
    // Until the tile is complete it is marked as one that must be fetched again, but its access points already count.
    guard knowledge.note(key, askedAt: GNSSTime(nanosecondsSince1970: 0), places: places.count) else {
      task = .rest
      return advance()
    }
    task = .clear(key, then: places)
    advance()
  }

  /// Stops at once; an incomplete tile is fetched again.
  func close() {
    if let turn { loop.cancel(turn) }
    (turn, task) = (nil, .rest)
  }

  private func advance() {
    guard turn == nil else { return }
    turn = loop.schedule(at: loop.now) { [unowned self] in
      turn = nil
      step()
    }
  }

  private func step() {
    switch task {
    case .rest:
      tiles.shelved()
      return
    case .clear(let key, let places):
      if !knowledge.removePlaces(of: key, limit: Self.part) { task = .fill(key, places[...], count: places.count) }
    case .fill(let key, let places, let count):
      let part = places.prefix(Self.part)
      let rest = places.dropFirst(part.count)
      if !part.isEmpty, !knowledge.add(part, of: key) {
        task = .rest
      } else if rest.isEmpty {
        // A tile whose record cannot be stored is fetched again.
        task = knowledge.note(key, askedAt: askedAt, places: count) ? .evict : .rest
      } else {
        task = .fill(key, rest, count: count)
      }
    case .evict:
      if let key = knowledge.leastUsedTile(beyond: most) {
        if !knowledge.removePlaces(of: key, limit: Self.part) { knowledge.forget(key) }
        if knowledge.problem != nil { task = .rest }
      } else {
        task = .rest
      }
    }
    advance()
  }
}
