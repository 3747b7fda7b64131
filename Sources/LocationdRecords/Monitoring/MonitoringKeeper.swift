package import Geodesy
import LinuxIO
import LocationIPC
package import LocationPolicy
import LocationStore
import LocationdService
import Regions

/// Everything that is monitored for programs that come and go: their lists with the machines that watch, and what has happened
/// until it has been heard.
///
/// An event is kept in one step with what led to it, and told after that: a power cut loses none, and makes none twice.
package final class MonitoringKeeper {
  /// Follows what happens.
  struct Follower {
    let client: ClientID
    let request: RequestID
    /// `nil`: all that the identity sees.
    let list: MonitoringListID?
    let identity: ClientIdentity
    /// Whether it is the program that the list is for.
    let receives: Bool
  }

  /// More than that of one identity are not monitored.
  package static let mostRegions = 1_000_000
  /// Regions with a timing of one user: each of them is looked at with every fix, and all may become unknown at once.
  static let mostTimedRegions = 1000
  /// As many followers there may be of all clients, and of those of one user.
  static let (mostFollowers, mostFollowersOfUser) = (512, 128)
  /// As many events that could not be kept wait in memory.
  private static let mostUnkept = 1000
  /// Of what could not be kept it is tried again after this.
  private static let rest: Duration = .seconds(10)

  let folder: String
  /// Whether what is monitored here is gone with the process that asks.
  let outlives: Bool
  let mostRegions: Int
  private let clock: () -> GNSSTime?
  let report: (MonitoringReport) -> Void
  /// What has one owner, where several have to do with it.
  private final class OpenStore {
    var store: MonitoringStore
    /// Why it can only be read; `nil`: it can be written.
    let problem: DatabaseError?
    init(_ store: consuming MonitoringStore, problem: DatabaseError? = nil) {
      self.store = store
      self.problem = problem
    }
  }
  private var opened: OpenStore?
  /// Keeps others out where there is no daemon.
  private var lock: FolderLock?
  var lists: [MonitoringListID: MonitoredList] = [:]
  var followers: [Follower] = []
  private var planner: LookPlanner
  private let limits: LookLimits
  /// What has happened and could not be kept yet; nothing else is done before that is.
  private var unkept = MonitoringStep()
  private var triesAgainAt: Instant?
  /// When the store is tried to be opened again.
  private var beginsAgainAt: Instant?
  private var hasToldOpening = false
  private var isListening = false
  private(set) var present: Instant
  /// The newest believable fix.
  var latest: PositionFix?

  /// - Parameters:
  ///   - folder: where it is kept.
  ///   - outlives: whether a daemon hosts it, which keeps its state folder to itself.
  ///   - clock: the machine's; `nil` where it has not been set.
  package init(
    folder: String, outlives: Bool, mostRegions: Int = MonitoringKeeper.mostRegions, limits: LookLimits = LookLimits(),
    present: Instant, clock: @escaping () -> GNSSTime? = { WallClock.believable },
    report: @escaping (MonitoringReport) -> Void
  ) {
    (self.folder, self.outlives, self.mostRegions) = (folder, outlives, mostRegions)
    (self.present, self.clock, self.report) = (present, clock, report)
    (self.limits, planner) = (limits, LookPlanner(limits))
  }

  /// When `wake` is due.
  package var nextDeadline: Instant? {
    ([planner.nextDeadline, triesAgainAt, beginsAgainAt] + lists.values.map(\.nextDeadline)).compactMap(\.self).min()
  }

  package func carryOut(_ order: MonitoringOrder, at now: Instant) {
    present = now
    switch order {
    case .begin: begin()
    case .request(let request, let id, let client, let identity, let allowance):
      take(request, id, from: client, of: identity, allowance)
    case .cancel(let request, let client): leave { $0.client == client && $0.request == request }
    case .left(let client): leave { $0.client == client }
    case .fix(let fix): see(fix)
    case .hint: takeHint()
    case .allowed(let id, let uses): allow(uses, of: id)
    case .telling(let event, let delivery): count(event, delivery)
    case .told(let event, let delivery): withStore { store throws(DatabaseError) in try store.done(event, delivery) }
    case .room(let userID): launchWaiting(of: userID)
    case .end:
      keepUnkept()
      opened = nil
      lock = nil
    }
  }

  package func wake(at now: Instant) {
    present = now
    if let triesAgainAt, now >= triesAgainAt { keepUnkept() }
    if let beginsAgainAt, now >= beginsAgainAt { begin() }
    var step = MonitoringStep()
    for list in ordered { wake(list, &step) }
    keep(step)
    replan()
    perform(planner.handle(.wake, at: now))
  }

  /// By their numbers, so that what happens at one time is told in one order.
  var ordered: [MonitoredList] { lists.values.sorted { $0.id < $1.id } }

  private func begin() {
    beginsAgainAt = nil
    guard MonitoringStore.exists(in: folder) else { return }
    // Whoever finds it unreadable at the start may find it readable later: a disk that is not there yet.
    do throws(DatabaseError) {
      if opened?.problem != nil {
        opened = OpenStore(try MonitoringStore(stateFolder: folder))
        report(.news(.cannotKeep(path: folder, reason: nil)))
      }
      try withStoreOrThrow { _ throws(DatabaseError) in }
      hasToldOpening = false
      if opened?.problem != nil { beginsAgainAt = present + Self.rest }
    } catch {
      if !hasToldOpening { report(.news(.cannotKeep(path: folder, reason: error.words))) }
      hasToldOpening = true
      beginsAgainAt = present + Self.rest
    }
  }

  /// Goes on with what the store has.
  private func resume() {
    beginsAgainAt = nil
    for list in ordered where !list.wanted.isEmpty { tellWanted(list) }
    let regions = lists.values.reduce(0) { $0 + $1.monitor.count }
    if !lists.isEmpty { report(.news(.resumed(lists: lists.count, regions: regions))) }
    for userID in Set(lists.values.map(\.list.identity.userID)).sorted() { launchWaiting(of: userID) }
  }

  // MARK: - The store

  /// Does something with the store, which is made with the first need of it; `nil`: it cannot be, which is told.
  @discardableResult
  func withStore<R>(_ body: (inout MonitoringStore) throws(DatabaseError) -> R) -> R? {
    do throws(DatabaseError) {
      return try withStoreOrThrow(body)
    } catch {
      report(.news(.cannotKeep(path: folder, reason: error.words)))
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
      // SQLite only knows that it was opened for reading.
      if let problem = open.problem, error.cause == .readOnly { throw problem }
      throw error
    }
  }

  /// The store as it can be opened: where its disk is read-only or full, to be read.
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
    if let name = open.store.setAside { report(.news(.setAside(name))) }
    for (id, list) in try open.store.lists() {
      let monitored = MonitoredList(id, list, try open.store.load(id))
      try resume(monitored, &open.store)
      lists[id] = monitored
    }
    for name in open.store.setAsideSnapshots { report(.news(.setAside(name))) }
    opened = open
    if let problem = open.problem {
      if !hasToldOpening { report(.news(.cannotKeep(path: folder, reason: problem.words))) }
      hasToldOpening = true
    }
    resume()
    if open.problem != nil { beginsAgainAt = present + Self.rest }
    return open
  }

  /// Whether another process has the store.
  func isHeldByOther(_ error: DatabaseError) -> Bool {
    if case .system(let reason) = error, !outlives { reason.isHeldByOther } else { false }
  }

  private func resume(_ list: MonitoredList, _ store: inout MonitoringStore) throws(DatabaseError) {
    let wishes = try store.wishes(of: list.id)
    list.isHeard = try store.progress(list.id, ProgressKey.heard) != nil
    list.hasNotices = try store.progress(list.id, ProgressKey.notices) != nil
    list.dropped = try store.dropped(list.id)
    for (identifier, timing) in try store.timings(of: list.id) {
      _ = list.monitor.handle(.timing(timing, of: identifier), at: present)
    }
    if wishes.visits {
      var detector = VisitDetector()
      let stay = try store.progress(list.id, ProgressKey.stay).flatMap { try? Visit(kept: $0) }
      _ = detector.handle(.start(resuming: stay), at: present)
      list.visits = detector
    }
    if wishes.significantChanges {
      var machine = SignificantChange()
      let last = try store.progress(list.id, ProgressKey.moved).flatMap { try? PositionFix(kept: $0) }
      machine.resume(from: last, at: present)
      list.significantChange = machine
    }
  }

  /// Keeps a step and tells its events; where it cannot be kept it is tried again, and nothing is told before it is.
  func keep(_ step: MonitoringStep) {
    guard !step.isEmpty else { return }
    unkept.append(step)
    keepUnkept()
    // What can be kept bounds itself, and is counted; what cannot must not fill the memory.
    if !unkept.isEmpty { unkept.cut(mostEvents: Self.mostUnkept) }
  }

  /// A list is gone, and what has happened for it with it.
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
      if triesAgainAt != nil { report(.news(.cannotKeep(path: folder, reason: nil))) }
      triesAgainAt = nil
      for (id, event) in zip(ids, step.events) { tell(event, id) }
    } catch {
      if triesAgainAt == nil { report(.news(.cannotKeep(path: folder, reason: error.words))) }
      triesAgainAt = present + Self.rest
    }
  }

  // MARK: - Who may

  private func allow(_ uses: MonitoringUses, of id: MonitoringListID) {
    guard let list = lists[id], list.allowed != uses else { return }
    let before = list.active
    list.allowed = uses
    // What happened while nobody was allowed to look has no times.
    if before.contains(.visits) != list.active.contains(.visits) {
      _ = list.visits?.handle(.unobserved, at: present)
    }
    startSignificantChanges(list)
    for follower in followers where follower.list == id && follower.receives {
      report(.answer(.monitoring(follower.request, .allowed(list.active, list: list.list.name)), to: follower.client))
    }
    let receivers = followers.filter { $0.list == id && $0.receives }
    if !receivers.isEmpty, !list.active.subtracting(before).isEmpty { tellWaiting(of: list, to: receivers) }
    replan()
  }

  /// What of a list is wanted, or who waits for it, has changed.
  func tellWanted(_ list: MonitoredList) {
    let receivers = followers.filter { $0.list == list.id && $0.receives }.map(\.client)
    report(.wanted(list.id, list.list, list.wanted, receivers: receivers))
    replan()
  }

  // MARK: - Looking

  /// What all lists together want of the sources.
  private var need: LookPlanner.Need? {
    var need: LookPlanner.Need?
    for list in lists.values where !list.active.isEmpty {
      var joined = need ?? LookPlanner.Need()
      if list.watchesRegions {
        joined.isUnsettled = joined.isUnsettled || list.monitor.isUnsettled
        if let free = list.monitor.freeWay, let before = joined.freeWay {
          joined.freeWay = min(free, before)
        } else {
          joined.freeWay = nil
        }
        // A search that begins then has the time that it takes at most.
        let looks = [joined.lookBy, list.monitor.timedLook(patience: limits.patience)].compactMap(\.self)
        joined.lookBy = looks.min()
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
    perform(planner.handle(.need(need), at: present))
  }

  func plan(after fix: PositionFix, speedBound: Double?) {
    guard let need else { return }
    perform(planner.handle(.fix(fix, need, speedBound: speedBound), at: present))
  }

  private func perform(_ actions: [LookPlanner.Action]) {
    for action in actions {
      switch action {
      case .look(let sufficient): report(.look(sufficient: sufficient))
      case .rest: report(.look(sufficient: nil))
      }
    }
  }

  private func leave(_ isOver: (Follower) -> Bool) {
    let left = Set(followers.filter { isOver($0) && $0.receives }.compactMap(\.list))
    followers.removeAll(where: isOver)
    for id in left {
      guard let list = lists[id] else { continue }
      tellWanted(list)
      // Nothing is kept of an empty one.
      guard isUnwanted(list) else { continue }
      let isGone = withStore { store throws(DatabaseError) in
        try store.removeIfEmpty(id, regions: list.monitor.count)
      }
      if isGone == true { forget(id) }
    }
  }

  /// The time of day; `nil`: nobody knows it.
  var time: GNSSTime? { clock() }
}

/// What is kept of a list beside its regions and wishes.
enum ProgressKey {
  /// Its program comes back for what has happened.
  static let heard = "heard"
  /// The desktop is to show something.
  static let notices = "notices"
  /// The stay that is under way.
  static let stay = "stay"
  /// Where the last significant change was told.
  static let moved = "moved"
}
