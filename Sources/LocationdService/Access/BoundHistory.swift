package import Geodesy
package import LocationIPC

/// The bounds that were reached in the last hour, for the journal and for `status`. The history's own size is bounded, too.
package struct BoundHistory: Sendable {
  /// A bound that was last reached longer ago than this is not reported any more, and its count starts again.
  package static let memory = Duration.seconds(3600)
  /// The shortest time between two journal lines about the same bound.
  package static let pause = Duration.seconds(60)

  private struct Key: Hashable {
    var kind: ServiceBound.Kind
    var limit: Int
    var userID: UInt32?
  }

  private struct Entry {
    var bound: ServiceBound
    var times = 0
    var last: Instant
    var journaledAt: Instant?
  }

  private var entries: [Key: Entry] = [:]

  package init() {}

  /// Records that a bound was reached; returns whether a journal line is due.
  package mutating func note(_ bound: ServiceBound, at now: Instant) -> Bool {
    let key = key(of: bound)
    if entries[key] == nil, entries.count >= MessageLimits.bounds {
      guard let oldest = entries.min(by: { $0.value.last < $1.value.last }) else { return false }
      entries[oldest.key] = nil
    }
    var entry = entries[key] ?? Entry(bound: bound, last: now)
    if now - entry.last > Self.memory { entry.times = 0 }
    (entry.bound, entry.last) = (bound, now)
    entry.times += 1
    let isDue = entry.journaledAt.map { now - $0 >= Self.pause } ?? true
    if isDue { entry.journaledAt = now }
    entries[key] = entry
    return isDue
  }

  /// The bounds, most recently reached first.
  package func reached(at now: Instant) -> [ReachedBound] {
    entries.values.filter { now - $0.last <= Self.memory }.sorted { $0.last > $1.last }
      .map { ReachedBound($0.bound, times: $0.times, ago: now - $0.last) }
  }

  /// A bound of all users has one entry, for the user who was refused last.
  private func key(of bound: ServiceBound) -> Key {
    switch bound.kind {
    case .clientsOfUser, .requestsOfUser, .regions, .regionBytes:
      Key(kind: bound.kind, limit: bound.limit, userID: bound.userID)
    case .clients, .clientsWithoutGrant, .clientsOfNamespaces, .requests, .lists:
      Key(kind: bound.kind, limit: bound.limit, userID: nil)
    }
  }
}
