import CCoreLocation
import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import Regions

/// The conditions of one `CLMonitor`: its list in the service, the last reported state of each condition, and the obstacles to
/// monitoring (Documentation/Behavior.md, "Monitors").
///
/// A condition's record changes only after an event has been handled, and only then is the event acknowledged to the
/// service: a program that ends in between receives the event again. Obstacles to a condition are recorded at once.
struct ConditionMachine: Sendable {
  typealias State = CLMonitor.Event.State

  enum Input: Sendable {
    /// Requests the conditions of an earlier monitor of the same name.
    case begin
    /// The first event is the first state that differs from `assuming`.
    case add(any CLCondition, String, assuming: State)
    case remove(String)
    /// An event of the service for the request with that number.
    case answer(RequestID, RequestEvent<MonitoringAnswer?>)
    case serviceEnded
    /// The loop has handled an event, by its number.
    case handled(UInt64)
    /// The obstacles to all monitoring; empty: monitoring continues.
    case obstacles(DiagnosticFlags)
  }

  enum Action: Sendable {
    case send(RequestID, MonitoringRequest)
    /// Send a notification to the loop, with a number.
    case deliver(Notification, UInt64)
    /// The conditions of an earlier monitor have been read, or cannot be read.
    case known
    /// A condition is monitored, so the program needs authorization.
    case watches
  }

  /// An event of one condition.
  struct Notification: Hashable, Sendable {
    var identifier: String
    var state: State
    var date: Date
    var circumstances: DiagnosticFlags = []
  }

  /// A condition and its state.
  struct Record: Sendable {
    fileprivate(set) var condition: any CLCondition
    /// The last handled event.
    fileprivate(set) var last: Notification
    /// The last reported state.
    fileprivate var reported: State
    fileprivate var order: UInt64
    /// The region in the service; `nil`: it cannot be monitored.
    fileprivate var region: Region?
  }

  private enum Standing {
    case idle
    case reading(RequestID, waiting: [(input: Input, date: Date)])
    case known
  }

  private let list: String
  private var standing = Standing.idle
  private var records: [String: Record] = [:]
  private var changes: ListChanges
  private var changing: RequestID?
  private var following: RequestID?
  private var obstacles: DiagnosticFlags = []
  private var isWatching = false
  private var open = OpenEvents<UInt64>()
  /// Notifications that the loop has not handled, and their events.
  private var notifications: [UInt64: (notice: Notification, event: UInt64?, isCurrent: Bool)] = [:]
  private var (nextNotification, nextOrder): (UInt64, UInt64) = (1, 1)
  private let numbers: RequestNumbers

  init(list: String, numbers: RequestNumbers) {
    self.list = list
    self.numbers = numbers
    changes = ListChanges(list: list)
  }

  /// The names of the conditions, in the order in which they were added.
  var identifiers: [String] { records.sorted { $0.value.order < $1.value.order }.map(\.key) }

  func record(for identifier: String) -> Record? { records[identifier] }

  mutating func handle(_ input: Input, at date: Date) -> [Action] {
    switch (standing, input) {
    case (.idle, .begin):
      let request = numbers.next()
      standing = .reading(request, waiting: [])
      return [.send(request, .read(list: list, from: 0))]
    case (.reading(let request, var waiting), .add), (.reading(let request, var waiting), .remove):
      waiting.append((input, date))
      standing = .reading(request, waiting: waiting)
      return []
    case (.reading(let request, let waiting), .answer(let id, let reply)) where id == request:
      return read(reply, waiting, at: date)
    case (.reading(_, let waiting), .serviceEnded): return know(waiting)
    case (_, .begin): return []
    case (_, .add(let condition, let identifier, let state)): return add(condition, identifier, state, at: date)
    case (_, .remove(let identifier)):
      guard let record = records.removeValue(forKey: identifier), record.region != nil else { return [] }
      changes.append(.remove(identifier))
      return flush()
    case (_, .answer(let request, let reply)): return receive(reply, to: request, at: date)
    case (_, .serviceEnded):
      (following, changing) = (nil, nil)
      return conclude(changes.fail(.noSource), at: date)
    case (_, .handled(let number)): return handled(number)
    case (_, .obstacles(let now)): return update(now, at: date)
    }
  }

  // MARK: - Conditions of an earlier monitor

  private mutating func read(
    _ reply: RequestEvent<MonitoringAnswer?>, _ waiting: [(input: Input, date: Date)], at date: Date
  ) -> [Action] {
    guard case .reply(.regions(let page, let next)?) = reply else { return know(waiting) }
    for region in page {
      guard case .circle(let circle) = region.region.shape else { continue }
      let identifier = region.region.identifier
      let last = Notification(
        identifier: identifier, state: State(region.acknowledgedState ?? .unknown),
        date: region.receivedAt.map { Date($0) } ?? date)
      let condition = CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(circle.center), radius: circle.radius.value)
      records[identifier] = Record(
        condition: condition, last: last, reported: last.state, order: newOrder(), region: region.region)
    }
    guard let next else { return know(waiting) }
    let request = numbers.next()
    standing = .reading(request, waiting: waiting)
    return [.send(request, .read(list: list, from: next))]
  }

  private mutating func know(_ waiting: [(input: Input, date: Date)]) -> [Action] {
    standing = .known
    let actions = records.isEmpty ? [] : watch()
    return actions + waiting.flatMap { handle($0.input, at: $0.date) } + [.known]
  }

  /// Starts to receive events. A list without conditions is not created.
  private mutating func watch() -> [Action] {
    guard following == nil else { return [] }
    let request = numbers.next()
    following = request
    defer { isWatching = true }
    return [.send(request, .follow(list: list, receives: true))] + (isWatching ? [] : [.watches])
  }

  // MARK: - Conditions

  private mutating func add(
    _ condition: any CLCondition, _ identifier: String, _ state: State, at date: Date
  ) -> [Action] {
    let old = records[identifier]
    let region = (condition as? CLMonitor.CircularGeographicCondition).flatMap { circle in
      CircleShape(circle.center, circle.radius).flatMap {
        try? Region(identifier: identifier, shape: .circle($0))
      }
    }
    let last = Notification(identifier: identifier, state: state, date: date)
    let order = old?.order ?? newOrder()
    // Pending notifications belong to the previous condition.
    for (number, open) in notifications where open.notice.identifier == identifier {
      notifications[number]?.isCurrent = false
    }
    records[identifier] = Record(condition: condition, last: last, reported: state, order: order, region: region)
    guard let region else {
      if old?.region != nil { changes.append(.remove(identifier)) }
      return refuse(identifier, .conditionUnsupported, at: date) + flush()
    }
    let actions = watch()
    changes.append(.add(MonitoredRegion(region, state: RegionState(state)), by: order))
    return actions + flush() + (obstacles.isEmpty ? [] : refuse(identifier, obstacles, at: date))
  }

  private mutating func flush() -> [Action] {
    guard changing == nil, let request = changes.next() else { return [] }
    let id = numbers.next()
    changing = id
    return [.send(id, request)]
  }

  /// Records and reports that a condition is not monitored, or not at present.
  private mutating func refuse(_ identifier: String, _ obstacles: DiagnosticFlags, at date: Date) -> [Action] {
    let notice = Notification(identifier: identifier, state: .unmonitored, date: date, circumstances: obstacles)
    guard let last = records[identifier]?.last, last.state != .unmonitored || last.circumstances != obstacles else {
      return []
    }
    records[identifier]?.last = notice
    records[identifier]?.reported = .unmonitored
    return [deliver(notice, of: nil)]
  }

  /// Handles a change of the obstacles to all monitoring.
  private mutating func update(_ now: DiagnosticFlags, at date: Date) -> [Action] {
    guard now != obstacles else { return [] }
    obstacles = now
    let watched = identifiers.compactMap { records[$0] }.filter { $0.region != nil }
    guard now.isEmpty else { return watched.flatMap { refuse($0.last.identifier, now, at: date) } }
    // Monitoring continues: the states are requested, because they may have changed without a report.
    for record in watched where record.reported == .unmonitored {
      if let region = record.region { changes.append(.state(region, by: record.order)) }
    }
    return flush()
  }

  // MARK: - The service

  private mutating func receive(
    _ reply: RequestEvent<MonitoringAnswer?>, to request: RequestID, at date: Date
  ) -> [Action] {
    if request == changing {
      changing = nil
      return conclude(changes.receive(reply), at: date) + flush()
    }
    guard request == following else { return [] }
    if case .reply(.event(let happened, list)?) = reply { return receive(happened, at: date) }
    if case .failed = reply { following = nil }
    return []
  }

  private mutating func conclude(_ outcomes: [ListChanges.Outcome], at date: Date) -> [Action] {
    outcomes.flatMap { outcome -> [Action] in
      switch outcome {
      case .added: return []
      case .refused(let region, let order, let failure):
        guard records[region.identifier]?.order == order else { return [] }
        records[region.identifier]?.region = nil
        return refuse(region.identifier, DiagnosticFlags(failure, obstacles), at: date)
      case .state(let region, _, let state):
        guard let state, records[region.identifier]?.reported == .unmonitored else { return [] }
        return determine(region.identifier, State(state), at: date, of: nil)
      }
    }
  }

  private mutating func receive(_ event: MonitoringEvent, at date: Date) -> [Action] {
    if event.id != 0 {
      switch open.state(of: event) {
      case .new: break
      case .open: return []
      case .acknowledged: return [acknowledge(event.id)]
      }
    }
    guard case .region(let identifier) = event.subject, let state = event.kind.state,
      let record = records[identifier], record.reported != State(state)
    else {
      // The condition is no longer monitored, or the event is already known.
      guard event.id != 0 else { return [] }
      open.note(event)
      return [acknowledge(event.id)]
    }
    return determine(identifier, State(state), at: event.time.map { Date($0) } ?? date, of: event)
  }

  private mutating func determine(
    _ identifier: String, _ state: State, at date: Date, of event: MonitoringEvent?
  ) -> [Action] {
    records[identifier]?.reported = state
    return [deliver(Notification(identifier: identifier, state: state, date: date), of: event)]
  }

  private mutating func deliver(_ notice: Notification, of event: MonitoringEvent?) -> Action {
    let number = nextNotification
    nextNotification += 1
    var id: UInt64?
    if let event, event.id != 0 {
      open.begin(event, to: [number])
      id = event.id
    }
    notifications[number] = (notice, id, isCurrent: true)
    return .deliver(notice, number)
  }

  private mutating func handled(_ number: UInt64) -> [Action] {
    guard let (notice, event, isCurrent) = notifications.removeValue(forKey: number) else { return [] }
    // Obstacles to a condition were recorded at once.
    if isCurrent, records[notice.identifier]?.reported != .unmonitored {
      records[notice.identifier]?.last = notice
    }
    guard let event, open.end(event, for: number, isReceived: true) == .acknowledged else { return [] }
    return [acknowledge(event)]
  }

  private mutating func acknowledge(_ event: UInt64) -> Action {
    .send(numbers.next(), .acknowledge(list: list, event: event))
  }

  private mutating func newOrder() -> UInt64 {
    defer { nextOrder += 1 }
    return nextOrder
  }
}

extension CLMonitor.Event.State {
  init(_ state: RegionState) {
    switch state {
    case .unknown: self = .unknown
    case .inside: self = .satisfied
    case .outside: self = .unsatisfied
    }
  }
}

extension RegionState {
  /// The region state for an assumed state of a condition.
  fileprivate init(_ state: CLMonitor.Event.State) {
    switch state {
    case .satisfied: self = .inside
    case .unsatisfied: self = .outside
    default: self = .unknown
    }
  }
}

extension DiagnosticFlags {
  /// The reason why a condition is not monitored.
  fileprivate init(_ failure: LocationFailure, _ known: DiagnosticFlags) {
    switch failure {
    case .monitoring(.tooManyRegions), .monitoring(.tooManyTimedRegions), .monitoring(.tooManyRegionBytes),
      .monitoring(.tooManyLists):
      self = .conditionLimitExceeded
    case .notAuthorized(.needsFullAccuracy, _): self = known.union(.accuracyLimited)
    case .notAuthorized(.servicesOff, _):
      self = known.union([.authorizationDenied, .authorizationDeniedGlobally])
    case .notAuthorized(.restricted, _): self = known.union(.authorizationRestricted)
    case .notAuthorized: self = known.union(.authorizationDenied)
    // The service cannot store the condition, or there is no service.
    default: self = .persistenceUnavailable
    }
  }
}
