package import Geodesy
package import LocationIPC

/// Which bounds were reached in the last hour, for the journal and for `status`. Of bounded size, however often that happens.
package struct BoundHistory: Sendable {
  /// What is older is forgotten.
  package static let memory = Duration.seconds(3600)
  /// A bound that is reached again and again is worth a line this often.
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

  /// Notes that a bound was reached; whether that is worth a line in the journal.
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

  /// The bounds, the one that was reached last first.
  package func reached(at now: Instant) -> [ReachedBound] {
    entries.values.filter { now - $0.last <= Self.memory }.sorted { $0.last > $1.last }
      .map { ReachedBound($0.bound, times: $0.times, ago: now - $0.last) }
  }

  /// A bound of all users has one entry: that of the user who was refused last.
  private func key(of bound: ServiceBound) -> Key {
    switch bound.kind {
    case .clientsOfUser, .requestsOfUser, .regions, .regionBytes:
      Key(kind: bound.kind, limit: bound.limit, userID: bound.userID)
    case .clients, .clientsWithoutGrant, .clientsOfNamespaces, .requests, .lists:
      Key(kind: bound.kind, limit: bound.limit, userID: nil)
    }
  }
}
