package import FleetDestinations
package import Geodesy

/// Sends the records of one outbox to its destination: in strict order, a bounded number of them at once, each until it is acknowledged.
///
/// An event is a barrier: it is sent when everything before it is acknowledged, and nothing after it is sent before it is acknowledged
/// itself. Home Assistant ignores positions between `enter` and `leave`.
///
/// The cursor, which is stored, is the place up to which everything is acknowledged. It is stored for at least `cursorRecords` records, but
/// not more often than every `cursorInterval`, and at once after an event. After a power cut, what was acknowledged in that time or up to
/// that many records is sent again, and what was in flight.
package struct FleetOutbox: Sendable {
  package static let loadLimit = 64
  /// A message without an answer for this long ends the connection.
  private static let patience: Duration = .seconds(60)
  package static let cursorInterval: Duration = .seconds(30)
  /// A stored cursor is one sector of 512 bytes: less than 20 bytes for each of so many records.
  package static let cursorRecords = 26
  /// After this time, records that could not be read are read again.
  private static let loadPause: Duration = .seconds(30)
  private static let refusedPause: Duration = .seconds(3600)
  /// How often a record that the server calls invalid is sent.
  private static let mostAttempts = 3
  /// How often, if the server has accepted nothing else: once an hour after the first ones.
  private static let mostAttemptsAlone = 27

  private enum Link: Hashable {
    case down
    case connecting(since: Instant)
    case up(FleetSession)
  }

  private enum Answer { case open, accepted, failed }

  private struct Flight {
    let records: [FleetRecord]
    let sentAt: Instant
    var answer = Answer.open
    var isWithheld = false
    var isAccepted: Bool { answer == .accepted }
    var isOpen: Bool { answer == .open }
  }

  private let limits: Limits
  private var link = Link.down
  private var isAllowed = true
  /// Why nothing is sent until `holdEnd`.
  private var hold: FleetReport.State?
  private var holdEnd: Instant?
  private var queue: ArraySlice<FleetRecord> = []
  private var flights: [Flight] = []
  /// First places of messages that were accepted although one before them was not: they are not sent again.
  private var acceptedEarly: Set<FleetPlace> = []
  private var hasMore = true
  private var isLoading = false
  /// Records are not read before this time.
  private var loadAt: Instant?
  private var acknowledged: FleetPlace
  private var saved: FleetPlace
  private var savedAt: Instant
  private var unsaved = 0
  /// Grows from 1 after each failure: the first message shows whether the server takes them at all.
  private var window = 1
  private var nextSendAt: Instant
  private var attempts: (place: FleetPlace, count: Int)?
  /// Whether the server has accepted a message since the start, and since it last called one invalid for good: only then it is the record
  /// that is wrong, rather than the settings or the device's registration.
  private var acceptsOthers = false
  /// The most records of the next message: halved as long as the server calls a batch invalid, to find the record that is.
  private var mostRecords: Int
  private var reconnection: FleetBackOff
  private var busy: FleetBackOff
  private var deafness: FleetBackOff
  private var batchAt: Instant?
  private var isProbing = false
  /// Records that are not acknowledged.
  package private(set) var waiting: Int
  /// The last problem and the last answer that was not good; `nil` after a good one.
  package private(set) var problem: FleetProblem?
  package private(set) var reply: FleetReply?

  /// - Parameters:
  ///   - cursor: the stored place.
  ///   - waiting: the number of records after it.
  ///   - seed: any number, different on each machine.
  package init(_ limits: Limits, cursor: FleetPlace, waiting: Int, seed: UInt64, at now: Instant) {
    (self.limits, mostRecords) = (limits, limits.recordsPerMessage)
    (acknowledged, saved, nextSendAt) = (cursor, cursor, now)
    // The first one is stored without a pause: a service that is killed every few seconds must get on.
    savedAt = now - Self.cursorInterval
    self.waiting = waiting
    reconnection = FleetBackOff(first: .seconds(1), longest: .seconds(300), seed: seed)
    busy = FleetBackOff(first: .seconds(5), longest: .seconds(300), seed: seed &+ 1)
    deafness = FleetBackOff(first: .seconds(60), longest: .seconds(900), seed: seed &+ 2)
  }

  /// The place up to which everything is acknowledged.
  package var cursor: FleetPlace { acknowledged }
  package var session: FleetSession? { if case .up(let session) = link { session } else { nil } }
  /// The oldest record that waits, if it is in memory.
  package var oldest: FleetRecord? { flights.first?.records.first ?? queue.first }

  package var state: FleetReport.State {
    if let hold { return hold }
    switch link {
    case .up: return .connected
    case .connecting: return .connecting
    case .down: return .idle
    }
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .appended(let record):
      waiting += 1
      if hasMore || queue.count >= 4 * Self.loadLimit { hasMore = true } else { queue.append(record) }
      if record.isEvent { batchAt = nil }
    case .loaded(let records, let isEnd):
      isLoading = false
      queue += records
      hasMore = !isEnd
    case .loadFailed:
      // What comes later must not overtake them: the cursor would pass them, and they would be deleted.
      (isLoading, hasMore, loadAt) = (false, true, now + Self.loadPause)
    case .connected(let session):
      guard case .connecting = link else { break }
      link = .up(session)
      (problem, window) = (nil, 1)
    case .answered(let id, let reply): answered(id, reply, at: now, &actions)
    case .withheld(let id):
      guard let index = openFlight(id) else { break }
      flights[index].answer = .accepted
      flights[index].isWithheld = true
      settle(at: now, &actions)
    case .ended(let problem, let reply): ended(problem, reply, at: now)
    case .allowed(let isAllowed):
      self.isAllowed = isAllowed
      if !isAllowed { disconnect(&actions) }
    case .retry:
      (hold, holdEnd, batchAt, loadAt) = (nil, nil, nil, nil)
      for backOff in [\Self.reconnection, \.busy, \.deafness] { self[keyPath: backOff].reset() }
    case .networkChanged:
      guard case .down = link, hold == .waiting, isUnreachable else { break }
      (hold, holdEnd) = (nil, nil)
      reconnection.reset()
    case .probe(let isWanted): isProbing = isWanted
    case .dropped(let place, let waiting): drop(upTo: place, waiting, &actions)
    case .stop:
      disconnect(&actions)
      if unsaved > 0 { save(at: now, &actions) }
      return actions
    case .wake: break
    }
    advance(at: now, &actions)
    return actions
  }

  /// When `wake` is due.
  package var nextDeadline: Instant? {
    guard isAllowed else { return nil }
    var deadline: Instant?
    if let holdEnd { deadline = Instant.earlier(deadline, holdEnd) }
    if isLoadWanted { deadline = Instant.earlier(deadline, loadAt) }
    if isCursorWanted { deadline = Instant.earlier(deadline, savedAt + Self.cursorInterval) }
    switch link {
    case .down: if hold == nil, let batchAt { deadline = Instant.earlier(deadline, batchAt) }
    case .connecting(let since): deadline = Instant.earlier(deadline, since + Self.patience)
    case .up:
      if let first = flights.first(where: \.isOpen) {
        deadline = Instant.earlier(deadline, first.sentAt + Self.patience)
      }
      if hold == nil, maySendNext { deadline = Instant.earlier(deadline, nextSendAt) }
    }
    return deadline
  }

  // MARK: - Sending

  private mutating func advance(at now: Instant, _ actions: inout [Action]) {
    if let end = holdEnd, now >= end { (hold, holdEnd) = (nil, nil) }
    if isCursorWanted, now - savedAt >= Self.cursorInterval { save(at: now, &actions) }
    guard isAllowed else { return }
    load(at: now, &actions)
    switch link {
    case .down:
      guard hold == nil, isConnectionWanted(at: now) else { return }
      link = .connecting(since: now)
      actions.append(.connect)
    case .connecting(let since):
      guard now - since >= Self.patience else { return }
      actions.append(.disconnect)
      ended(.tooLate, nil, at: now)
    case .up:
      if let first = flights.first(where: \.isOpen), now - first.sentAt >= Self.patience {
        actions.append(.disconnect)
        return ended(.tooLate, nil, at: now)
      }
      send(at: now, &actions)
      if let batch = limits.batch, flights.isEmpty, queue.isEmpty, !hasMore, !isProbing {
        batchAt = now + batch
        disconnect(&actions)
      }
    }
  }

  private mutating func send(at now: Instant, _ actions: inout [Action]) {
    while hold == nil, now >= nextSendAt, maySendNext, let first = queue.first {
      var records = [first]
      if !first.isEvent {
        records += queue.dropFirst().prefix(mostRecords - 1).prefix { !$0.isEvent }
      }
      queue = queue.dropFirst(records.count)
      let wasAccepted = acceptedEarly.remove(first.place) != nil
      flights.append(Flight(records: records, sentAt: now, answer: wasAccepted ? .accepted : .open))
      if wasAccepted {
        settle(at: now, &actions)
      } else {
        actions.append(.send(records))
        nextSendAt = max(nextSendAt + .nanoseconds(1_000_000_000 / limits.rate), now)
      }
      load(at: now, &actions)
    }
  }

  private var isLoadWanted: Bool { hasMore && !isLoading && queue.count < Self.loadLimit / 2 }

  private mutating func load(at now: Instant, _ actions: inout [Action]) {
    guard isLoadWanted, loadAt.map({ now >= $0 }) ?? true else { return }
    (isLoading, loadAt) = (true, nil)
    actions.append(.load(after: lastKnown))
  }

  /// Whether the order, the window and the barriers allow the next message.
  private var maySendNext: Bool {
    guard let next = queue.first, case .up(let session) = link else { return false }
    // Until the answers of the messages after a failed one are there, it is not known which of them have arrived.
    guard !flights.contains(where: { $0.answer == .failed }) else { return false }
    guard flights.count < min(window, limits.window, session.receiveMaximum.map(Int.init) ?? .max) else { return false }
    return flights.isEmpty || !next.isEvent && flights.last?.records.first?.isEvent != true
  }

  /// The last record that was loaded; the records up to it are in memory.
  package var lastKnown: FleetPlace {
    queue.last?.place ?? flights.last?.records.last?.place ?? acknowledged
  }

  private func isConnectionWanted(at now: Instant) -> Bool {
    guard limits.batch != nil, !isProbing else { return true }
    return (!queue.isEmpty || hasMore) && batchAt.map { now >= $0 } ?? true
  }

  // MARK: - Answers

  private func openFlight(_ id: UInt64) -> Int? {
    flights.firstIndex { $0.records.first?.place.rawValue == id && $0.isOpen }
  }

  private mutating func answered(_ id: UInt64, _ reply: FleetReply, at now: Instant, _ actions: inout [Action]) {
    guard let index = openFlight(id) else { return }
    var outcome = FleetOutcome(reply)
    if outcome == .unheard, limits.acceptsUnheard { outcome = .accepted }
    if outcome != .accepted { flights[index].answer = .failed }
    switch outcome {
    case .accepted:
      flights[index].answer = .accepted
      acceptsOthers = true
      mostRecords = min(limits.recordsPerMessage, mostRecords * 2)
      if hold == nil {
        self.reply = nil
        window = min(limits.window, window * 2)
        for backOff in [\Self.reconnection, \.busy, \.deafness] { self[keyPath: backOff].reset() }
      }
      settle(at: now, &actions)
    case .unheard: pause(.unheard, deafness.next(), reply, at: now)
    case .refused:
      pause(.refused, Self.refusedPause, reply, at: now)
      disconnect(&actions)
    case .later(let seconds):
      let wanted = Duration.seconds(Int64(min(seconds ?? 0, 86_400)))
      pause(.waiting, max(wanted, busy.next()), reply, at: now)
    case .invalid: invalid(flights[index].records, reply, at: now, &actions)
    }
    // Which of the messages after a failed one have arrived is known when all are answered.
    if flights.contains(where: { $0.answer == .failed }), !flights.contains(where: \.isOpen) { takeBack() }
  }

  private mutating func invalid(
    _ records: [FleetRecord], _ reply: FleetReply, at now: Instant, _ actions: inout [Action]
  ) {
    guard let first = records.first else { return }
    guard records.count == 1 else {
      // Which record it is, is not known.
      (mostRecords, self.reply) = (records.count / 2, reply)
      return
    }
    let count = attempts?.place == first.place ? (attempts?.count ?? 0) + 1 : 1
    attempts = (first.place, count)
    guard count >= Self.mostAttempts else { return pause(.waiting, busy.next(), reply, at: now) }
    guard acceptsOthers || count >= Self.mostAttemptsAlone,
      let index = flights.firstIndex(where: { $0.records.first?.place == first.place })
    else {
      // Traccar answers so for a device that is not registered: nothing of the backlog is wrong.
      pause(.refused, Self.refusedPause, reply, at: now)
      return disconnect(&actions)
    }
    self.reply = reply
    (attempts, acceptsOthers) = (nil, false)
    actions += records.map { .setAside($0) }
    flights[index].answer = .accepted
    settle(at: now, &actions)
  }

  /// Advances past the accepted messages at the front.
  private mutating func settle(at now: Instant, _ actions: inout [Action]) {
    while let first = flights.first, first.isAccepted, let last = first.records.last {
      flights.removeFirst()
      acknowledged = last.place
      waiting = max(0, waiting - first.records.count)
      unsaved += first.records.count
      if !first.isWithheld { actions += first.records.map { .acknowledged($0) } }
      if last.isEvent { save(at: now, &actions) }
    }
    if isCursorWanted, now - savedAt >= Self.cursorInterval { save(at: now, &actions) }
  }

  private var isCursorWanted: Bool { unsaved >= Self.cursorRecords }

  private mutating func save(at now: Instant, _ actions: inout [Action]) {
    (saved, savedAt, unsaved) = (acknowledged, now, 0)
    actions.append(.saveCursor(acknowledged))
  }

  /// Sends nothing for a while, and then again the messages that were not accepted.
  private mutating func pause(_ state: FleetReport.State, _ duration: Duration, _ reply: FleetReply, at now: Instant) {
    self.reply = reply
    // A busy answer to a later message does not shorten the pause.
    if let end = holdEnd, end >= now + duration { return }
    (hold, holdEnd) = (state, now + duration)
  }

  // MARK: - The connection

  private mutating func ended(_ problem: FleetProblem, _ reply: FleetReply?, at now: Instant) {
    guard link != .down else { return }
    link = .down
    (self.problem, self.reply) = (problem, reply ?? self.reply)
    takeBack()
    guard hold == nil else { return }
    let pause = problem.isRefusal ? Self.refusedPause : reconnection.next()
    (hold, holdEnd) = (problem.isRefusal ? .refused : .waiting, now + pause)
  }

  /// Whether there is no connection for a reason that the network may have.
  private var isUnreachable: Bool {
    [.noSuchHost, .unreachable, .tooLate, .closed].contains(problem)
  }

  private mutating func disconnect(_ actions: inout [Action]) {
    guard link != .down else { return }
    link = .down
    takeBack()
    actions.append(.disconnect)
  }

  /// Messages in flight count as not sent, except those that were accepted.
  ///
  /// What was accepted after a message that was not is sent again after it: Home Assistant believes whatever arrives last. If the connection
  /// broke, the messages before have probably arrived, and only their answers have not.
  private mutating func takeBack() {
    var isAfterFailure = false
    for flight in flights {
      isAfterFailure = isAfterFailure || flight.answer == .failed
      if flight.isAccepted, !isAfterFailure, let first = flight.records.first { acceptedEarly.insert(first.place) }
    }
    queue = (flights.flatMap(\.records) + queue)[...]
    flights = []
    window = 1
  }

  private mutating func drop(upTo place: FleetPlace, _ waiting: Int, _ actions: inout [Action]) {
    // The same message must not be in flight twice on one connection: the helper counts both.
    if flights.isEmpty { takeBack() } else { disconnect(&actions) }
    self.waiting = waiting
    guard place > acknowledged else { return }
    acknowledged = place
    queue = queue.drop { $0.place <= place }
    acceptedEarly = acceptedEarly.filter { $0 > place }
    // What is in memory may have been thinned on the disk; it is sent nevertheless.
    if queue.isEmpty { hasMore = true }
  }
}
