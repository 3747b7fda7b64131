import Geodesy
import LocationIPC
import LocationPolicy
import Regions

/// The monitoring of a program, shared by all its managers: its list at the service, the recipients of events, and the
/// handled events (Documentation/Behavior.md, "Significant changes", "Regions" and "Visits").
///
/// A program that never monitors anything has no list: the list is created when it is first followed, once there is
/// something to monitor.
struct ProgramMonitoring: Sendable {
  /// A manager's number in the process.
  typealias Manager = UInt64

  enum Input: Hashable, Sendable {
    /// Load what was monitored before.
    case begin
    /// The manager has a delegate; the first one receives the missed events.
    case listens(Manager)
    case isDeaf(Manager)
    case gone(Manager)
    case add(Region, by: Manager)
    case remove(String)
    case requestState(Region, by: Manager)
    case visits(Manager, isOn: Bool)
    case significantChanges(Manager, isOn: Bool)
    /// An event of the service for the request with that number.
    case answer(RequestID, RequestEvent<MonitoringAnswer?>)
    case serviceEnded
    /// The manager has delivered an event to its delegate; or it has no delegate, and will not deliver the event.
    case delivered(event: UInt64, by: Manager, isReceived: Bool)
  }

  enum Action: Hashable, Sendable {
    case send(RequestID, MonitoringRequest)
    case notify([Manager], MonitoringNotification)
    /// The monitoring of earlier runs has been loaded, or cannot be loaded.
    case known
  }

  private enum State {
    case idle
    /// The service was asked whether the list exists, and then for its contents; inputs wait until then.
    case asking(RequestID, waiting: [Input])
    /// `isFollowed`: whether the list is followed after this, once the regions that its events are about are known.
    case reading(RequestID, isFollowed: Bool, waiting: [Input])
    case known
  }

  private enum Purpose {
    case changes
    case visits(Manager)
    case significantChanges(Manager)
  }

  /// Greatest number of events that wait for a manager with a delegate; the service keeps the others.
  private static let mostWaiting = 512

  private let list: String
  private var state = State.idle
  /// The monitored regions, by their identifiers.
  private(set) var regions: [String: Region] = [:]
  private var changes: ListChanges
  private var requests: [RequestID: Purpose] = [:]
  private var following: RequestID?
  private var hasList = false
  private var listeners: Set<Manager> = []
  /// The managers in this process that have requested visits, and those that have requested significant changes.
  private var (visitors, movers): (Set<Manager>, Set<Manager>) = ([], [])
  private var open = OpenEvents<Manager>()
  /// Events without a recipient.
  private var waiting: [MonitoringEvent] = []
  /// The newest significant change.
  private var latest: PositionFix?
  private let numbers: RequestNumbers

  /// - Parameter list: the name of the program's list.
  init(list: String, numbers: RequestNumbers) {
    self.list = list
    self.numbers = numbers
    changes = ListChanges(list: list)
  }

  /// Whether the earlier monitoring is loaded.
  var isKnown: Bool { if case .known = state { true } else { false } }

  mutating func handle(_ input: Input) -> [Action] {
    switch input {
    case .begin: return begin()
    case .listens(let manager):
      listeners.insert(manager)
      return deliverPending(to: manager)
    case .isDeaf(let manager):
      listeners.remove(manager)
      return []
    case .gone(let manager): return leave(manager)
    case .delivered(let event, let manager, let isReceived): return end(event, for: manager, isReceived: isReceived)
    case .answer(let request, let reply): return receive(reply, to: request)
    case .serviceEnded: return serviceEnded()
    case .add, .remove, .requestState, .visits, .significantChanges: return process(input)
    }
  }

  // MARK: - Earlier monitoring

  private mutating func begin() -> [Action] {
    guard case .idle = state else { return [] }
    let request = numbers.next()
    state = .asking(request, waiting: [])
    return [.send(request, .lists)]
  }

  private mutating func receive(_ reply: RequestEvent<MonitoringAnswer?>, to request: RequestID) -> [Action] {
    switch state {
    case .asking(request, let waiting):
      guard case .reply(.lists(let reports)?) = reply, let report = reports.first(where: { $0.name == list })
      else { return know(waiting) }
      hasList = true
      let request = numbers.next()
      state = .reading(request, isFollowed: !report.wanted.isEmpty || report.waiting > 0, waiting: waiting)
      return [.send(request, .read(list: list, from: 0))]
    case .reading(request, let isFollowed, let waiting):
      guard case .reply(.regions(let page, let next)?) = reply else { return follow(isFollowed) + know(waiting) }
      for region in page { regions[region.region.identifier] = region.region }
      guard let next else { return follow(isFollowed) + know(waiting) }
      let request = numbers.next()
      state = .reading(request, isFollowed: isFollowed, waiting: waiting)
      return [.send(request, .read(list: list, from: next))]
    case .idle, .asking, .reading, .known: return conclude(request, reply)
    }
  }

  private mutating func know(_ waiting: [Input]) -> [Action] {
    state = .known
    return waiting.flatMap { process($0) } + [.known]
  }

  private mutating func follow(_ isWanted: Bool = true) -> [Action] {
    guard isWanted, following == nil else { return [] }
    hasList = true
    let request = numbers.next()
    following = request
    return [.send(request, .follow(list: list, receives: true))]
  }

  // MARK: - Inputs

  private mutating func process(_ input: Input) -> [Action] {
    switch state {
    case .idle:
      let actions = begin()
      return actions + process(input)
    case .asking(let request, var waiting):
      waiting.append(input)
      state = .asking(request, waiting: waiting)
      return []
    case .reading(let request, let isFollowed, var waiting):
      waiting.append(input)
      state = .reading(request, isFollowed: isFollowed, waiting: waiting)
      return []
    case .known: return apply(input)
    }
  }

  private mutating func apply(_ input: Input) -> [Action] {
    switch input {
    case .add(let region, let manager):
      // Follow first, so that no event of the region is missed.
      let actions = follow()
      changes.append(.add(MonitoredRegion(region), by: manager))
      return actions + flush()
    case .remove(let identifier):
      regions[identifier] = nil
      guard hasList else { return [] }
      changes.append(.remove(identifier))
      return flush()
    case .requestState(let region, let manager):
      guard hasList else { return [] }
      changes.append(.state(region, by: manager))
      return flush()
    case .visits(let manager, let isOn): return setVisits(manager, isOn)
    case .significantChanges(let manager, let isOn): return setSignificantChanges(manager, isOn)
    case .begin, .listens, .isDeaf, .gone, .answer, .serviceEnded, .delivered: return []
    }
  }

  private mutating func flush() -> [Action] {
    guard let request = changes.next() else { return [] }
    return [send(request, .changes)]
  }

  /// The first manager that starts visits enables them for all; when the last one stops them they end, also those of an
  /// earlier run.
  private mutating func setVisits(_ manager: Manager, _ isOn: Bool) -> [Action] {
    if isOn {
      guard visitors.insert(manager).inserted, visitors.count == 1 else { return [] }
      let actions = follow()
      return actions
        + [send(.setVisits(list: list, isOn: true, MonitoringLaunch(), outlives: false), .visits(manager))]
    }
    visitors.remove(manager)
    guard visitors.isEmpty, hasList else { return [] }
    return [send(.setVisits(list: list, isOn: false, MonitoringLaunch(), outlives: false), .visits(manager))]
  }

  private mutating func setSignificantChanges(_ manager: Manager, _ isOn: Bool) -> [Action] {
    if isOn {
      guard movers.insert(manager).inserted else { return [] }
      if movers.count > 1 {
        // Only this manager receives the known location, because the others have already received it.
        return latest.map { fix in
          [
            .notify(
              [manager],
              .happened(MonitoringEvent(id: 0, .significantChanges, .moved, time: fix.time, fix: fix), nil))
          ]
        } ?? []
      }
      let actions = follow()
      return actions
        + [
          send(
            .setSignificantChanges(list: list, isOn: true, MonitoringLaunch(), outlives: false),
            .significantChanges(manager))
        ]
    }
    movers.remove(manager)
    guard movers.isEmpty, hasList else { return [] }
    latest = nil
    return [
      send(
        .setSignificantChanges(list: list, isOn: false, MonitoringLaunch(), outlives: false),
        .significantChanges(manager))
    ]
  }

  private mutating func send(_ request: MonitoringRequest, _ purpose: Purpose) -> Action {
    let id = numbers.next()
    requests[id] = purpose
    return .send(id, request)
  }

  // MARK: - Answers

  private mutating func conclude(_ request: RequestID, _ reply: RequestEvent<MonitoringAnswer?>) -> [Action] {
    if request == following { return receiveOfList(reply) }
    switch requests.removeValue(forKey: request) {
    case .changes?: return conclude(changes.receive(reply)) + flush()
    case .visits(let manager)?:
      guard case .failed(let failure) = reply, visitors.remove(manager) != nil else { return [] }
      return [.notify([manager], .failed(MonitoringRejection(failure), reason: failure.ofMonitoring))]
    case .significantChanges(let manager)?:
      guard case .failed(let failure) = reply, movers.remove(manager) != nil else { return [] }
      return [.notify([manager], .failed(MonitoringRejection(failure), reason: failure.ofMonitoring))]
    case nil: return []
    }
  }

  private mutating func conclude(_ outcomes: [ListChanges.Outcome]) -> [Action] {
    outcomes.compactMap { outcome in
      switch outcome {
      case .added(let region, let manager):
        regions[region.identifier] = region
        return .notify([manager], .started(region))
      case .refused(let region, let manager, let failure):
        return .notify([manager], .refused(region, MonitoringRejection(failure), reason: failure.ofMonitoring))
      case .state(let region, let manager, let state):
        return state.map { .notify([manager], .state(regions[region.identifier] ?? region, $0)) }
      }
    }
  }

  private mutating func serviceEnded() -> [Action] {
    let failure = LocationFailure.noSource
    following = nil
    let asked = requests.values
    requests = [:]
    var actions = conclude(changes.fail(failure))
    for purpose in asked {
      switch purpose {
      case .changes: break
      case .visits(let manager), .significantChanges(let manager):
        visitors.remove(manager)
        movers.remove(manager)
        actions.append(.notify([manager], .failed(.impossible, reason: nil)))
      }
    }
    switch state {
    case .asking(_, let waiting), .reading(_, _, let waiting): actions += know(waiting)
    case .idle, .known: break
    }
    return actions
  }

  // MARK: - Events

  private mutating func receiveOfList(_ reply: RequestEvent<MonitoringAnswer?>) -> [Action] {
    switch reply {
    case .reply(.event(let happened, list)?): return process(happened)
    case .failed:
      following = nil
      return []
    // `.allowed` needs no action: while events are not allowed, the service sends none, and the program receives no
    // event about that.
    case .reply, .progress: return []
    }
  }

  private mutating func process(_ event: MonitoringEvent) -> [Action] {
    if event.id != 0 {
      switch open.state(of: event) {
      case .new: break
      case .open: return []
      // The acknowledgment was lost.
      case .acknowledged: return [acknowledge(event.id)]
      }
    }
    if case .moved = event.kind { latest = event.fix }
    if case .region(let identifier) = event.subject, regions[identifier] == nil {
      // The region is no longer monitored.
      return drop(event)
    }
    return notify(event, to: recipients(of: event))
  }

  private func recipients(of event: MonitoringEvent) -> Set<Manager> {
    guard case .significantChanges = event.subject, !movers.isEmpty else { return listeners }
    return listeners.intersection(movers)
  }

  private mutating func notify(_ event: MonitoringEvent, to recipients: Set<Manager>) -> [Action] {
    guard !recipients.isEmpty else {
      wait(with: event)
      return []
    }
    if event.id != 0 { open.begin(event, to: recipients) }
    var region: Region?
    if case .region(let identifier) = event.subject { region = regions[identifier] }
    return [.notify(recipients.sorted(), .happened(event, region))]
  }

  private mutating func deliverPending(to manager: Manager) -> [Action] {
    let all = waiting
    waiting = all.filter { !recipients(of: $0).contains(manager) }
    return all.filter { recipients(of: $0).contains(manager) }.flatMap { event -> [Action] in
      if case .region(let identifier) = event.subject, regions[identifier] == nil { return drop(event) }
      return notify(event, to: [manager])
    }
  }

  /// Acknowledges an event that concerns no manager.
  private mutating func drop(_ event: MonitoringEvent) -> [Action] {
    guard event.id != 0 else { return [] }
    open.note(event)
    return [acknowledge(event.id)]
  }

  private mutating func end(_ event: UInt64, for manager: Manager, isReceived: Bool) -> [Action] {
    switch open.end(event, for: manager, isReceived: isReceived) {
    case .acknowledged?: return [acknowledge(event)]
    case .lost(let event)?:
      wait(with: event)
      return []
    case nil: return []
    }
  }

  private mutating func wait(with event: MonitoringEvent) {
    if event.id != 0, waiting.count < Self.mostWaiting { waiting.append(event) }
  }

  private mutating func acknowledge(_ event: UInt64) -> Action {
    .send(numbers.next(), .acknowledge(list: list, event: event))
  }

  private mutating func leave(_ manager: Manager) -> [Action] {
    listeners.remove(manager)
    // The monitoring that the manager started continues: the program receives its events when a manager listens again.
    visitors.remove(manager)
    movers.remove(manager)
    return open.waiting(for: manager).flatMap { end($0, for: manager, isReceived: false) }
  }
}
