import Dispatch
import Foundation
import LocationIPC
import LocationPolicy
import Synchronization

/// One monitor's conditions, where its actor, the loop over its events and the service's thread meet.
final class MonitorFeed: Sendable {
  /// The most events that wait for a loop that is slow; the service tells the others again later.
  private static let eventLimit = 4096
  /// How long a monitor's beginning waits for what an earlier one has left; it takes some milliseconds.
  private static let patience = DispatchTimeInterval.seconds(5)

  private struct State {
    var machine: ConditionMachine
    var outbox = RequestOutbox()
    var session: SessionMachine
    /// What stands against watching, as the session knows it, and whether the accuracy is reduced.
    var obstacles: Circumstances = []
    var limits: Circumstances = []
    var isKnown = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// The numbers of those who listen to the authorization and to the sessions; 0 before.
    var authorization: UInt64 = 0
    var sessions: UInt64 = 0
  }

  let events: AsyncStream<MonitorDelivery>
  private let continuation: AsyncStream<MonitorDelivery>.Continuation
  private let state: Mutex<State>
  private let connection = Mutex<ServiceConnection?>(nil)

  init(name: String) {
    let list = "\(ProgramDescription.listName)/\(name)"
    let session = SessionMachine(
      SessionRequirement(authorization: .whenInUse, isImplicit: true),
      isExplicit: ProgramDescription.shared.requiresSession, coverage: ProcessSessions.shared.coverage)
    // What is too long is no name to the service, and says so; cut it would be another's.
    let machine = ConditionMachine(list: list.utf8.count <= MonitoringList.longestName ? list : "")
    state = Mutex(State(machine: machine, session: session))
    (events, continuation) = AsyncStream.makeStream(
      of: MonitorDelivery.self, bufferingPolicy: .bufferingOldest(Self.eventLimit))
  }

  deinit {
    let (authorization, sessions) = state.withLock { ($0.authorization, $0.sessions) }
    ProcessAuthorization.shared.forget(authorization)
    ProcessSessions.shared.forget(sessions)
  }

  /// Begins, and waits until it is known what an earlier monitor of the name has left.
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

  /// The monitor is no more: nothing more is told.
  func end() { continuation.finish() }

  /// The loop is done with an event.
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
      for case .send(let request) in actions { state.outbox.add(request) }
      return actions
    }
    send()
    for action in actions {
      switch action {
      case .send: break
      case .tell(let notice, let number):
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

  /// A monitor takes a session while in use, as iterating over locations does (Documentation/Behavior.md, "Sessions").
  private func seekAuthorization() {
    let authorization = ProcessAuthorization.shared.listen { [weak self] in self?.take(.state($0)) }
    let sessions = ProcessSessions.shared.listen { [weak self] in
      self?.take(.coverage(ProcessSessions.shared.coverage))
    }
    state.withLock { ($0.authorization, $0.sessions) = (authorization, sessions) }
    if let known = ProcessAuthorization.shared.known { take(.state(known)) }
  }

  private func take(_ input: SessionMachine.Input) {
    let (actions, obstacles) = state.withLock { state in
      let actions = state.session.handle(input)
      for case .tell(let obstacles) in actions { state.obstacles = obstacles }
      if case .state(let now) = input { state.limits = Circumstances(now).intersection(.accuracyLimited) }
      return (actions, state.obstacles.union(state.limits))
    }
    handle(.obstacles(obstacles))
    for case .ask in actions {
      ProcessAuthorization.shared.ask(always: false) { [weak self] in self?.take(.asked) }
    }
  }

  private func send() {
    guard state.withLock({ $0.outbox.begin() }) else { return }
    while let request = state.withLock({ $0.outbox.next() }) { service.send(request) }
  }

  private var service: ServiceConnection {
    connection.withLock { connection in
      if let connection { return connection }
      let made = LocationService.shared.connect { [weak self] event in
        self?.handle(event.map { .service($0) } ?? .serviceEnded)
      }
      connection = made
      return made
    }
  }
}

extension CLMonitor.Event {
  init(_ notice: ConditionMachine.Notice) {
    self.init(identifier: notice.identifier, state: notice.state, date: notice.date, notice.circumstances)
  }
}

/// An event on its way to the loop over a monitor's events: handled when the loop that took it lets go of it, as it does when it wants
/// the next one or ends.
final class MonitorDelivery: Sendable {
  let event: CLMonitor.Event
  private let number: UInt64
  private let feed: MonitorFeed
  private let isTaken = Atomic<Bool>(false)

  init(_ event: CLMonitor.Event, _ number: UInt64, of feed: MonitorFeed) {
    (self.event, self.number, self.feed) = (event, number, feed)
  }

  deinit { if isTaken.load(ordering: .acquiring) { feed.handled(number) } }

  /// A loop has it now.
  func take() { isTaken.store(true, ordering: .releasing) }
}

/// The names of the monitors that live in this process.
final class MonitorNames: Sendable {
  static let shared = MonitorNames()
  private let taken = Mutex<Set<String>>([])

  /// Takes a name; no where another monitor has it.
  func take(_ name: String) -> Bool { taken.withLock { $0.insert(name).inserted } }

  /// Gives it back.
  func giveBack(_ name: String) { taken.withLock { _ = $0.remove(name) } }
}
