package import Geodesy

/// The events of one user for which something is to be started, in their order: what is under way, what waits, and what has to be done
/// again. The store has all of them; here are those whose turn it is soon.
///
/// An event is done when the user's agent has said how it ended. Before each order the store has noted the attempt, so that whatever is
/// done twice is marked as such.
package struct LaunchQueue: Sendable {
  package enum Input: Hashable, Sendable {
    /// An event's turn comes after those before it.
    case launch(UInt64)
    /// Nothing is to happen with it any more; what runs goes on, and nobody hears how it ends.
    case forget(UInt64)
    /// The store has noted it.
    case attemptKept(UInt64, attempt: Int)
    case attemptNotKept(UInt64)
    case connected
    case unreachable
    /// The agent has gone.
    case lost
    case answer(LaunchAnswer)
    /// A deadline has passed.
    case wake
  }

  package enum Action: Hashable, Sendable {
    case connect
    case disconnect
    /// To be answered by `attemptKept` or `attemptNotKept`.
    case keepAttempt(UInt64)
    case send(UInt64, attempt: Int, run: UInt64)
    case done(UInt64, LaunchOutcome)
    /// There is no room for it: it is to be given again after `room`, with those behind it.
    case refused(UInt64)
    case room
    /// So many have to wait, as too many came at once.
    case slowed(waiting: Int)
    /// None waits any more; so many had to.
    case caughtUp(waited: Int)
    /// The agent has gone `mostLosses` times in a row before it said how anything ended.
    case failing
    /// It does so again.
    case answering
  }

  private enum Stage: Hashable, Sendable {
    /// Not before then.
    case waiting(Instant?)
    /// The store is noting the attempt.
    case keeping
    /// Its answer comes before then.
    case running(UInt64, until: Instant)
  }

  private struct Entry: Sendable {
    let event: UInt64
    var stage = Stage.waiting(nil)
    /// The last one that was sent.
    var attempt = 0
    /// How often it came back, and how often of that by its own doing.
    var returns = 0
    var refusals = 0

    var run: UInt64? { if case .running(let run, _) = stage { run } else { nil } }
    var readyAt: Instant? { if case .waiting(let time) = stage { time } else { nil } }
  }

  private enum Link: Hashable, Sendable {
    case down
    /// It could not be reached, and is left alone until then.
    case resting(until: Instant)
    case connecting
    /// With nothing under way since; whether it has said how anything ended.
    case up(idleSince: Instant?, hasAnswered: Bool)
  }

  /// Events in memory.
  package static let most = 64
  package static let mostUnderWay = 4
  /// How often a command may ask to be run again, or cannot be started.
  package static let mostRefusals = 5
  /// How often in a row the agent may go without an answer before that is told: once is a machine short of memory, or an update.
  package static let mostLosses = 3
  /// The longest budget of a command is 5 min, and those of a service before this one may be under way: an agent that says nothing for
  /// longer than that has stopped.
  package static let patience: Duration = .seconds(15 * 60)
  /// Orders that follow sooner find the agent connected.
  package static let idleTime: Duration = .seconds(10)

  private var entries: [Entry] = []
  private var link = Link.down
  /// How often in a row the agent was not there, or has gone with something under way.
  private var failures = 0
  /// How often in a row it was there, and has gone without an answer.
  private var losses = 0
  private var nextRun: UInt64 = 1
  private var pace: LaunchPace
  /// How many had to wait since too many came.
  private var waited: Int?
  private var isFull = false

  package init(pace: LaunchPace = LaunchPace()) { self.pace = pace }

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
    case .answer(let answer): hear(answer, at: now, &actions)
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

  /// Whether `failing` was told, and `answering` not yet.
  package var isFailing: Bool { losses >= Self.mostLosses }

  /// When `wake` has to come next.
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
    // Whoever was refused comes before those behind it.
    guard !isFull, entries.count < Self.most else {
      isFull = true
      return actions.append(.refused(event))
    }
    entries.append(Entry(event: event))
  }

  /// One at a time, so that the attempts of two are not noted in another order than theirs.
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
      guard pace.take(at: now) else { return }
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

  /// When one that waits can begin; `nil`: something else comes first, or none waits.
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

  /// Those that wait and may begin as soon as their time has come: none for the first time before one that is before it.
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

  private mutating func hear(_ answer: LaunchAnswer, at now: Instant, _ actions: inout [Action]) {
    // That something has begun is no answer: what ends the agent each time may be what it begins.
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
    // One that has nothing to do ends, and is there again when it is wanted.
    guard isUnderWay || !hasAnswered else { return }
    // What the store is noting stays so until it has, and then finds the agent gone.
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
