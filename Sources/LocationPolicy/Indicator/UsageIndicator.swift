package import Geodesy

/// The indicator of location use, and of the programs that use it (Documentation/Behavior.md, "Authorization").
package struct UsageIndicator: Sendable {
  /// Documentation/Behavior.md, "Authorization": how long the status indicator stays solid after the last use.
  package static let solidAfter = Duration.seconds(10)
  /// Documentation/Behavior.md, "Authorization": how long after its last use a program is shown as a current user.
  package static let nowAfter = Duration.seconds(60)
  /// Documentation/Behavior.md, "Authorization": how long after its last use a program is shown in gray.
  package static let recentlyAfter = Duration.seconds(86_400)
  /// Maximum number of users listed; a new one replaces the one whose use is longest ago.
  package static let capacity = 256
  /// Maximum number of names of one identity, because programs choose their own names: no identity displaces others.
  package static let capacityOfIdentity = 16
  /// Maximum number of clients, more than the host connects.
  package static let clientCapacity = 1024

  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// What a client uses from now on, until it changes or disconnects. `isExposed`: it is in the background without always.
    case uses(ClientID, LocationUser, LocationUses, isExposed: Bool)
    case left(ClientID)
    /// Use from before a restart.
    case usedBefore(LocationUser, at: Instant)
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    case show(IndicatorState)
  }

  private struct Client {
    let user: LocationUser
    var uses: LocationUses
    var since: Instant
    /// Its number among the clients that came to use location in the background without always; `nil`: it does not do so now.
    var exposure: Int?
  }

  private struct Row {
    /// The last use of location, except current use.
    var usedAt: Instant?
  }

  private var clients: [ClientID: Client] = [:]
  private var rows: [LocationUser: Row] = [:]
  private var shown = IndicatorState()
  /// Time until which the mark stays solid although location is not in use.
  private var solidUntil: Instant?
  private var exposures = 0

  package init() {}

  /// The state shown now.
  package var state: IndicatorState { shown }

  /// When `.wake` is due.
  package var nextDeadline: Instant? { solidUntil }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    let wasSolid = isSolid
    switch input {
    case .uses(let key, let user, let uses, let isExposed):
      set(key, user, uses, isExposed: isExposed, at: now)
    case .left(let key): end(key, at: now)
    case .usedBefore(let user, let at):
      rows[user, default: Row()].usedAt = max(at, rows[user]?.usedAt ?? at)
      makeRoom(for: user, at: now)
    case .wake: break
    }
    if isSolid {
      solidUntil = nil
    } else if wasSolid {
      solidUntil = now + Self.solidAfter
    } else if let until = solidUntil, now >= until {
      solidUntil = nil
    }
    let state = found()
    guard state != shown else { return [] }
    shown = state
    return [.show(state)]
  }

  /// The current and recent users of location, the most recent first.
  package func usage(at now: Instant) -> [LocationUsage] {
    var found: [LocationUsage] = []
    for (user, row) in rows {
      let mine = clients.values.filter { $0.user == user }
      let uses = mine.reduce(into: LocationUses()) { $0.formUnion($1.uses) }
      let usedAt = uses.isDisjoint(with: .solid) ? row.usedAt : now
      let isRecent = usedAt.map { now - $0 < Self.recentlyAfter } ?? false
      guard isRecent || !uses.isEmpty else { continue }
      let isNow = usedAt.map { now - $0 < Self.nowAfter } ?? false
      found.append(
        LocationUsage(
          user: user, mark: isNow ? .current : isRecent ? .recently : .fences, uses: uses,
          since: mine.map(\.since).min(), usedAt: usedAt))
    }
    return found.sorted { Self.rank($0) < Self.rank($1) }
  }

  private static func rank(_ usage: LocationUsage) -> (Int64, Int64, UInt32, String) {
    (
      -(usage.usedAt?.nanoseconds ?? .min + 1), usage.since?.nanoseconds ?? .max, usage.user.identity.userID,
      usage.user.name ?? ""
    )
  }

  private var isSolid: Bool { clients.values.contains { !$0.uses.isDisjoint(with: .solid) } }

  private mutating func set(
    _ key: ClientID, _ user: LocationUser, _ uses: LocationUses, isExposed: Bool, at now: Instant
  ) {
    guard !uses.isEmpty else { return end(key, at: now) }
    if clients[key]?.user != user { end(key, at: now) }
    guard clients[key] != nil || clients.count < Self.clientCapacity else { return }
    var client = clients[key] ?? Client(user: user, uses: uses, since: now)
    if !client.uses.isDisjoint(with: .solid), uses.isDisjoint(with: .solid) { rows[user]?.usedAt = now }
    client.uses = uses
    let isExposed = isExposed && !uses.isDisjoint(with: .solid)
    if isExposed, client.exposure == nil {
      exposures += 1
      client.exposure = exposures
    } else if !isExposed {
      client.exposure = nil
    }
    clients[key] = client
    guard rows[user] == nil else { return }
    rows[user] = Row()
    makeRoom(for: user, at: now)
  }

  private mutating func end(_ key: ClientID, at now: Instant) {
    guard let client = clients.removeValue(forKey: key) else { return }
    if !client.uses.isDisjoint(with: .solid) { rows[client.user]?.usedAt = now }
  }

  /// Makes room for a user: if its identity has too many names, removes the one whose use is longest ago. If the list is too long,
  /// removes the users that are no longer shown, and if that is not enough, those whose use is longest ago.
  private mutating func makeRoom(for new: LocationUser, at now: Instant) {
    let own = rows.filter { $0.key.identity == new.identity && $0.key != new }
    if own.count >= Self.capacityOfIdentity, let oldest = longestAgo(own) { rows[oldest] = nil }
    guard rows.count > Self.capacity else { return }
    let using = Set(clients.values.map(\.user))
    rows = rows.filter { user, row in
      using.contains(user) || row.usedAt.map { now - $0 < Self.recentlyAfter } ?? false
    }
    while rows.count > Self.capacity, let oldest = longestAgo(rows) { rows[oldest] = nil }
  }

  /// The user whose use is longest ago, preferably one without current use.
  private func longestAgo(_ rows: [LocationUser: Row]) -> LocationUser? {
    let using = Set(clients.values.map(\.user))
    let idle = rows.filter { !using.contains($0.key) }
    return (idle.isEmpty ? rows : idle).min {
      ($0.value.usedAt ?? .distantFuture) < ($1.value.usedAt ?? .distantFuture)
    }?.key
  }

  private func found() -> IndicatorState {
    var state = IndicatorState()
    if isSolid || solidUntil != nil {
      state.mark = .solid
    } else if !clients.isEmpty {
      state.mark = .hollow
    }
    let exposed = clients.values.filter { $0.exposure != nil }
    state.background = exposed.max { ($0.exposure ?? 0) < ($1.exposure ?? 0) }?.user
    state.backgroundCount = Set(exposed.map(\.user)).count
    return state
  }
}

extension Instant {
  fileprivate static let distantFuture = Instant(nanoseconds: .max)
}

/// What the status indicator shows (Documentation/Behavior.md, "Authorization").
package struct IndicatorState: Hashable, Sendable {
  package enum Mark: UInt8, Hashable, Sendable {
    case none = 0
    /// Only region or visit monitoring is active.
    case hollow = 1
    /// Location is in use, or was until a moment ago.
    case solid = 2

    /// As in the state file and in the JSON output.
    package var name: String { "\(self)" }
  }

  package var mark = Mark.none
  /// The most recent program that uses location in the background without always (Documentation/Behavior.md, "Authorization");
  /// `nil`: none.
  package var background: LocationUser?
  /// The number of such programs.
  package var backgroundCount = 0

  package init(_ mark: Mark = .none) { self.mark = mark }
}

/// One line of the list of programs that use location.
package struct LocationUsage: Hashable, Sendable {
  package enum Mark: UInt8, Hashable, Sendable {
    /// Now, or until a minute ago.
    case current = 0
    /// Within the last 24 hours; gray.
    case recently = 1
    /// Only region or visit monitoring is active; hollow.
    case fences = 2
  }

  package let user: LocationUser
  package let mark: Mark
  /// The current uses.
  package let uses: LocationUses
  /// Start of the uninterrupted current use; `nil`: no current use.
  package let since: Instant?
  /// The last use, except for region and visit monitoring; `nil`: never.
  package let usedAt: Instant?
}

/// A user of location in the list: an identity, and the name that its program gives itself.
package struct LocationUser: Hashable, Sendable {
  package let identity: ClientIdentity
  /// Cleaned, at most 200 bytes; not authenticated.
  package let name: String?

  package init(_ identity: ClientIdentity, name: String?) {
    self.identity = identity
    self.name = SanitizedText.of(name)
  }
}

/// The purposes for which a client uses location.
package struct LocationUses: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Updates, one fix, a log.
  package static let location = LocationUses(rawValue: 1 << 0)
  package static let ranging = LocationUses(rawValue: 1 << 1)
  package static let significantChanges = LocationUses(rawValue: 1 << 2)
  package static let visits = LocationUses(rawValue: 1 << 3)
  package static let fences = LocationUses(rawValue: 1 << 4)

  /// The uses that make the mark solid (Documentation/Behavior.md, "Authorization"). Visits, which that section does not name, are
  /// shown as regions are: they wait for an event.
  package static let solid: LocationUses = [.location, .ranging, .significantChanges]
}
