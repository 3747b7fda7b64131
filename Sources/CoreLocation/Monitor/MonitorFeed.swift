import Dispatch
import Foundation
import LocationIPC
import LocationPolicy
import Synchronization

/// The conditions of one monitor, shared by its actor, the loop over its events and the service's thread.
final class MonitorFeed: Sendable {
  /// Maximum number of events that wait for a slow loop; the service sends the others again later.
  private static let eventLimit = 4096
  /// Maximum wait at the start for the conditions of an earlier monitor; reading them usually takes some milliseconds.
  private static let patience = DispatchTimeInterval.seconds(5)

  private struct State {
    var machine: ConditionMachine
    var session: SessionMachine
    /// The obstacles to monitoring that the session reports, and whether the accuracy is reduced.
    var obstacles: DiagnosticFlags = []
    var limits: DiagnosticFlags = []
    var isKnown = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// The listener numbers for the authorization and for the sessions; 0 before it listens.
    var authorization: UInt64 = 0
    var sessions: UInt64 = 0
  }

  let events: AsyncStream<MonitorDelivery>
  private let continuation: AsyncStream<MonitorDelivery>.Continuation
  private let state: Mutex<State>
  private let conversation = ServiceConversation()

  init(name: String) {
    let list = "\(ProgramDescription.listName)/\(name)"
    let session = SessionMachine(
      SessionRequirement(authorization: .whenInUse, isImplicit: true),
      isExplicit: ProgramDescription.shared.requiresSession, coverage: ProcessSessions.shared.coverage)
    // A name that is too long is replaced by an empty one, which the service rejects and reports; a truncated name could be that
    // of another list.
    let machine = ConditionMachine(
      list: list.utf8.count <= MonitoringList.longestName ? list : "", numbers: LocationService.shared.numbers)
    state = Mutex(State(machine: machine, session: session))
    (events, continuation) = AsyncStream.makeStream(
      of: MonitorDelivery.self, bufferingPolicy: .bufferingOldest(Self.eventLimit))
  }

  deinit {
    let (authorization, sessions) = state.withLock { ($0.authorization, $0.sessions) }
    ProcessAuthorization.shared.forget(authorization)
    ProcessSessions.shared.forget(sessions)
  }

  /// Starts, and waits until the conditions of an earlier monitor of the same name are known.
  func begin() async {
    handle(.begin)
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self] in self?.know() }
    await withCheckedContinuation { continuation in
      let isKnown = state.withLock { state in
        if !state.isKnown { state.waiting.append(continuation) }
        return state.isKnown
      }
      if isKnown { continuation.resume() }
    }
  }

  /// Called when the monitor is released: there are no further events.
  func end() { continuation.finish() }

  /// Called when the loop has handled an event.
  func handled(_ number: UInt64) { handle(.handled(number)) }

  func add(_ condition: any CLCondition, _ identifier: String, assuming assumed: CLMonitor.Event.State) {
    handle(.add(condition, identifier, assuming: assumed))
  }

  func remove(_ identifier: String) { handle(.remove(identifier)) }

  var identifiers: [String] { state.withLock { $0.machine.identifiers } }

  func record(for identifier: String) -> CLMonitor.Record? {
    state.withLock { $0.machine.record(for: identifier) }.map {
      CLMonitor.Record(lastEvent: CLMonitor.Event($0.last), condition: $0.condition)
    }
  }

  // MARK: -

  private func handle(_ input: ConditionMachine.Input) {
    let actions = state.withLock { state in
      let actions = state.machine.handle(input, at: Date())
      for case .send(let id, let request) in actions {
        conversation.send(.anyMonitoring(request), as: id) { [weak self] in self?.handle(.answer(id, $0)) }
      }
      return actions
    }
    conversation.flush { [weak self] in self?.handle(.serviceEnded) }
    for action in actions {
      switch action {
      case .send: break
      case .deliver(let notice, let number):
        continuation.yield(MonitorDelivery(CLMonitor.Event(notice), number, of: self))
      case .known: know()
      case .watches: seekAuthorization()
      }
    }
  }

  private func know() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isKnown = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// A monitor starts an implicit session that requests access while in use, as an iteration over live updates does
  /// (Documentation/Behavior.md, "Sessions").
  private func seekAuthorization() {
    let authorization = ProcessAuthorization.shared.listen { [weak self] in self?.receive(.state($0)) }
    let sessions = ProcessSessions.shared.listen { [weak self] in
      self?.receive(.coverage(ProcessSessions.shared.coverage))
    }
    state.withLock { ($0.authorization, $0.sessions) = (authorization, sessions) }
    if let known = ProcessAuthorization.shared.known { receive(.state(known)) }
  }

  private func receive(_ input: SessionMachine.Input) {
    let (actions, obstacles) = state.withLock { state in
      let actions = state.session.handle(input)
      for case .report(let obstacles) in actions { state.obstacles = obstacles }
      if case .state(let now) = input { state.limits = DiagnosticFlags(now).intersection(.accuracyLimited) }
      return (actions, state.obstacles.union(state.limits))
    }
    handle(.obstacles(obstacles))
    for case .ask in actions {
      ProcessAuthorization.shared.ask(always: false) { [weak self] in self?.receive(.asked) }
    }
  }
}

extension CLMonitor.Event {
  init(_ notice: ConditionMachine.Notification) {
    self.init(identifier: notice.identifier, state: notice.state, date: notice.date, notice.circumstances)
  }
}

/// An event for the loop over a monitor's events. The event counts as handled when the loop that took it releases it:
/// when the loop requests the next event, or ends.
final class MonitorDelivery: Sendable {
  let event: CLMonitor.Event
  private let number: UInt64
  private let feed: MonitorFeed
  private let isTaken = Atomic<Bool>(false)

  init(_ event: CLMonitor.Event, _ number: UInt64, of feed: MonitorFeed) {
    (self.event, self.number, self.feed) = (event, number, feed)
  }

  deinit { if isTaken.load(ordering: .acquiring) { feed.handled(number) } }

  /// Marks the event as taken by a loop.
  func take() { isTaken.store(true, ordering: .releasing) }
}

/// The names of the existing monitors in this process.
final class MonitorNames: Sendable {
  static let shared = MonitorNames()
  private let taken = Mutex<Set<String>>([])

  /// Reserves a name; `false` if another monitor has it.
  func reserve(_ name: String) -> Bool { taken.withLock { $0.insert(name).inserted } }

  /// Releases a name.
  func release(_ name: String) { taken.withLock { _ = $0.remove(name) } }
}
