import Fleet
import FleetDestinations
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// One destination: its outbox on the disk, what enters it, and what leaves it.
final class FleetSender {
  /// How long positions may be unsynced: as with logs, a power cut loses at most this much.
  private static let syncInterval: Duration = .seconds(30)
  /// How often the size of the outbox is checked.
  private static let sizeInterval: Duration = .seconds(600)
  /// The shortest time between two messages of the newest position, and between two commands.
  static let liveInterval: Duration = .seconds(10)

  private(set) var destination: FleetDestination
  let client: ClientID
  var store: FleetOutboxStore
  var outbox: FleetOutbox
  var intake: FleetIntake
  private var renderer: FleetRenderer
  /// The settings and the grant may have become narrower since a record entered the outbox.
  private(set) var filter: FleetBacklogFilter
  let clock: any FleetClock
  let release: String
  private let stateFolder: String
  let report: (FleetServiceReport) -> Void
  private let newLink: () -> FleetLinkID

  private(set) var link: FleetLinkID?
  /// Whether access to locations is granted now.
  var isGranted = true
  var syncAt: Instant?
  private var sizeAt: Instant
  var lastAcknowledged: GNSSTime?
  var lastState: FleetReport.State?
  var problem: FleetProblem?
  /// The newest position of the outbox, and the newest one that was received.
  var newest: PositionFix?
  var latest: PositionFix?
  var liveAt: Instant?
  var healthAt: Instant?
  private var commandAt: Instant?
  var states: UInt64 = 0
  /// Messages of the state that are not answered.
  var openStates: Set<UInt64> = []
  /// The requests that wait for the next position's acknowledgement, and for the answer to a test.
  var waiting: [(place: FleetPlace?, id: RequestID, client: ClientID)] = []
  var tests: [(id: RequestID, client: ClientID, message: UInt64?)] = []
  /// Why these positions were recorded, if not because they were due.
  private var reasons: [FleetPlace: FleetContext.Reason] = [:]
  /// The regions that the machine is inside of, by name, with their identifiers: those that were entered since locationd has started.
  var inside: [String: String] = [:]
  var session: FleetSession?
  /// Whether the server has answered on this connection.
  private(set) var hasAnswer = false
  var isProbing = false
  /// Whether the broker keeps nothing of this device any more.
  var isWithdrawn = false
  /// How old the position of `fleet send` may be.
  static let presentAge: Duration = .seconds(5)

  /// - Parameters:
  ///   - stateFolder: the service's own files, which are no credentials.
  ///   - newLink: a number for a connection.
  init(
    _ destination: FleetDestination, in folder: String, of stateFolder: String, client: ClientID, machine: String,
    release: String, clock: any FleetClock, at now: Instant,
    newLink: @escaping () -> FleetLinkID, report: @escaping (FleetServiceReport) -> Void
  ) throws(TrackError) {
    let store = try FleetOutboxStore(
      folder, name: destination.name, machine: machine, keep: destination.settings.keep,
      bootID: ProcessEnvironment.bootID)
    let count: Int
    do throws(SystemError) {
      count = try store.waiting()
    } catch {
      throw .system(error)
    }
    (self.destination, self.client, self.clock, self.release) = (destination, client, clock, release)
    (self.report, self.newLink, sizeAt, self.stateFolder) = (report, newLink, now, stateFolder)
    outbox = FleetOutbox(
      Self.limits(destination), cursor: store.cursor, waiting: count, seed: UInt64(store.memory.box), at: now)
    intake = FleetIntake(destination.settings, pause: store.memory.pause)
    renderer = FleetRenderer(destination)
    filter = FleetBacklogFilter(destination.settings)
    lastAcknowledged = store.acknowledgedAt
    self.store = store
  }

  private static func limits(_ destination: FleetDestination) -> FleetOutbox.Limits {
    var limits = FleetOutbox.Limits()
    limits.window = destination.address.kind.window
    limits.rate = destination.settings.rate
    limits.batch = destination.settings.batch
    limits.acceptsUnheard = destination.settings.acceptsUnheard
    limits.recordsPerMessage = FleetRenderer(destination).mostRecords
    return limits
  }

  func begin(at now: Instant) { apply(.allowed(isAllowed), at: now) }

  var isFinished: Bool { store.memory.isEnding && outbox.waiting == 0 }
  var isEnding: Bool { store.memory.isEnding }

  // MARK: - Positions and events

  /// - Parameter reduced: the machine's reduced position, if this destination sends only that.
  func receive(_ fix: PositionFix, reduced: PositionFix?, at now: Instant) {
    guard !store.memory.isEnding else { return }
    let time = clock.now
    // The clock may have been set.
    apply(.allowed(isAllowed), at: now)
    let shown = intake.add(fix, reduced: reduced, time)
    for shown in shown { append(shown, at: now) }
    latest = fix
    if intake.isNextWanted, waiting.contains(where: { $0.place == nil }) { refuseWaiting(nil) }
    if !destination.settings.isReduced, intake.showsLive(fix, time) {
      sendLive(fix, at: now)
    } else if let last = shown.last {
      // The border of a hidden region, or a point of the grid.
      sendLive(last, at: now, isForced: true)
    }
    noteState()
  }

  func append(_ fix: PositionFix, because reason: FleetContext.Reason? = nil, at now: Instant) {
    do throws(TrackError) {
      guard let record = try store.append(fix) else { return }
      newest = fix
      let isWaitedFor = waiting.contains { $0.place == nil }
      if let reason = reason ?? (isWaitedFor ? .user : nil) { reasons[record.place] = reason }
      if syncAt == nil { syncAt = now + Self.syncInterval }
      for index in waiting.indices where waiting[index].place == nil { waiting[index].place = record.place }
      apply(.appended(record), at: now)
    } catch {
      fail(error)
    }
  }

  func setGranted(_ isGranted: Bool, at now: Instant) {
    self.isGranted = isGranted
    apply(.allowed(isAllowed), at: now)
  }

  /// - Parameter isReduced: whether only the approximate position is granted, which then counts for what waits as well.
  func setGranted(_ isGranted: Bool, isReduced: Bool, at now: Instant) {
    filter.isGrantReduced = isReduced
    setGranted(isGranted, at: now)
  }

  var isAllowed: Bool {
    guard isGranted, clock.now.time != nil || !filter.needsTime else { return false }
    // What waited before the schedule's end is sent after it; in a pause nothing is.
    return intake.obstacle(clock.now) != .paused
  }

  // MARK: - The helper

  func receive(_ message: FleetHelperMessage, at now: Instant) {
    switch message {
    case .connected(let session):
      // A pause may have begun with the connection.
      apply(.allowed(isAllowed), at: now)
      guard link != nil else { break }
      guard destination.address.kind != .mqtt || session.maximumQoS != .atMostOnce else {
        // A message without an acknowledgement counts as sent when it is written.
        refuse(.noAcknowledgement, at: now)
        break
      }
      self.session = session
      problem = nil
      if session.version == 5 { try? store.remember { $0.hasVersion5 = true } }
      apply(.connected(session), at: now)
      announce(at: now)
      sendTest()
    case .answered(let id, let reply):
      hasAnswer = true
      if id & FleetMessage.stateBit != 0 {
        openStates.remove(id)
        if tests.contains(where: { $0.message == id }) { answerTests(session, reply, nil) }
        if session != nil { sendTest() }
      } else {
        apply(.answered(id, reply), at: now)
      }
    case .command(let bytes): receive(command: bytes, at: now)
    case .ended(let problem, let reply):
      (link, session) = (nil, nil)
      self.problem = problem
      answerTests(nil, reply, problem)
      apply(.ended(problem, reply), at: now)
    case .connect, .send, .close: break
    }
    probe(at: now)
    noteState()
  }

  /// Ends a connection that cannot be used.
  private func refuse(_ problem: FleetProblem, at now: Instant) {
    if let link { report(.close(link, isProper: true)) }
    (link, session) = (nil, nil)
    self.problem = problem
    answerTests(nil, nil, problem)
    apply(.ended(problem, nil), at: now)
  }

  private func receive(command bytes: [UInt8], at now: Instant) {
    guard let command = FleetCommand(bytes, allowed: destination.settings.commands) else { return }
    // A server that repeats its commands must not fill the outbox.
    if let commandAt, now - commandAt < Self.liveInterval { return }
    commandAt = now
    switch command {
    case .reportLocation: repeatNewest(at: now)
    case .status: sendHealth(at: now)
    }
  }

  // MARK: - Actions

  func wake(at now: Instant) {
    if let due = syncAt, now >= due {
      sync()
      if store.hasUnsynced { syncAt = now + Self.syncInterval }
    }
    if now >= sizeAt + Self.sizeInterval { enforceSize(at: now) }
    if let due = healthAt, now >= due { sendHealth(at: now) }
    apply(.allowed(isAllowed), at: now)
    probe(at: now)
    noteState()
  }

  /// When `wake` is due.
  var nextDeadline: Instant? {
    var deadline = Instant.earlier(syncAt, outbox.nextDeadline)
    if store.hasUnsynced { deadline = Instant.earlier(deadline, sizeAt + Self.sizeInterval) }
    if session != nil { deadline = Instant.earlier(deadline, healthAt) }
    if case .until(let end) = store.memory.pause, let now = clock.now.time, end > now {
      deadline = Instant.earlier(deadline, MonotonicClock.now() + (end - now))
    }
    return deadline
  }

  /// Writes everything to the disk and disconnects.
  func end(at now: Instant) {
    apply(.stop, at: now)
    sync()
    for item in waiting { report(.answer(.failed(item.id, .fleet(.notAcknowledged(problem))), to: item.client)) }
    answerTests(nil, nil, problem)
    waiting = []
  }

  func apply(_ input: FleetOutbox.Input, at now: Instant) {
    var inputs = [input]
    while !inputs.isEmpty {
      for action in outbox.handle(inputs.removeFirst(), at: now) {
        do throws(TrackError) {
          if let next = try perform(action, at: now) { inputs.append(next) }
        } catch {
          fail(error)
        }
      }
    }
  }

  /// Returns what the outbox has to know at once.
  private func perform(_ action: FleetOutbox.Action, at now: Instant) throws(TrackError) -> FleetOutbox.Input? {
    switch action {
    case .load(let place):
      do throws(SystemError) {
        let (records, isEnd) = try store.records(after: place, limit: FleetOutbox.loadLimit)
        return .loaded(records, isEnd: isEnd)
      } catch {
        fail(.system(error))
        return .loadFailed
      }
    case .connect: return connect()
    case .disconnect:
      // After a proper end, the broker publishes no will.
      if session != nil, destination.settings.batch == nil { sendAvailability(false) }
      if let link { report(.close(link, isProper: true)) }
      (link, session) = (nil, nil)
    case .send(let records):
      let time = clock.now.time
      guard let id = records.first?.place.rawValue else { return nil }
      let shown = records.filter { filter.allows($0, at: time) }
      var isLive = false
      if let time, let last = shown.last { isLive = time - last.time < .seconds(60) }
      guard var message = renderer.message(shown, isLive ? context(of: records) : nil, written: time) else {
        return .withheld(id)
      }
      guard message.isWithinLimits else {
        // The helper ends a connection with a longer message, and it would never become shorter.
        try remember { $0.setAside += records.count }
        return .withheld(id)
      }
      // The answer is for all records, also those of a batch that are left out.
      message.id = id
      if let link { report(.send(link, .send(message))) }
    case .saveCursor(let place):
      try store.save(place, acknowledgedAt: lastAcknowledged)
      if !store.hasUnsynced { syncAt = nil }
    case .setAside: try remember { $0.setAside += 1 }
    case .acknowledged(let record):
      lastAcknowledged = clock.now.time
      reasons = reasons.filter { $0.key > record.place }
      for item in waiting where item.place.map({ $0 <= record.place }) ?? false {
        report(.answer(.done(item.id), to: item.client))
      }
      waiting.removeAll { $0.place.map { $0 <= record.place } ?? false }
    }
    return nil
  }

  private func remember(_ change: (inout FleetMemory) -> Void) throws(TrackError) {
    do throws(SystemError) {
      try store.remember(change)
    } catch {
      throw .system(error)
    }
  }

  private func context(of records: [FleetRecord]) -> FleetContext {
    var context = FleetContext()
    context.reason = records.lazy.compactMap { self.reasons[$0.place] }.first ?? .timer
    for (name, id) in inside.sorted(by: { $0.key < $1.key }) { context.enter(name, id: id) }
    if let battery = FleetMachine.battery { (context.battery, context.batteryState) = (battery.percent, battery.state) }
    return context
  }

  private func connect() -> FleetOutbox.Input? {
    do throws(FleetProblem) {
      let connection = try FleetCredentialReader.connection(
        destination, stateFolder: stateFolder, store.memory, at: clock.now.time)
      let link = newLink()
      (self.link, openStates, hasAnswer) = (link, [], false)
      report(.open(link, connection))
      return nil
    } catch {
      problem = error
      return .ended(error, nil)
    }
  }

  private func sync() {
    syncAt = nil
    do throws(TrackError) {
      try store.sync()
    } catch {
      fail(error)
    }
  }

  private func enforceSize(at now: Instant) {
    sizeAt = now
    do throws(TrackError) {
      guard let change = try store.enforceSize(loaded: outbox.lastKnown) else { return }
      if let lost = change.lost { report(.event(.lost(destination.name, lost.count))) }
      let count = (try? store.waiting()) ?? outbox.waiting
      apply(.dropped(upTo: change.upTo ?? outbox.cursor, waiting: count), at: now)
    } catch {
      fail(error)
    }
  }

  func fail(_ error: TrackError) {
    let reason: String
    switch error {
    case .inUse: reason = "another process uses it"
    case .noRoom: reason = "the disk is full"
    case .noPlace, .noKey: return
    case .system(let error): reason = error.description
    }
    report(.event(.cannotKeep(path: store.path, reason: reason)))
  }
}
