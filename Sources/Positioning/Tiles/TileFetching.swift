package import Geodesy

/// Which tiles are fetched, and when: that of the place where the machine is, and those around it, so that they are there when it
/// gets there. One at a time, and none twice in a month.
package struct TileFetching: Sendable {
  package enum Input: Sendable {
    /// Where the machine is. Nothing is asked again unless somebody still wants to know that: what has failed is tried again with it.
    case at(Coordinate)
    /// What is known of the tiles that `recall` asked for; of one that is not among them, nothing.
    case recalled([TileNote])
    /// What came of the tile that was asked for.
    case replied(FetchReply)
    /// What was to be kept is kept.
    case kept
  }

  package enum Action: Hashable, Sendable {
    /// These are in use; what is known of them is to be told.
    case recall([TileKey])
    case fetch(TileKey)
    /// In place of what was kept of that tile; told by `kept` when it is done.
    case keep(TileKey, [AccessPointPlace])
    /// There is none.
    case note(TileKey)
  }

  private enum Activity {
    case idle
    case fetching(TileKey)
    case keeping
  }

  /// Who stays at one place looks again that often whether a tile has grown old.
  private static let lookInterval: Duration = .seconds(86_400)

  private var activity = Activity.idle
  private var middle: TileKey?
  private var lookedAt: Instant?
  /// Those to be fetched, the nearest first.
  private var wanted: [TileKey] = []
  private var pause = FetchPause()
  /// Tiles that were no tiles, each with a pause of its own: the others are asked for meanwhile.
  private var bad: [TileKey: FetchPause] = [:]
  /// Why the last tile was not had.
  package private(set) var problem: FetchProblem?
  /// How many were no tiles, or others than they should have been.
  package private(set) var badCount = 0

  package init() {}

  /// Whether there is nothing more to be fetched, as far as it is known where the machine is.
  package var isDone: Bool {
    guard case .idle = activity else { return false }
    return wanted.isEmpty
  }

  /// - Parameter wall: the time, for what lies before the start; `nil`: the clock is not set.
  package mutating func handle(_ input: Input, at now: Instant, on wall: GNSSTime?) -> [Action] {
    switch input {
    case .at(let place):
      let key = TileKey(place)
      if key == middle, let lookedAt, now - lookedAt < Self.lookInterval { return next(at: now) }
      middle = key
      lookedAt = now
      wanted = []
      return [.recall([key] + key.neighbours)]
    case .recalled(let notes):
      guard let middle else { return [] }
      let held = Set(notes.filter { $0.holds(on: wall) }.map(\.key))
      wanted = ([middle] + middle.neighbours).filter { !held.contains($0) }
      bad = bad.filter { wanted.contains($0.key) }
      return next(at: now)
    case .replied(let reply):
      guard case .fetching(let key) = activity else { return [] }
      return take(reply, of: key, at: now)
    case .kept:
      guard case .keeping = activity else { return [] }
      activity = .idle
      return next(at: now)
    }
  }

  private mutating func next(at now: Instant) -> [Action] {
    guard case .idle = activity, pause.isOver(at: now),
      let key = wanted.first(where: { bad[$0]?.isOver(at: now) ?? true })
    else { return [] }
    activity = .fetching(key)
    return [.fetch(key)]
  }

  private mutating func take(_ reply: FetchReply, of key: TileKey, at now: Instant) -> [Action] {
    activity = .idle
    switch reply {
    case .failed(let problem):
      self.problem = problem
      pause.failed(reply, at: now)
      return []
    case .answered(let answer) where answer.isSuccess:
      pause.succeeded()
      guard let places = Self.places(answer.body, of: key) else {
        badCount += 1
        problem = .badTile
        bad[key, default: FetchPause()].failed(at: now)
        return next(at: now)
      }
      settle(key)
      activity = .keeping
      return [.keep(key, places)]
    // Not there, and not there any more.
    case .answered(let answer) where answer.status == 404 || answer.status == 410:
      pause.succeeded()
      settle(key)
      return [.note(key)] + next(at: now)
    case .answered(let answer):
      problem = .refused(status: answer.status)
      pause.failed(reply, at: now)
      return []
    }
  }

  /// Of this one there is no more to be asked.
  private mutating func settle(_ key: TileKey) {
    bad[key] = nil
    problem = bad.isEmpty ? nil : .badTile
    wanted.removeAll { $0 == key }
  }

  private static func places(_ bytes: [UInt8], of key: TileKey) -> [AccessPointPlace]? {
    guard let tile = try? AccessPointTile(bytes), tile.key == key else { return nil }
    return try? tile.places()
  }
}

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

/// Where tiles come from: a folder, or an address, of files as `wifi export` writes them.
package enum TileSource: Hashable, Sendable {
  /// Absolute.
  case folder(String)
  case web(WebAddress)

  /// `nil` for what is neither.
  package init?(_ text: String) {
    if text.hasPrefix("/"), !text.utf8.contains(0) {
      self = .folder(text)
    } else if let address = WebAddress(text), !text.utf8.contains(UInt8(ascii: "?")) {
      self = .web(address)
    } else {
      return nil
    }
  }
}
