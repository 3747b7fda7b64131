package import Geodesy

/// Decides which tiles are fetched, and when: the one at the machine's position, and those around it, so that they are
/// available when the machine gets there. One at a time; a tile that was stored is not fetched again for a month, and
/// one that does not exist is not requested again for a week.
package struct TileFetching: Sendable {
  package enum Input: Sendable {
    /// The machine's position. Requests run only in response to positions that a client requires: a failed one is retried with the
    /// next.
    case at(Coordinate)
    /// The notes on the tiles that `recall` named; a tile without one is unknown.
    case recalled([TileFetchRecord])
    /// The result of the requested tile.
    case replied(FetchResponse)
    /// The tile has been stored.
    case kept
  }

  package enum Action: Hashable, Sendable {
    /// Load the notes on these tiles, which are in use.
    case recall([TileKey])
    case fetch(TileKey)
    /// Store this tile in place of the previous one; answer with `kept` when done.
    case keep(TileKey, [AccessPointPosition])
    /// Note that there is no such tile.
    case note(TileKey)
  }

  private enum Activity {
    case idle
    case fetching(TileKey)
    case keeping
  }

  /// How often a machine at one place checks whether a tile has expired.
  private static let checkInterval: Duration = .seconds(86_400)

  private var activity = Activity.idle
  private var middle: TileKey?
  private var checkedAt: Instant?
  /// Tiles to fetch, the nearest first.
  private var wanted: [TileKey] = []
  private var pause = FetchPause()
  /// Tiles whose content was invalid, each with a pause of its own: the others are requested meanwhile.
  private var bad: [TileKey: FetchPause] = [:]
  /// Why the last tile could not be fetched.
  package private(set) var problem: FetchProblem?
  /// How many answers were invalid, or other tiles than requested.
  package private(set) var badCount = 0

  package init() {}

  /// Whether nothing more is to be fetched for the known position.
  package var isDone: Bool {
    guard case .idle = activity else { return false }
    return wanted.isEmpty
  }

  /// - Parameter wall: the wall-clock time, to compare with times before the start; `nil`: the clock is not set.
  package mutating func handle(_ input: Input, at now: Instant, on wall: GNSSTime?) -> [Action] {
    switch input {
    case .at(let place):
      let key = TileKey(place)
      if key == middle, let checkedAt, now - checkedAt < Self.checkInterval { return next(at: now) }
      middle = key
      checkedAt = now
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
      return receive(reply, of: key, at: now)
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

  private mutating func receive(_ reply: FetchResponse, of key: TileKey, at now: Instant) -> [Action] {
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
    // Not found, or gone.
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

  /// Ends the requests for this tile.
  private mutating func settle(_ key: TileKey) {
    bad[key] = nil
    problem = bad.isEmpty ? nil : .badTile
    wanted.removeAll { $0 == key }
  }

  private static func places(_ bytes: [UInt8], of key: TileKey) -> [AccessPointPosition]? {
    guard let tile = try? AccessPointTile(bytes), tile.key == key else { return nil }
    return try? tile.places()
  }
}

/// The result of the last request for a tile.
package struct TileFetchRecord: Hashable, Sendable {
  package var key: TileKey
  /// When it was requested; `nil`: the clock was not set.
  package var askedAt: GNSSTime?
  /// Whether the server has no such tile.
  package var isMissing: Bool

  package init(key: TileKey, askedAt: GNSSTime?, isMissing: Bool) {
    self.key = key
    self.askedAt = askedAt
    self.isMissing = isMissing
  }

  /// Few access points disappear in a month; a missing tile may be published this week.
  private static let (lifeOfTile, lifeOfNothing): (Duration, Duration) = (.seconds(30 * 86_400), .seconds(7 * 86_400))

  /// Whether the note is still valid; it is if the time is unknown.
  func holds(on wall: GNSSTime?) -> Bool {
    FetchedAge.holds(askedAt, for: isMissing ? Self.lifeOfNothing : Self.lifeOfTile, on: wall)
  }
}

/// The source of tiles: a folder or a web address of files as `wifi export` writes them.
package enum TileSource: Hashable, Sendable {
  /// An absolute path.
  case folder(String)
  case web(WebAddress)

  /// `nil` for text that is neither.
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
