package import WireFormats

/// A limited number of the most recently learned records; the store has the rest.
///
/// The owner asks which records are `missing`, loads those that the store has, and passes them with the observations to `learn`;
/// it stores the records that `learn` returns, which the cache has evicted.
package struct RecordCache: Sendable {
  private struct Entry {
    var record: AccessPointRecord
    /// The last use, by a count of calls.
    var use: UInt64
    /// Whether the record differs from the stored one.
    var isChanged: Bool
  }

  private let capacity: Int
  private let tuning: PositioningTuning
  private var entries: [BSSID: Entry] = [:]
  private var uses: UInt64 = 0

  /// For at most `capacity` > 0 records, of some 250 bytes each.
  package init(capacity: Int = 4096, _ tuning: PositioningTuning = .standard) {
    precondition(capacity > 0)
    self.capacity = capacity
    self.tuning = tuning
    entries.reserveCapacity(capacity)
  }

  package var count: Int { entries.count }

  package func record(of bssid: BSSID) -> AccessPointRecord? { entries[bssid]?.record }

  /// The access points without a record in the cache, each once, in order.
  package func missing(in observations: [LocatedObservation]) -> [BSSID] {
    Set(observations.lazy.map(\.bssid).filter { entries[$0] == nil }).sorted()
  }

  /// Updates the records. Returns those that were evicted and are not stored yet. An access point neither in the cache nor in
  /// `stored` is new.
  package mutating func learn(_ observations: [LocatedObservation], stored: [AccessPointRecord] = [])
    -> [AccessPointRecord]
  {
    uses += 1
    for record in stored where entries[record.bssid] == nil {
      entries[record.bssid] = Entry(record: record, use: uses, isChanged: false)
    }
    for located in observations {
      if entries[located.bssid] == nil {
        entries[located.bssid] = Entry(record: AccessPointRecord(located, tuning), use: uses, isChanged: true)
      } else {
        entries[located.bssid]?.record.learn(located, tuning)
        entries[located.bssid]?.use = uses
        entries[located.bssid]?.isChanged = true
      }
    }
    return evict()
  }

  /// All records that are not stored yet, by their addresses: they stay in the cache, and are unsaved until `saved` is called.
  package func unsaved() -> [AccessPointRecord] {
    entries.values.filter(\.isChanged).map(\.record).sorted { $0.bssid < $1.bssid }
  }

  /// Marks records as stored.
  package mutating func saved(_ records: [AccessPointRecord]) {
    for record in records where entries[record.bssid]?.record == record { entries[record.bssid]?.isChanged = false }
  }

  /// Removes access points that opt out.
  package mutating func forget(_ addresses: Set<BSSID>) {
    for address in addresses { entries[address] = nil }
  }

  /// If there are too many, evicts the least recently learned, so that a quarter of the capacity is free. Returns the
  /// evicted records that are not stored yet.
  private mutating func evict() -> [AccessPointRecord] {
    guard entries.count > capacity else { return [] }
    let kept = capacity - capacity / 4
    let oldest = entries.sorted { ($0.value.use, $0.key) < ($1.value.use, $1.key) }.prefix(entries.count - kept)
    for (bssid, _) in oldest { entries[bssid] = nil }
    return oldest.filter { $0.value.isChanged }.map(\.value.record)
  }
}
