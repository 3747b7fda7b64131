import Geodesy
import LinuxIO
import Positioning

/// Puts a tile into the store part by part, a turn of the loop each, and takes out what has not been used for longest.
final class TileShelf {
  /// So many are written in some milliseconds, on a card too.
  private static let part = 500
  /// Access points that are kept: a state's, in 60 MB of disk.
  static let most = 1_000_000

  private enum Task {
    case rest
    case clear(TileKey, then: [AccessPointPlace])
    case fill(TileKey, ArraySlice<AccessPointPlace>, count: Int)
    case evict
  }

  private let loop: EventLoop
  private let knowledge: PlaceKnowledge
  private let most: Int
  private var task = Task.rest
  private var turn: TimerID?
  private var askedAt: GNSSTime?
  /// Called from the loop when a tile is kept, or cannot be.
  var onDone: (() -> Void)?

  init(loop: EventLoop, knowledge: PlaceKnowledge, most: Int = TileShelf.most) {
    self.loop = loop
    self.knowledge = knowledge
    self.most = most
  }

  /// Keeps these in place of what is kept of that tile; one at a time.
  func put(_ places: [AccessPointPlace], of key: TileKey, askedAt: GNSSTime?) {
    self.askedAt = askedAt
    // Until it is whole it is one that has to be asked for again, and counts all the same.
    guard knowledge.note(key, askedAt: GNSSTime(nanosecondsSince1970: 0), places: places.count) else {
      task = .rest
      return goOn()
    }
    task = .clear(key, then: places)
    goOn()
  }

  /// Ends where it is; a tile that is not whole is asked for again.
  func close() {
    if let turn { loop.cancel(turn) }
    (turn, task) = (nil, .rest)
  }

  private func goOn() {
    guard turn == nil else { return }
    turn = loop.schedule(at: loop.now) { [unowned self] in
      turn = nil
      step()
    }
  }

  private func step() {
    switch task {
    case .rest:
      onDone?()
      return
    case .clear(let key, let places):
      if !knowledge.removePlaces(of: key, limit: Self.part) { task = .fill(key, places[...], count: places.count) }
    case .fill(let key, let places, let count):
      let part = places.prefix(Self.part)
      let rest = places.dropFirst(part.count)
      if !part.isEmpty, !knowledge.add(part, of: key) {
        task = .rest
      } else if rest.isEmpty {
        // What cannot be noted is asked for again.
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
    goOn()
  }
}
