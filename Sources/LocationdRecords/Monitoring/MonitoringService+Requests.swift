import Geodesy
import LinuxIO
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore
import Regions

/// Answers clients' requests.
extension MonitoringService {
  func take(
    _ request: MonitoringRequest, _ id: RequestID, from client: ClientID, of identity: ClientIdentity,
    _ allowance: MonitoringAllowance
  ) {
    // Store earlier events first.
    keepUnkept()
    do throws(MonitoringStoreError) {
      if let event = try answer(request, id, from: client, of: identity, allowance) {
        report(.answer(event, to: client))
      }
    } catch {
      report(.answer(.failed(id, .monitoring(failure(error))), to: client))
    }
  }

  private func failure(_ error: MonitoringStoreError) -> MonitoringFailure {
    switch error {
    case .lists(let most), .listsOfIdentity(_, let most): .tooManyLists(limit: most)
    case .name(let length, _): .badName("of \(length) bytes")
    case .database(let error):
      isHeldByOther(error)
        ? .monitoredElsewhere(processID: FolderLock.holder(of: folder))
        : .cannotKeep(path: folder, reason: error.words, error.cause)
    }
  }

  private func answer(
    _ request: MonitoringRequest, _ id: RequestID, from client: ClientID, of identity: ClientIdentity,
    _ allowance: MonitoringAllowance
  ) throws(MonitoringStoreError) -> ServiceEvent? {
    switch request {
    case .add(let name, let regions, let outlives):
      if let problem = problem(name, regions.map(\.launch), identity, outlives) { return .failed(id, problem) }
      let room = room(of: identity, allowance)
      let (total, mostRegions) = (room.regions, room.mostRegions)
      let known = try known(name, of: identity)
      let new = Set(regions.map(\.region.identifier)).count { known?.monitor.watched($0) == nil }
      guard total + new <= mostRegions else {
        report(.reached(ServiceBound(.regions, limit: mostRegions, userID: identity.userID)))
        return .failed(id, .monitoring(.tooManyRegions(limit: mostRegions)))
      }
      guard hasRoom(for: regions, in: known, of: identity, allowance) else {
        report(.reached(ServiceBound(.regionBytes, limit: allowance.mostBytes, userID: identity.userID)))
        return .failed(id, .monitoring(.tooManyRegionBytes(limit: allowance.mostBytes)))
      }
      let untimed = regions.count {
        !$0.timing.isEmpty && known?.monitor.timing(of: $0.region.identifier).isEmpty ?? true
      }
      let timed = lists.values.reduce(0) {
        $0 + ($1.list.identity.userID == identity.userID ? $1.monitor.timedCount : 0)
      }
      guard untimed == 0 || timed + untimed <= Self.mostTimedRegions else {
        return .failed(id, .monitoring(.tooManyTimedRegions(limit: Self.mostTimedRegions)))
      }
      let list = try list(name, of: identity, allowance)
      try add(regions, to: list)
      return .done(id)
    case .remove(let name, let identifiers):
      guard let list = try known(name, of: identity) else { return .done(id) }
      try change(list, identifiers.map { .remove($0) })
      for identifier in identifiers { _ = list.monitor.handle(.remove(identifier), at: present) }
      try settle(list)
      return .done(id)
    case .removeAll(let name):
      guard let list = try known(name, of: identity) else { return .done(id) }
      try change(list, [.removeAll])
      list.monitor = RegionMonitor()
      try settle(list)
      return .done(id)
    case .state(let name, let identifier):
      let monitor = try known(name, of: identity)?.monitor
      let state = monitor?.watched(identifier)?.state
      return .monitoring(id, .state(monitor?.isUndecided(identifier) == true ? .unknown : state))
    case .read(let name, let start): return .monitoring(id, try page(of: try known(name, of: identity), from: start))
    case .lists: return .monitoring(id, .lists(try reports(for: identity)))
    case .room: return .monitoring(id, .room(room(of: identity, allowance)))
    case .setVisits(let name, let isOn, let launch, let outlives):
      if let problem = problem(name, [launch], identity, outlives) { return .failed(id, problem) }
      if !isOn, try known(name, of: identity) == nil { return .done(id) }
      try setVisits(try list(name, of: identity, allowance), isOn, launch)
      return .done(id)
    case .setSignificantChanges(let name, let isOn, let launch, let outlives):
      if let problem = problem(name, [launch], identity, outlives) { return .failed(id, problem) }
      if !isOn, try known(name, of: identity) == nil { return .done(id) }
      try setSignificantChanges(try list(name, of: identity, allowance), isOn, launch)
      return .done(id)
    case .visits(let name, let start):
      guard let list = try known(name, of: identity) else { return .monitoring(id, .visits([])) }
      return .monitoring(
        id,
        .visits(
          try stored { store throws(DatabaseError) in
            try store.visits(of: list.id, from: start, limit: MessageLimits.visits)
          }))
    case .follow(let name, let receives):
      return try follow(name, receives, id, client, identity, allowance)
    case .acknowledge(let name, let event):
      guard let list = try known(name, of: identity) else { return .done(id) }
      try note(heard: event, of: list)
      return .done(id)
    case .importVisits(let visits):
      let counts = try stored { store throws(DatabaseError) in try store.importVisits(visits, of: identity) }
      return .monitoring(
        id, .importedCounts(added: counts.added, known: counts.known, beyond: counts.beyond))
    case .importedVisits(let start, let index):
      guard MonitoringStore.exists(in: folder) else { return .monitoring(id, .importedVisits([], next: nil)) }
      let page = try stored { store throws(DatabaseError) in
        try store.importedVisits(of: identity, from: start, index: Int(index), limit: MessageLimits.visits)
      }
      return .monitoring(id, .importedVisits(page.visits, next: page.next.flatMap { UInt32(exactly: $0) }))
    case .removeVisits(let name, let from, let to):
      return .monitoring(id, .removedVisits(try removeVisits(of: name, identity, from: from, to: to)))
    }
  }

  /// The failure if this client may not monitor something; `nil` if it may.
  private func problem(
    _ name: String, _ launches: [MonitoringLaunch], _ identity: ClientIdentity, _ outlives: Bool
  ) -> LocationFailure? {
    guard !outlives || self.outlives else { return .monitoring(.needsDaemon) }
    guard !name.isEmpty, name.utf8.count <= MonitoringList.longestName, !name.utf8.contains(where: { $0 < 0x20 }) else {
      return .monitoring(.badName(name))
    }
    guard launches.contains(where: { !$0.isEmpty }) else { return nil }
    // A command runs unconfined as the user; a sandboxed client could use it to escape from its sandbox.
    return identity.realm.isConfined ? .monitoring(.mayNotLaunch(identity)) : nil
  }

  // MARK: - Lists

  func stored<R>(
    _ body: (inout MonitoringStore) throws(DatabaseError) -> R
  ) throws(MonitoringStoreError) -> R {
    do throws(DatabaseError) {
      return try withStoreOrThrow(body)
    } catch {
      throw .database(error)
    }
  }

  /// The list of that name; `nil` if there is none. A store that cannot be opened is an error, not an empty list.
  func known(_ name: String, of identity: ClientIdentity) throws(MonitoringStoreError) -> MonitoredList? {
    // Opening the store loads its lists.
    if MonitoringStore.exists(in: folder) { try stored { _ throws(DatabaseError) in } }
    return lists.values.first { $0.list.name == name && $0.list.identity == identity }
  }

  private func list(
    _ name: String, of identity: ClientIdentity, _ allowance: MonitoringAllowance
  ) throws(MonitoringStoreError) -> MonitoredList {
    if let list = try known(name, of: identity) { return list }
    guard lists.count < allowance.mostLists else {
      report(.reached(ServiceBound(.lists, limit: allowance.mostLists, userID: identity.userID)))
      throw .lists(most: allowance.mostLists)
    }
    let ofUser = lists.values.count { $0.list.identity.userID == identity.userID }
    guard ofUser < allowance.mostListsOfUser else { throw .lists(most: allowance.mostListsOfUser) }
    let configuration = MonitoringList(identity, name: name)
    // The list is created in two steps, because the store throws another type of error.
    var made: MonitoringListID?
    var problem: MonitoringStoreError?
    try stored { store throws(DatabaseError) in
      do throws(MonitoringStoreError) {
        made = try store.id(of: configuration, making: true)
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    guard let made else { throw .database(.noRow(statement: "INSERT INTO lists")) }
    let list = MonitoredList(made, configuration, RegionMonitor())
    lists[made] = list
    return list
  }

  /// Called when a list has changed: removes the list if it is empty.
  func settle(_ list: MonitoredList) throws(MonitoringStoreError) {
    reportRequestedUses(list)
    guard isUnwanted(list) else { return }
    let isGone = try stored { store throws(DatabaseError) in
      try store.removeIfEmpty(list.id, regions: list.monitor.count)
    }
    if isGone { forget(list.id) }
  }

  /// Whether a list monitors nothing, and no client waits for its events.
  func isUnwanted(_ list: MonitoredList) -> Bool {
    list.wanted.isEmpty && !followers.contains { $0.list == list.id && $0.receives }
  }

  /// Whether the identifiers and shapes of all regions of a user stay within the user's limit.
  private func hasRoom(
    for regions: [MonitoredRegion], in list: MonitoredList?, of identity: ClientIdentity,
    _ allowance: MonitoringAllowance
  ) -> Bool {
    // A region that replaces one of the same name uses the room of that one; of several regions with one name, the last
    // one counts.
    let kept = Dictionary(regions.map { ($0.region.identifier, $0.region.bytes) }) { _, last in last }
    let new = kept.reduce(0) { $0 + $1.value - (list?.monitor.watched($1.key)?.region.bytes ?? 0) }
    return room(of: identity, allowance).bytes + new <= allowance.mostBytes
  }

  /// The room that the regions of a client use, and the limits.
  private func room(of identity: ClientIdentity, _ allowance: MonitoringAllowance) -> MonitoringQuota {
    var room = MonitoringQuota(
      regions: 0, mostRegions: allowance.mostRegions ?? mostRegions, bytes: 0, mostBytes: allowance.mostBytes)
    for list in lists.values where list.list.identity.userID == identity.userID {
      if list.list.identity == identity { room.regions += list.monitor.count }
      room.bytes += list.monitor.bytes
    }
    return room
  }

  // MARK: - Regions

  private func add(_ regions: [MonitoredRegion], to list: MonitoredList) throws(MonitoringStoreError) {
    var step = MonitoringStep()
    let changes = regions.map { configuration -> MonitoringChange in
      // A region whose shape is unchanged keeps its state: only its commands, notification or timing can differ.
      let before = list.monitor.watched(configuration.region.identifier)
      if let before, before.region.shape == configuration.region.shape {
        return .add(configuration.region, before.state, configuration.launch, configuration.timing)
      }
      // The program knows the state that it passed. Events of an earlier region with this name do not apply to the new
      // region.
      if before != nil || configuration.state != .unknown {
        step.records.append(
          (list.id, configuration.region.identifier, MonitoringRecord(state: configuration.state, time: time)))
      }
      return .add(configuration.region, configuration.state, configuration.launch, configuration.timing)
    }
    step.changes = [(list.id, changes)]
    let hasNotifications = list.hasNotifications || regions.contains(where: \.launch.isShown)
    if hasNotifications, !list.hasNotifications { step.progress = [(list.id, ProgressKey.notifications, [1])] }
    let kept = step
    try stored { store throws(DatabaseError) in _ = try store.record(kept) }
    list.hasNotifications = hasNotifications
    for case .add(let region, let state, _, let timing) in changes {
      _ = list.monitor.handle(.add(region, assuming: state), at: present)
      _ = list.monitor.handle(.timing(timing, of: region.identifier), at: present)
    }
    if regions.contains(where: { !$0.launch.isEmpty }) {
      report(.noted(userID: list.list.identity.userID))
    }
    snapshotIfDue(list)
    reportRequestedUses(list)
  }

  private func change(_ list: MonitoredList, _ changes: [MonitoringChange]) throws(MonitoringStoreError) {
    try stored { store throws(DatabaseError) in try store.change(list.id, changes) }
  }

  private func note(_ list: MonitoredList, _ key: String) throws(MonitoringStoreError) {
    try stored { store throws(DatabaseError) in try store.keepProgress(list.id, key, [1]) }
  }

  /// The changes are already in the overlay; therefore a failed snapshot does not fail a request.
  private func snapshotIfDue(_ list: MonitoredList) {
    withStore { store throws(DatabaseError) in
      if try store.needsSnapshot(list.id) { try store.snapshot(list.id, list.monitor) }
    }
  }

  private func page(
    of list: MonitoredList?, from start: UInt32
  ) throws(MonitoringStoreError) -> MonitoringAnswer {
    guard let list else { return .regions([], next: nil) }
    var regions: [MonitoredRegion] = []
    var (next, bytes): (UInt32?, Int) = (start, 0)
    while let from = next, regions.count < MessageLimits.regions, bytes < MessageLimits.regionBytes {
      let (entries, following) = list.monitor.entries(from: from, most: 1)
      next = following
      guard let (region, state) = entries.first else { break }
      let (launch, record) = try stored { store throws(DatabaseError) in
        (try store.launch(list.id, .region(region.identifier)), try store.record(list.id, region.identifier))
      }
      let identifier = region.identifier
      regions.append(
        MonitoredRegion(
          region, state: list.monitor.isUndecided(identifier) ? .unknown : state, launch: launch,
          timing: list.monitor.timing(of: identifier), acknowledgedState: record?.state, receivedAt: record?.time))
      bytes += RegionFile.encode(region, state).count
    }
    return .regions(regions, next: next)
  }

  private func reports(for identity: ClientIdentity) throws(MonitoringStoreError) -> [MonitoringListReport] {
    var reports: [MonitoringListReport] = []
    if MonitoringStore.exists(in: folder) { try stored { _ throws(DatabaseError) in } }
    for list in ordered where identity.canSee(list.list.identity) {
      var report = MonitoringListReport(
        name: list.list.name, identity: list.list.identity, regions: list.monitor.count, wanted: list.wanted,
        allowed: list.active)
      try stored { store throws(DatabaseError) in
        report.waiting = try store.pending(of: list.id, limit: MonitoringStore.mostPending).count
        report.dropped = try store.dropped(list.id)
        report.visitsLaunch = try store.launch(list.id, .visits)
        report.significantChangesLaunch = try store.launch(list.id, .significantChanges)
      }
      reports.append(report)
    }
    return reports
  }

  // MARK: - Followers

  /// Called when a program has received an event: records the region state that the program now knows.
  private func note(heard event: UInt64, of list: MonitoredList) throws(MonitoringStoreError) {
    guard event > 0 else { return }
    try stored { store throws(DatabaseError) in
      if let pending = try store.pending(of: list.id, pendingDeliveries: .programs, after: event - 1, limit: 1).first,
        pending.id == event, let kept = try? MonitoringEvent(kept: pending.event.body),
        case .region(let identifier) = kept.subject, let state = kept.kind.state,
        list.monitor.watched(identifier) != nil
      {
        try store.setRecord(list.id, identifier, MonitoringRecord(state: state, time: kept.time))
      }
      try store.done([event], .programs, of: list.id)
    }
  }

  private func follow(
    _ name: String?, _ receives: Bool, _ id: RequestID, _ client: ClientID, _ identity: ClientIdentity,
    _ allowance: MonitoringAllowance
  ) throws(MonitoringStoreError) -> ServiceEvent? {
    let ofIdentity = followers.count { $0.identity.userID == identity.userID }
    guard followers.count < Self.mostFollowers, ofIdentity < Self.mostFollowersOfUser else {
      return .failed(id, .tooManyRequests(limit: Self.mostFollowersOfUser))
    }
    var list: MonitoredList?
    if let name {
      if let problem = problem(name, [], identity, false) { return .failed(id, problem) }
      list = receives ? try self.list(name, of: identity, allowance) : try known(name, of: identity)
      guard list != nil else { return .failed(id, .monitoring(.badName(name))) }
    }
    followers.append(
      Follower(client: client, request: id, list: list?.id, identity: identity, receives: receives && list != nil))
    guard receives, let list else { return nil }
    if !list.isReceived {
      try note(list, ProgressKey.heard)
      list.isReceived = true
    }
    report(.answer(.monitoring(id, .allowed(list.active, list: list.list.name)), to: client))
    reportRequestedUses(list)
    deliverPending(of: list, to: followers.filter { $0.client == client && $0.request == id })
    return nil
  }
}
