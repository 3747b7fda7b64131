package import WireFormats

/// The records that were learnt of lately, so many at most; the rest is the store's.
///
/// Whoever holds it asks which records are `missing`, fetches those that the store has, and gives them with the hearings to
/// `learn`; what that returns is to be stored, as it was driven out by others.
package struct RecordCache: Sendable {
  private struct Entry {
    var record: AccessPointRecord
    /// When it was learnt of, by a count of calls.
    var use: UInt64
    /// Whether the store has another one.
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

  /// Of which no record is here, each once, in order.
  package func missing(in hearings: [Hearing]) -> [BSSID] {
    Set(hearings.lazy.map(\.bssid).filter { entries[$0] == nil }).sorted()
  }

  /// Learns. Of what is neither here nor in `stored` nothing was known.
  package mutating func learn(_ hearings: [Hearing], stored: [AccessPointRecord] = []) -> [AccessPointRecord] {
    uses += 1
    for record in stored where entries[record.bssid] == nil {
      entries[record.bssid] = Entry(record: record, use: uses, isChanged: false)
    }
    for hearing in hearings {
      if entries[hearing.bssid] == nil {
        entries[hearing.bssid] = Entry(record: AccessPointRecord(hearing, tuning), use: uses, isChanged: true)
      } else {
        entries[hearing.bssid]?.record.learn(hearing, tuning)
        entries[hearing.bssid]?.use = uses
        entries[hearing.bssid]?.isChanged = true
      }
    }
    return evict()
  }

  /// All that the store has not, by their addresses: they stay here too, and are unsaved until `saved` says otherwise.
  package func unsaved() -> [AccessPointRecord] {
    entries.values.filter(\.isChanged).map(\.record).sorted { $0.bssid < $1.bssid }
  }

  /// The store has all of these.
  package mutating func saved(_ records: [AccessPointRecord]) {
    for record in records where entries[record.bssid]?.record == record { entries[record.bssid]?.isChanged = false }
  }

  /// Who asks to be left out is not known any more.
  package mutating func forget(_ addresses: Set<BSSID>) {
    for address in addresses { entries[address] = nil }
  }

  /// Where there are too many, a quarter of the room is made, by those that were not learnt of for longest.
  private mutating func evict() -> [AccessPointRecord] {
    guard entries.count > capacity else { return [] }
    let kept = capacity - capacity / 4
    let oldest = entries.sorted { ($0.value.use, $0.key) < ($1.value.use, $1.key) }.prefix(entries.count - kept)
    for (bssid, _) in oldest { entries[bssid] = nil }
    return oldest.filter { $0.value.isChanged }.map(\.value.record)
  }
}
