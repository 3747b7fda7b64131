import Geodesy

/// What a run of fixes says under some keys: one list of values a key, in the order of the fixes, as the formats write it
/// that keep a run's positions in one place and its values in another.
struct TrackColumns: Sendable {
  /// The keys whose values go along with a run's positions.
  static let keys: [FixKey] = [
    .horizontalAccuracy, .verticalAccuracy, .speed, .speedAccuracy, .course, .courseAccuracy, .fix, .satellitesUsed,
    .suspect, .simulated,
  ]

  private var values: [[OutputValue?]] = Array(repeating: [], count: keys.count)
  /// Fixes in it.
  private(set) var count = 0

  /// Adds what `located` says; `nil` for a position that no fix stands behind.
  mutating func append(_ located: LocatedFix?) {
    for (index, key) in Self.keys.enumerated() { values[index].append(located.flatMap { key.value(of: $0) }) }
    count += 1
  }

  mutating func removeAll() {
    for index in values.indices { values[index].removeAll(keepingCapacity: true) }
    count = 0
  }

  /// The keys of which any fix says something, with their values.
  var known: [(key: FixKey, values: [OutputValue?])] {
    zip(Self.keys, values).filter { $0.1.contains { $0 != nil } }.map { ($0.0, $0.1) }
  }
}
