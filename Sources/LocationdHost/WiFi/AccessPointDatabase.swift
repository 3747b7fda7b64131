package import Geodesy
package import LocationDatabase
package import LocationIPC
import LocationStore
package import Positioning
package import WireFormats

/// The access point database: recently learned records in memory, all others in the store, which is opened when it is
/// first used.
package final class AccessPointDatabase {
  /// How often learned records are written: a power failure loses no more than the records of this time, and a storage
  /// card is not worn out.
  private static let savingInterval: Duration = .seconds(60)

  private let stateFolder: String
  private var store: AccessPointStore?
  /// Whether the store was searched for and does not exist, so that the search is not repeated for each of a hundred
  /// access points in a scan.
  private var isMissing = false
  private var placer = ObservationLocator()
  private var cache = RecordCache()
  private var savedAt: Instant?
  /// Why the last access to the store failed; `nil` if it succeeded.
  package private(set) var problem: DatabaseError?

  package init(stateFolder: String) { self.stateFolder = stateFolder }

  /// The path of the store.
  package var path: String { "\(stateFolder)/\(AccessPointStore.fileName)" }

  /// Whether there are no access points at all.
  package var isEmpty: Bool {
    guard cache.count == 0 else { return false }
    return attempt { store throws(DatabaseError) in try store.isEmpty() } ?? true
  }

  /// The numbers of known access points.
  package var account: WiFiAccount {
    save()
    let account = attempt { store throws(DatabaseError) in
      let counts = try store.counts()
      return WiFiAccount(
        learned: counts.learned, imported: counts.imported, fetched: counts.fetched, tiles: try store.tileCount())
    }
    return account ?? WiFiAccount(learned: 0, imported: 0)
  }

  /// Stores imported positions of access points.
  package func add(_ places: [AccessPointPosition]) {
    _ = attempt(makes: true) { store throws(DatabaseError) in try store.add(places) }
  }

  // MARK: Look-up

  /// The known positions of these access points; positions learned on this machine take precedence over imported and
  /// downloaded ones.
  package func places(of observations: [AccessPointObservation]) -> [AccessPointPosition] {
    observations.compactMap { place(of: $0.bssid) }
  }

  private func place(of bssid: BSSID) -> AccessPointPosition? {
    if let record = record(of: bssid) { return record.place() }
    return attempt { knowledge throws(DatabaseError) in try knowledge.place(of: bssid) } ?? nil
  }

  private func record(of bssid: BSSID) -> AccessPointRecord? {
    cache.record(of: bssid) ?? stored(bssid)
  }

  private func stored(_ bssid: BSSID) -> AccessPointRecord? {
    let bytes = attempt { knowledge throws(DatabaseError) in try knowledge.record(of: bssid) }
    // A record that cannot be read is learned again.
    return bytes.flatMap { $0 }.flatMap { AccessPointRecord($0.span) }
  }

  // MARK: Learning

  /// Learns from a satellite position.
  package func learn(_ fix: PositionFix, at now: Instant) { learn(placer.handle(fix), at: now) }

  /// Learns from a Wi-Fi scan.
  package func learn(_ observations: [AccessPointObservation], at now: Instant) {
    learn(placer.handle(observations), at: now)
  }

  private func learn(_ observations: [LocatedObservation], at now: Instant) {
    guard !observations.isEmpty else { return }
    keep(cache.learn(observations, stored: cache.missing(in: observations).compactMap { stored($0) }))
    if let savedAt, now - savedAt < Self.savingInterval { return }
    // The first minute does not justify a separate write.
    if savedAt != nil { save() }
    savedAt = now
  }

  /// Writes the learned records.
  package func save() {
    let unsaved = cache.unsaved()
    if keep(unsaved) { cache.saved(unsaved) }
  }

  /// Returns whether the records were stored; records that were not stored are written with the next save.
  @discardableResult
  private func keep(_ records: [AccessPointRecord]) -> Bool {
    guard !records.isEmpty else { return true }
    return attempt(makes: true) { knowledge throws(DatabaseError) in
      try knowledge.keep(records.map { ($0.bssid, $0.bytes) })
      return true
    } ?? false
  }

  /// Deletes all data about access points that have opted out.
  package func leaveOut(_ addresses: Set<BSSID>) {
    cache.forget(addresses)
    // These access points are received with every scan, and for most of them nothing is stored.
    _ = attempt { store throws(DatabaseError) in
      var known: Set<BSSID> = []
      for address in addresses where try store.knows(address) { known.insert(address) }
      if !known.isEmpty { try store.forget(known) }
    }
  }

  /// Writes the learned records, and closes the store.
  package func close() {
    save()
    store = nil
    isMissing = false
  }

  // MARK: The store

  /// Runs `body` on the store; `nil` if there is no store, or if it fails: `problem` is the error.
  ///
  /// - Parameter makes: whether to create the store if there is none.
  func attempt<R>(makes: Bool = false, _ body: (inout AccessPointStore) throws(DatabaseError) -> R) -> R? {
    problem = nil
    do throws(DatabaseError) {
      if store == nil {
        guard makes || !isMissing else { return nil }
        isMissing = !makes && !AccessPointStore.exists(in: stateFolder)
        if isMissing { return nil }
        store = try AccessPointStore(stateFolder: stateFolder)
      }
      return try withStore(body)
    } catch {
      problem = error
      // The store is too large to be checked at each start: damage is found when the damaged part is read.
      if error.isDamage, store != nil {
        store = nil
        try? AccessPointStore.setAside(in: stateFolder)
      }
      return nil
    }
  }

  private func withStore<R>(_ body: (inout AccessPointStore) throws(DatabaseError) -> R) throws(DatabaseError) -> R? {
    guard var opened = store.take() else { return nil }
    let result: R
    do throws(DatabaseError) {
      result = try body(&opened)
    } catch {
      store = consume opened
      throw error
    }
    store = consume opened
    return result
  }

  /// A page of the known access points, ordered by address, beginning after `last`.
  package func page(of knowledge: AccessPointOrigin, after last: BSSID?) -> WiFiAnswer {
    save()
    let limit = MessageLimits.accessPoints
    let found = attempt { store throws(DatabaseError) -> (places: [KnownAccessPoint], read: [BSSID]) in
      switch knowledge {
      case .learned:
        let records = try store.records(after: last, limit: limit)
        return (records.compactMap { AccessPointRecord($0.bytes.span)?.known }, records.map(\.bssid))
      case .imported, .fetched:
        let places = try store.places(of: knowledge == .imported ? .imported : .fetched, after: last, limit: limit)
        return (places.map { KnownAccessPoint(place: $0) }, places.map(\.bssid))
      }
    }
    // Records that are not reliable are left out of the answer, but count for the paging.
    let isMore = (found?.read.count ?? 0) >= limit
    return .places(found?.places ?? [], next: isMore ? found?.read.last : nil)
  }

  /// Deletes all access points of a kind.
  package func forget(_ knowledge: AccessPointOrigin) {
    if knowledge == .learned { (cache, placer) = (RecordCache(), ObservationLocator()) }
    _ = attempt { [stateFolder] store throws(DatabaseError) in
      try AccessPointStore.removeSetAside(in: stateFolder)
      switch knowledge {
      case .learned: try store.forgetLearned()
      case .imported: try store.forgetImported()
      case .fetched: try store.forgetFetched()
      }
    }
  }
}

extension AccessPointRecord {
  /// The access point with its position, its number of observations and their days; `nil` if the position is not
  /// reliable.
  fileprivate var known: KnownAccessPoint? {
    place().map { KnownAccessPoint(place: $0, observations: count, days: firstDay...max(firstDay, lastDay)) }
  }
}
