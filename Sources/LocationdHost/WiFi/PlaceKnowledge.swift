package import Geodesy
package import LocationIPC
package import LocationStore
package import Positioning
package import WireFormats

/// What is known of access points: what was learnt of late in memory, all of it in the store, which is opened when it is asked.
package final class PlaceKnowledge {
  /// What is learnt is written that often: a power cut costs no more, and a card lasts.
  private static let savingInterval: Duration = .seconds(60)

  private let stateFolder: String
  private var store: AccessPointStore?
  /// It was looked for, and is not there: a scan is of a hundred access points.
  private var isMissing = false
  private var placer = HearingPlacer()
  private var cache = RecordCache()
  private var savedAt: Instant?
  /// Why the store is not read or written, the last time that it was tried.
  package private(set) var problem: DatabaseError?

  package init(stateFolder: String) { self.stateFolder = stateFolder }

  /// Where the store is.
  package var path: String { "\(stateFolder)/\(AccessPointStore.fileName)" }

  /// Whether nothing at all is known.
  package var isEmpty: Bool {
    guard cache.count == 0 else { return false }
    return attempt { store throws(DatabaseError) in try store.isEmpty() } ?? true
  }

  /// How many are known.
  package var account: WiFiAccount {
    save()
    let account = attempt { store throws(DatabaseError) in
      let counts = try store.counts()
      return WiFiAccount(
        learned: counts.learned, imported: counts.imported, fetched: counts.fetched, tiles: try store.tileCount())
    }
    return account ?? WiFiAccount(learned: 0, imported: 0)
  }

  /// Keeps where others say that these are.
  package func add(_ places: [AccessPointPlace]) {
    _ = attempt(makes: true) { store throws(DatabaseError) in try store.add(places) }
  }

  // MARK: Look-up

  /// Where these are, as far as that is known: what was learnt here before what others say.
  package func places(of sightings: [AccessPointSighting]) -> [AccessPointPlace] {
    sightings.compactMap { place(of: $0.bssid) }
  }

  private func place(of bssid: BSSID) -> AccessPointPlace? {
    if let record = record(of: bssid) { return record.place() }
    return attempt { knowledge throws(DatabaseError) in try knowledge.place(of: bssid) } ?? nil
  }

  private func record(of bssid: BSSID) -> AccessPointRecord? {
    cache.record(of: bssid) ?? stored(bssid)
  }

  private func stored(_ bssid: BSSID) -> AccessPointRecord? {
    let bytes = attempt { knowledge throws(DatabaseError) in try knowledge.record(of: bssid) }
    // One that cannot be read is learnt anew.
    return bytes.flatMap { $0 }.flatMap { AccessPointRecord($0.span) }
  }

  // MARK: Learning

  /// Takes where the machine is by satellites.
  package func learn(_ fix: PositionFix, at now: Instant) { learn(placer.handle(fix), at: now) }

  /// Takes what was heard.
  package func learn(_ sightings: [AccessPointSighting], at now: Instant) { learn(placer.handle(sightings), at: now) }

  private func learn(_ hearings: [Hearing], at now: Instant) {
    guard !hearings.isEmpty else { return }
    keep(cache.learn(hearings, stored: cache.missing(in: hearings).compactMap { stored($0) }))
    if let savedAt, now - savedAt < Self.savingInterval { return }
    // The first minute is not worth a write of its own.
    if savedAt != nil { save() }
    savedAt = now
  }

  /// Writes down what was learnt.
  package func save() {
    let unsaved = cache.unsaved()
    if keep(unsaved) { cache.saved(unsaved) }
  }

  /// Whether it did; what could not be written is tried again with the next.
  @discardableResult
  private func keep(_ records: [AccessPointRecord]) -> Bool {
    guard !records.isEmpty else { return true }
    return attempt(makes: true) { knowledge throws(DatabaseError) in
      try knowledge.keep(records.map { ($0.bssid, $0.bytes) })
      return true
    } ?? false
  }

  /// Nothing is known any more of who asks for that.
  package func leaveOut(_ addresses: Set<BSSID>) {
    cache.forget(addresses)
    // They are heard with every scan, and mostly nothing is known of any.
    _ = attempt { store throws(DatabaseError) in
      var known: Set<BSSID> = []
      for address in addresses where try store.knows(address) { known.insert(address) }
      if !known.isEmpty { try store.forget(known) }
    }
  }

  /// Writes down what was learnt, and lets go of the store.
  package func close() {
    save()
    store = nil
    isMissing = false
  }

  // MARK: The store

  /// Does something with the store; `nil` where there is none, or it fails, which `problem` tells.
  ///
  /// - Parameter makes: whether it is to be made where there is none.
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
      // It is too large to be looked through at each start: damage shows where it is read.
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

  /// Some of what is known, by address, after `last`.
  package func page(of knowledge: WiFiKnowledge, after last: BSSID?) -> WiFiAnswer {
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
    // Of what cannot be relied on nothing is told; it is passed over all the same.
    let isMore = (found?.read.count ?? 0) >= limit
    return .places(found?.places ?? [], next: isMore ? found?.read.last : nil)
  }

  /// Forgets what is known.
  package func forget(_ knowledge: WiFiKnowledge) {
    if knowledge == .learned { (cache, placer) = (RecordCache(), HearingPlacer()) }
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
  /// Where it is, and since when; `nil` where that cannot be relied on.
  fileprivate var known: KnownAccessPoint? {
    place().map { KnownAccessPoint(place: $0, hearings: count, days: firstDay...max(firstDay, lastDay)) }
  }
}
