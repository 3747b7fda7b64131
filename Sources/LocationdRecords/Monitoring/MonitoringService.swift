package import Geodesy
import LinuxIO
import LocationDatabase
import LocationIPC
package import LocationPolicy
import LocationStore
import Regions

/// The monitoring for programs that start and exit: their lists with the state machines, and the events until they are
/// received.
///
/// An event is stored in one transaction with the state change that caused it, and sent after that. Thus a power
/// failure neither loses an event nor creates one twice.
package final class MonitoringService {
  /// A client that follows events.
  struct Follower {
    let client: ClientID
    let request: RequestID
    /// `nil`: all lists that the identity has access to.
    let list: MonitoringListID?
    let identity: ClientIdentity
    /// Whether the client is the program that the list belongs to.
    let receives: Bool
  }

  /// Maximum number of regions of one identity.
  package static let mostRegions = 1_000_000
  /// Maximum number of one user's regions with a timing: each is evaluated with every fix, and all of them may become
  /// unknown at once.
  static let mostTimedRegions = 1000
  /// Maximum numbers of followers of all clients, and of the clients of one user.
  static let (mostFollowers, mostFollowersOfUser) = (512, 128)
  /// Maximum number of unstored events that wait in memory.
  private static let mostUnkept = 1000
  /// Interval between attempts to store events after a failure.
  private static let rest: Duration = .seconds(10)

  let folder: String
  /// Whether monitoring continues after the requesting process has exited.
  let outlives: Bool
  let mostRegions: Int
  private let isVirtual: Bool
  /// Whether there are destinations of positions.
  private(set) var hasDestinations: Bool
  private let clock: () -> GNSSTime?
  let report: (MonitoringReport) -> Void
  /// A class, so that several callers can share the noncopyable store.
  private final class OpenStore {
    var store: MonitoringStore
    /// Why the store is read-only; `nil` if it is writable.
    let problem: DatabaseError?
    init(_ store: consuming MonitoringStore, problem: DatabaseError? = nil) {
      self.store = store
      self.problem = problem
    }
  }
  private var opened: OpenStore?
  /// Excludes other processes if no daemon hosts the store.
  private var lock: FolderLock?
  var lists: [MonitoringListID: MonitoredList] = [:]
  var followers: [Follower] = []
  private var planner: MonitoringScheduler
  private let limits: MonitoringIntervals
  /// Events that could not be stored yet; they are stored before any further request is executed.
  private var unkept = MonitoringStep()
  private var triesAgainAt: Instant?
  /// The time of the next attempt to open the store.
  private var beginsAgainAt: Instant?
  private var hasReportedOpening = false
  private var isListening = false
  private(set) var present: Instant
  /// The newest fix without a quality flag.
  var latest: PositionFix?

  /// - Parameters:
  ///   - folder: the folder of the store.
  ///   - outlives: whether a daemon hosts the store, which is the only user of its state folder.
  ///   - isVirtual: whether time comes from a recording that is replayed as fast as possible.
  ///   - hasDestinations: whether there are destinations of positions.
  ///   - clock: the system's wall clock; returns `nil` if the clock is not set.
  package init(
    folder: String, outlives: Bool, mostRegions: Int = MonitoringService.mostRegions,
    limits: MonitoringIntervals = MonitoringIntervals(),
    isVirtual: Bool = false, hasDestinations: Bool = false, present: Instant,
    clock: @escaping () -> GNSSTime? = { WallClock.believable },
    report: @escaping (MonitoringReport) -> Void
  ) {
    (self.folder, self.outlives, self.mostRegions) = (folder, outlives, mostRegions)
    (self.present, self.clock, self.report) = (present, clock, report)
    (self.limits, planner, self.isVirtual) = (limits, MonitoringScheduler(limits), isVirtual)
    self.hasDestinations = hasDestinations
  }

  /// When `wake` is due.
  package var nextDeadline: Instant? {
    ([planner.nextDeadline, triesAgainAt, beginsAgainAt] + lists.values.map(\.nextDeadline)).compactMap(\.self).min()
  }

  package func handle(_ order: MonitoringOrder, at now: Instant) {
    // In virtual time no timer wakes this service at its deadline.
    if isVirtual, let deadline = nextDeadline, deadline <= now { wake(at: deadline) }
    present = now
    switch order {
    case .begin: begin()
    case .request(let request, let id, let client, let identity, let allowance):
      take(request, id, from: client, of: identity, allowance)
    case .cancel(let request, let client): leave { $0.client == client && $0.request == request }
    case .left(let client): leave { $0.client == client }
    case .fix(let fix): receive(fix)
    case .hint: takeHint()
    case .allowed(let id, let uses): allow(uses, of: id)
    case .delivering(let event, let delivery): count(event, delivery)
    case .delivered(let event, let delivery): done(event, delivery)
    case .destinations(let isThere):
      hasDestinations = isThere
      if isThere { repeatForDestinations() }
    case .room(let userID): launchWaiting(of: userID)
    case .end:
      keepUnkept()
      opened = nil
      lock = nil
    }
  }

  /// Records in the store that an event needs no further delivery in this way.
  func done(_ event: UInt64, _ delivery: MonitoringDelivery) {
    withStore { store throws(DatabaseError) in try store.done(event, delivery) }
  }

  package func wake(at now: Instant) {
    present = now
    if let triesAgainAt, now >= triesAgainAt { keepUnkept() }
    if let beginsAgainAt, now >= beginsAgainAt { begin() }
    var step = MonitoringStep()
    for list in ordered { wake(list, &step) }
    keep(step)
    replan()
    execute(planner.handle(.wake, at: now))
  }

  /// The lists sorted by number, so that simultaneous events are always sent in the same order.
  var ordered: [MonitoredList] { lists.values.sorted { $0.id < $1.id } }

  private func begin() {
    beginsAgainAt = nil
    guard MonitoringStore.exists(in: folder) else { return }
    // A store that is unreadable at the start may become readable, for example when its disk is mounted.
    do throws(DatabaseError) {
      if opened?.problem != nil {
        opened = OpenStore(try MonitoringStore(stateFolder: folder))
        report(.event(.cannotKeep(path: folder, reason: nil)))
      }
      try withStoreOrThrow { _ throws(DatabaseError) in }
      hasReportedOpening = false
      if opened?.problem != nil { beginsAgainAt = present + Self.rest }
    } catch {
      if !hasReportedOpening { report(.event(.cannotKeep(path: folder, reason: error.words))) }
      hasReportedOpening = true
      beginsAgainAt = present + Self.rest
    }
  }

  /// Resumes the monitoring that is in the store.
  private func resume() {
    beginsAgainAt = nil
    for list in ordered where !list.wanted.isEmpty { reportRequestedUses(list) }
    let regions = lists.values.reduce(0) { $0 + $1.monitor.count }
    if !lists.isEmpty { report(.event(.resumed(lists: lists.count, regions: regions))) }
    for userID in Set(lists.values.map(\.list.identity.userID)).sorted() { launchWaiting(of: userID) }
    repeatForDestinations()
  }

  // MARK: - The store

  /// Runs `body` with the store, which is created at the first use; `nil` if the store failed: the error was reported.
  @discardableResult
  func withStore<R>(_ body: (inout MonitoringStore) throws(DatabaseError) -> R) -> R? {
    do throws(DatabaseError) {
      return try withStoreOrThrow(body)
    } catch {
      report(.event(.cannotKeep(path: folder, reason: error.words)))
      return nil
    }
  }

  func withStoreOrThrow<R>(
    _ body: (inout MonitoringStore) throws(DatabaseError) -> R
  ) throws(DatabaseError) -> R {
    let open: OpenStore
    if let opened { open = opened } else { open = try openStore() }
    do throws(DatabaseError) {
      return try body(&open.store)
    } catch {
      // SQLite's error contains only that the store was opened read-only, not the cause.
      if let problem = open.problem, error.cause == .readOnly { throw problem }
      throw error
    }
  }

  /// Opens the store; read-only if its disk is read-only or full.
  private static func openStore(in folder: String) throws(DatabaseError) -> OpenStore {
    do throws(DatabaseError) {
      return OpenStore(try MonitoringStore(stateFolder: folder))
    } catch {
      guard error.mayBeReadable, MonitoringStore.exists(in: folder),
        let store = try? MonitoringStore(reading: folder)
      else { throw error }
      return OpenStore(store, problem: error)
    }
  }

  private func openStore() throws(DatabaseError) -> OpenStore {
    if !outlives {
      do throws(SystemError) {
        try PrivateFolder.make(folder)
        lock = try FolderLock(folder)
      } catch {
        throw .system(error)
      }
    }
    let open = try Self.openStore(in: folder)
    if let name = open.store.setAside { report(.event(.setAside(name))) }
    for (id, list) in try open.store.lists() {
      let monitored = MonitoredList(id, list, try open.store.load(id))
      try resume(monitored, &open.store)
      lists[id] = monitored
    }
    for name in open.store.setAsideSnapshots { report(.event(.setAside(name))) }
    opened = open
    if let problem = open.problem {
      if !hasReportedOpening { report(.event(.cannotKeep(path: folder, reason: problem.words))) }
      hasReportedOpening = true
    }
    resume()
    if open.problem != nil { beginsAgainAt = present + Self.rest }
    return open
  }

  /// Whether another process holds the store.
  func isHeldByOther(_ error: DatabaseError) -> Bool {
    if case .system(let reason) = error, !outlives { reason.isHeldByOther } else { false }
  }

  private func resume(_ list: MonitoredList, _ store: inout MonitoringStore) throws(DatabaseError) {
    let requestedUses = try store.requestedUses(of: list.id)
    list.isReceived = try store.progress(list.id, ProgressKey.heard) != nil
    list.hasNotifications = try store.progress(list.id, ProgressKey.notifications) != nil
    for (identifier, timing) in try store.timings(of: list.id) {
      _ = list.monitor.handle(.timing(timing, of: identifier), at: present)
    }
    if requestedUses.visits {
      var detector = VisitDetector()
      let stay = try store.progress(list.id, ProgressKey.stay).flatMap { try? Visit(kept: $0) }
      _ = detector.handle(.start(resuming: stay), at: present)
      list.visits = detector
    }
    if requestedUses.significantChanges {
      var machine = SignificantChange()
      let last = try store.progress(list.id, ProgressKey.moved).flatMap { try? PositionFix(kept: $0) }
      machine.resume(from: last, at: present)
      list.significantChange = machine
    }
  }

  /// Stores a step and sends its events. A failed attempt is repeated, and no event is sent before it is stored.
  func keep(_ step: MonitoringStep) {
    guard !step.isEmpty else { return }
    unkept.append(step)
    keepUnkept()
    // The store limits and counts its own events. Events that cannot be stored must not fill the memory.
    if !unkept.isEmpty { unkept.cut(mostEvents: Self.mostUnkept) }
  }

  /// Called when a list was removed, and its events with it.
  func forget(_ id: MonitoringListID) {
    lists[id] = nil
    unkept.remove(id)
  }

  func keepUnkept() {
    guard !unkept.isEmpty else { return triesAgainAt = nil }
    let step = unkept
    do throws(DatabaseError) {
      let ids = try withStoreOrThrow { store throws(DatabaseError) in try store.record(step) }
      unkept = MonitoringStep()
      if triesAgainAt != nil { report(.event(.cannotKeep(path: folder, reason: nil))) }
      triesAgainAt = nil
      for (id, event) in zip(ids, step.events) { deliver(event, id) }
    } catch {
      if triesAgainAt == nil { report(.event(.cannotKeep(path: folder, reason: error.words))) }
      triesAgainAt = present + Self.rest
    }
  }

  // MARK: - Authorization

  private func allow(_ uses: MonitoringUses, of id: MonitoringListID) {
    guard let list = lists[id], list.allowed != uses else { return }
    let before = list.active
    list.allowed = uses
    // The times of arrivals and departures that happened while access was denied are unknown.
    if before.contains(.visits) != list.active.contains(.visits) {
      _ = list.visits?.handle(.unobserved, at: present)
    }
    startSignificantChanges(list)
    for follower in followers where follower.list == id && follower.receives {
      report(.answer(.monitoring(follower.request, .allowed(list.active, list: list.list.name)), to: follower.client))
    }
    let receivers = followers.filter { $0.list == id && $0.receives }
    if !receivers.isEmpty, !list.active.subtracting(before).isEmpty { deliverPending(of: list, to: receivers) }
    replan()
  }

  /// Reports that the requested uses of a list, or the clients that wait for its events, have changed.
  func reportRequestedUses(_ list: MonitoredList) {
    let receivers = followers.filter { $0.list == list.id && $0.receives }.map(\.client)
    report(.wanted(list.id, list.list, list.wanted, receivers: receivers))
    replan()
  }

  // MARK: - Position checks

  /// The requirements of all lists together.
  private var need: MonitoringScheduler.Need? {
    var need: MonitoringScheduler.Need?
    for list in lists.values where !list.active.isEmpty {
      var joined = need ?? MonitoringScheduler.Need()
      if list.watchesRegions {
        joined.isUnsettled = joined.isUnsettled || list.monitor.isUnsettled
        if let free = list.monitor.distanceToNearestBorder, let before = joined.distanceToNearestBorder {
          joined.distanceToNearestBorder = min(free, before)
        } else {
          joined.distanceToNearestBorder = nil
        }
        // Early enough for a search that takes the maximum time.
        let looks = [joined.checkBy, list.monitor.timedCheck(patience: limits.patience)].compactMap(\.self)
        joined.checkBy = looks.min()
        joined.greatestRadius = [joined.greatestRadius, list.monitor.decidingRadius].compactMap(\.self).min()
      }
      joined.followsTravel = joined.followsTravel || list.active.contains(.visits)
      joined.followsMoves = joined.followsMoves || list.active.contains(.significantChanges)
      need = joined
    }
    return need
  }

  func replan() {
    let need = need
    if (need != nil) != isListening {
      isListening = need != nil
      report(.listen(isListening))
    }
    execute(planner.handle(.need(need), at: present))
  }

  func plan(after fix: PositionFix, speedBound: Double?) {
    guard let need else { return }
    execute(planner.handle(.fix(fix, need, speedBound: speedBound), at: present))
  }

  private func execute(_ actions: [MonitoringScheduler.Action]) {
    for action in actions {
      switch action {
      case .checkPosition(let sufficient): report(.checkPosition(sufficient: sufficient))
      case .rest: report(.checkPosition(sufficient: nil))
      }
    }
  }

  private func leave(_ isOver: (Follower) -> Bool) {
    let left = Set(followers.filter { isOver($0) && $0.receives }.compactMap(\.list))
    followers.removeAll(where: isOver)
    for id in left {
      guard let list = lists[id] else { continue }
      reportRequestedUses(list)
      // Empty lists are removed from the store.
      guard isUnwanted(list) else { continue }
      let isGone = withStore { store throws(DatabaseError) in
        try store.removeIfEmpty(id, regions: list.monitor.count)
      }
      if isGone == true { forget(id) }
    }
  }

  /// The date and time; `nil` if they are unknown.
  var time: GNSSTime? { clock() }
}

/// Names of the values stored with a list in addition to its regions and requests.
enum ProgressKey {
  /// The list's program reconnects to receive missed events.
  static let heard = "heard"
  /// Some events are shown on the desktop.
  static let notifications = "notices"
  /// The current stay.
  static let stay = "stay"
  /// The position of the last reported significant change.
  static let moved = "moved"
}
