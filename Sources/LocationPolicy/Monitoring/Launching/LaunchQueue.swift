package import Geodesy

/// One user's events that start a command or a notification, in order: those in progress, those that wait, and those to be retried.
/// The store has all of them; this queue holds those that are due soon.
///
/// An event is complete when the user's agent has reported its result. The store records the attempt before each request is sent,
/// so that a repeated run is marked as such.
package struct LaunchQueue: Sendable {
  package enum Input: Hashable, Sendable {
    /// Queues an event behind the earlier ones.
    case launch(UInt64)
    /// The event is canceled; a command that already runs continues, and its result is ignored.
    case forget(UInt64)
    /// The store has recorded the attempt.
    case attemptKept(UInt64, attempt: Int)
    case attemptNotKept(UInt64)
    case connected
    case unreachable
    /// The connection to the agent has ended.
    case lost
    case answer(LaunchResponse)
    /// A deadline was reached.
    case wake
  }

  package enum Action: Hashable, Sendable {
    case connect
    case disconnect
    /// The caller answers with `attemptKept` or `attemptNotKept`.
    case keepAttempt(UInt64)
    case send(UInt64, attempt: Int, run: UInt64)
    case done(UInt64, LaunchOutcome)
    /// The queue is full: the caller has to queue this event and those behind it again after `room`.
    case refused(UInt64)
    case room
    /// The rate limit delays events; the number that wait.
    case slowed(waiting: Int)
    /// No event waits any more; the number that had to.
    case caughtUp(waited: Int)
    /// The agent has disconnected `mostLosses` times in a row without reporting any result.
    case failing
    /// The agent reports results again.
    case answering
  }

  private enum Stage: Hashable, Sendable {
    /// Not to be started before this time.
    case waiting(Instant?)
    /// The store is recording the attempt.
    case keeping
    /// The result is due before this time.
    case running(UInt64, until: Instant)
  }

  private struct Entry: Sendable {
    let event: UInt64
    var stage = Stage.waiting(nil)
    /// The number of the last attempt that the store has recorded; 0: none.
    var attempt = 0
    /// The number of retries of the event, and how many of them were because of the command itself.
    var returns = 0
    var refusals = 0

    var run: UInt64? { if case .running(let run, _) = stage { run } else { nil } }
    var readyAt: Instant? { if case .waiting(let time) = stage { time } else { nil } }
  }

  private enum Link: Hashable, Sendable {
    case down
    /// The agent could not be reached; the next attempt is at this time.
    case resting(until: Instant)
    case connecting
    /// Connected. `idleSince`: since when nothing is in progress; `hasAnswered`: whether it has reported any result.
    case up(idleSince: Instant?, hasAnswered: Bool)
  }

  /// Maximum number of events in memory.
  package static let most = 64
  package static let mostUnderWay = 4
  /// An event is not retried any more when its command has asked for a retry, or could not be started, this many times.
  package static let mostRefusals = 5
  /// Consecutive disconnections of the agent without a result before `failing` is reported: a single one can be caused by low
  /// memory or an update.
  package static let mostLosses = 3
  /// The time limit of a command is at most 5 min, and commands of a previous run of the service may still be in progress: an agent
  /// that reports nothing for longer than this has stopped.
  package static let patience: Duration = .seconds(15 * 60)
  /// How long an idle agent stays connected, ready for the next request.
  package static let idleTime: Duration = .seconds(10)

  private var entries: [Entry] = []
  private var link = Link.down
  /// Consecutive times that the agent could not be reached, or that it disconnected with a request in progress or without having
  /// reported any result.
  private var failures = 0
  /// Consecutive times that the agent was connected, and disconnected without having reported any result.
  private var losses = 0
  private var nextRun: UInt64 = 1
  private var pace: LaunchRateLimit
  /// Number of events started since the rate limit began to delay events; `nil`: none are delayed.
  private var waited: Int?
  private var isFull = false

  package init(pace: LaunchRateLimit = LaunchRateLimit()) { self.pace = pace }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .launch(let event): add(event, &actions)
    case .forget(let event): entries.removeAll { $0.event == event }
    case .attemptKept(let event, let attempt): send(event, attempt, at: now, &actions)
    case .attemptNotKept(let event):
      if let index = index(of: event), entries[index].stage == .keeping { putBack(index, at: now) }
    case .connected: if link == .connecting { link = .up(idleSince: nil, hasAnswered: false) }
    case .unreachable: if link == .connecting { rest(at: now) }
    case .lost: lose(at: now, &actions)
    case .answer(let answer): receive(answer, at: now, &actions)
    case .wake: break
    }
    if hasStopped(at: now) {
      actions.append(.disconnect)
      lose(at: now, &actions)
    }
    begin(at: now, &actions)
    idle(at: now, &actions)
    makeRoom(&actions)
    catchUp(at: now, &actions)
    return actions
  }

  /// Whether `failing` has been reported, and `answering` not yet.
  package var isFailing: Bool { losses >= Self.mostLosses }

  /// When `wake` is due.
  package var nextDeadline: Instant? {
    var deadlines: [Instant] = []
    for entry in entries { if case .running(_, let until) = entry.stage { deadlines.append(until) } }
    if case .up(let idleSince?, _) = link { deadlines.append(idleSince + Self.idleTime) }
    if let turn = nextTurn { deadlines.append(turn) }
    return deadlines.min()
  }

  // MARK: Beginning

  private mutating func add(_ event: UInt64, _ actions: inout [Action]) {
    guard index(of: event) == nil else { return }
    // After one event is refused, so are those behind it: the order of the events is kept.
    guard !isFull, entries.count < Self.most else {
      isFull = true
      return actions.append(.refused(event))
    }
    entries.append(Entry(event: event))
  }

  /// One at a time, so that the store records the attempts in order.
  private mutating func begin(at now: Instant, _ actions: inout [Action]) {
    guard hasFreeSlot,
      let index = candidates.first(where: { entries[$0].readyAt.map { $0 <= now } ?? true })
    else { return }
    if let until = pace.heldUntil, until > now {
      guard waited == nil else { return }
      waited = 0
      return actions.append(.slowed(waiting: candidates.count))
    }
    switch link {
    case .connecting: return
    case .resting(let until) where until > now: return
    case .down, .resting:
      link = .connecting
      actions.append(.connect)
    case .up:
      guard pace.tryAcquire(at: now) else { return }
      if let count = waited { waited = count + 1 }
      entries[index].stage = .keeping
      actions.append(.keepAttempt(entries[index].event))
    }
  }

  private mutating func send(_ event: UInt64, _ attempt: Int, at now: Instant, _ actions: inout [Action]) {
    guard let index = index(of: event), entries[index].stage == .keeping else { return }
    entries[index].attempt = max(attempt, entries[index].attempt + 1)
    guard case .up = link else {
      entries[index].stage = .waiting(nil)
      return
    }
    let run = nextRun
    nextRun += 1
    entries[index].stage = .running(run, until: now + Self.patience)
    actions.append(.send(event, attempt: entries[index].attempt, run: run))
  }

  /// When a waiting event can start; `nil`: something else has to happen first, or none waits.
  private var nextTurn: Instant? {
    guard hasFreeSlot, !candidates.isEmpty else { return nil }
    let ready = candidates.map { entries[$0].readyAt ?? Instant(nanoseconds: .min) }.min()
    switch link {
    case .connecting: return nil
    case .resting(let until): return [ready, pace.heldUntil, until].compactMap(\.self).max()
    case .down, .up: return [ready, pace.heldUntil].compactMap(\.self).max()
    }
  }

  private var hasFreeSlot: Bool {
    var underWay = 0
    for entry in entries {
      switch entry.stage {
      case .waiting: break
      case .keeping: return false
      case .running: underWay += 1
      }
    }
    return underWay < Self.mostUnderWay
  }

  /// The waiting events that may start at their time: no first attempt starts before that of an earlier event.
  private var candidates: [Int] {
    var isHeld = false
    return entries.indices.filter { index in
      guard case .waiting(let time) = entries[index].stage else { return false }
      guard entries[index].attempt == 0 else { return true }
      defer { isHeld = isHeld || time != nil }
      return !isHeld
    }
  }

  // MARK: Ending

  private mutating func receive(_ answer: LaunchResponse, at now: Instant, _ actions: inout [Action]) {
    // `started` is not a result: the command itself may be what ends the agent each time.
    if answer.content != .started { noteAnswer(&actions) }
    let run = answer.run
    guard let index = entries.firstIndex(where: { $0.run == run }) else { return }
    switch answer.content {
    case .started: return
    case .ended(.exited(LaunchEnding.tryAgain)):
      refuse(index, .ended(.exited(LaunchEnding.tryAgain)), at: now, &actions)
    case .cannotStart(let errno): refuse(index, .cannotStart(errno: errno), at: now, &actions)
    case .ended(let ending): finish(index, .ended(ending), &actions)
    case .unknownCommand: finish(index, .unknownCommand, &actions)
    case .shown: finish(index, .shown, &actions)
    case .cannotShow(let problem): finish(index, .cannotShow(problem), &actions)
    }
  }

  private mutating func refuse(
    _ index: Int, _ outcome: LaunchOutcome, at now: Instant, _ actions: inout [Action]
  ) {
    entries[index].refusals += 1
    guard entries[index].refusals < Self.mostRefusals else { return finish(index, outcome, &actions) }
    putBack(index, at: now)
  }

  private mutating func finish(_ index: Int, _ outcome: LaunchOutcome, _ actions: inout [Action]) {
    actions.append(.done(entries.remove(at: index).event, outcome))
  }

  private mutating func putBack(_ index: Int, at now: Instant) {
    entries[index].returns += 1
    entries[index].stage = .waiting(now + Self.pause(after: entries[index].returns))
  }

  /// 1 s, doubling up to 5 min.
  private static func pause(after failures: Int) -> Duration { min(.seconds(1 << min(failures - 1, 9)), .seconds(300)) }

  // MARK: The agent

  private mutating func rest(at now: Instant) {
    failures += 1
    link = .resting(until: now + Self.pause(after: failures))
  }

  private mutating func lose(at now: Instant, _ actions: inout [Action]) {
    guard case .up(_, let hasAnswered) = link else { return }
    link = .down
    let isUnderWay = entries.contains { if case .waiting = $0.stage { false } else { true } }
    // An idle agent exits and is started again when needed.
    guard isUnderWay || !hasAnswered else { return }
    // An event whose attempt is being recorded stays as it is until the store has finished, and is then retried because the agent
    // is gone.
    for index in entries.indices where entries[index].run != nil { putBack(index, at: now) }
    rest(at: now)
    guard !hasAnswered else { return }
    losses += 1
    if losses == Self.mostLosses { actions.append(.failing) }
  }

  private mutating func noteAnswer(_ actions: inout [Action]) {
    guard case .up(let idleSince, _) = link else { return }
    link = .up(idleSince: idleSince, hasAnswered: true)
    failures = 0
    if isFailing { actions.append(.answering) }
    losses = 0
  }

  private func hasStopped(at now: Instant) -> Bool {
    entries.contains { if case .running(_, let until) = $0.stage { until <= now } else { false } }
  }

  private mutating func idle(at now: Instant, _ actions: inout [Action]) {
    guard case .up(let idleSince, let hasAnswered) = link else { return }
    guard entries.allSatisfy({ if case .waiting = $0.stage { true } else { false } }) else {
      link = .up(idleSince: nil, hasAnswered: hasAnswered)
      return
    }
    guard let idleSince else {
      link = .up(idleSince: now, hasAnswered: hasAnswered)
      return
    }
    guard idleSince + Self.idleTime <= now else { return }
    link = .down
    actions.append(.disconnect)
  }

  private mutating func makeRoom(_ actions: inout [Action]) {
    guard isFull, entries.count <= Self.most / 2 else { return }
    isFull = false
    actions.append(.room)
  }

  private mutating func catchUp(at now: Instant, _ actions: inout [Action]) {
    guard let waited, pace.heldUntil.map({ $0 <= now }) ?? true,
      !candidates.contains(where: { entries[$0].attempt == 0 })
    else { return }
    self.waited = nil
    actions.append(.caughtUp(waited: waited))
  }

  private func index(of event: UInt64) -> Int? { entries.firstIndex { $0.event == event } }
}
