import Fleet
import FleetDestinations
import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdRecords
import LocationdService
import Regions
import TestSupport

/// Monitoring in a state folder, on a machine that moves as in a simulated week and whose sources are on while
/// positions are requested. Several services may use one folder, one after another.
final class MonitoringBed {
  /// A state folder, deleted with the last service that uses it.
  final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/monitoring-" + UUID().uuidString
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  static let person = ClientIdentity(userID: 1000)
  static let program = ClientID.process(7)

  let folder: Folder
  private var service: MonitoringService
  /// Answers to requests, and events for followers.
  private(set) var answers: [ServiceEvent] = []
  /// The commands that were to be started, as counted by the store.
  private(set) var launches: [(event: MonitoringEvent, command: CommandToken?)] = []
  private var begun: [UInt64: MonitoringLaunching] = [:]
  private(set) var events: [MonitoringServiceEvent] = []
  private(set) var checkingSince: Double?
  /// The number of seconds for which positions were requested.
  private(set) var lookedFor = 0.0
  /// What may be delivered; `nil`: everything.
  var allowed = MonitoringUses.all
  private var lists: Set<MonitoringListID> = []
  /// Whether there is an agent, which immediately executes its orders.
  var hasAgent = true
  private var pending: [MonitoringReport] = []
  private(set) var time = 0.0
  private var nextRequest: UInt32 = 0
  /// The destinations of positions, with outboxes in the folder; `nil`: there are none.
  private var fleet: FleetService?

  /// - Parameter hasDestinations: whether there are destinations in the folder.
  init(_ folder: Folder = Folder(), at time: Double = 0, outlives: Bool = true, hasDestinations: Bool = false) {
    self.folder = folder
    self.time = time
    var receive: (MonitoringReport) -> Void = { _ in }
    service = MonitoringService(
      folder: folder.path, outlives: outlives, hasDestinations: hasDestinations, present: Self.instant(time),
      clock: { WeekSensor.epoch }, report: { receive($0) })
    receive = { [unowned self] in pending.append($0) }
    if hasDestinations {
      fleet = FleetService(Self.fleetSettings(folder), clock: FleetTime(), at: Self.instant(time)) { [unowned self] in
        if case .recorded(let number) = $0 { recorded.append(number) }
      }
      fleet?.handle(.begin, at: Self.instant(time))
    }
    send(.begin)
  }

  // MARK: - Destinations

  private struct FleetTime: FleetClock {
    var now: FleetIntake.Clock { FleetIntake.Clock(time: WeekSensor.epoch, offset: .zero) }
  }

  private var recorded: [UInt64] = []

  private static func fleetSettings(_ folder: Folder) -> FleetService.Settings {
    FleetService.Settings(
      stateFolder: folder.path + "/destinations", sends: true, isVirtual: false, hasGrid: true, release: "1")
  }

  /// Adds a destination for the events of `person`, before the first bed.
  static func addDestination(in folder: Folder) throws {
    var settings = FleetSettings()
    (settings.sendsEvents, settings.eventUsers) = (true, [person.userID])
    let destination = try FleetDestination(
      name: "van", address: FleetAddress(parsing: "mqtts://h"), settings: settings)
    let fleet = FleetService(fleetSettings(folder), clock: FleetTime(), at: instant(0)) { _ in }
    fleet.handle(.request(.add(destination), RequestID(1), from: program), at: instant(0))
    fleet.handle(.end, at: instant(0))
  }

  /// The events in the outbox, after the last bed.
  static func sentEvents(in folder: Folder) throws -> [FleetEvent] {
    let store = try FleetOutboxStore(
      fleetSettings(folder).stateFolder + "/fleet/van", name: "van", machine: "", keep: 64, bootID: nil)
    return try store.records(after: .start, limit: 1000).records.compactMap { record -> FleetEvent? in
      guard case .event(let event) = record.content else { return nil }
      return event
    }
  }

  /// After a power cut, nothing uses the outboxes any more.
  func endDestinations() { fleet = nil }

  private func execute(_ order: FleetOrder) {
    guard step() else { return }
    fleet?.handle(order, at: Self.instant(time))
    let numbers = recorded
    recorded = []
    for number in numbers { execute(MonitoringOrder.delivered(event: number, .destinations)) }
  }

  static func instant(_ time: Double) -> Instant { WeekSensor.start + .milliseconds(Int(time * 1000)) }

  // MARK: - Power

  /// The power fails before this step, counted from now: an order that is executed, or a report that is received; `nil`: it does
  /// not fail.
  var cutAt: Int? { didSet { steps = 0 } }
  private var steps = 0
  private(set) var isCut = false

  /// Whether there is power for one more step.
  private func step() -> Bool {
    guard !isCut else { return false }
    isCut = steps == cutAt
    steps += 1
    return !isCut
  }

  private func execute(_ order: MonitoringOrder) {
    if step() { service.handle(order, at: Self.instant(time)) }
  }

  // MARK: - Orders and events

  func send(_ order: MonitoringOrder) {
    execute(order)
    settle()
  }

  /// Changes the permission of all lists.
  func allow(_ uses: MonitoringUses) {
    allowed = uses
    for list in lists.sorted() { send(.allowed(list, uses)) }
  }

  /// The answer to a request, after everything else that the request caused.
  @discardableResult
  func ask(
    _ request: MonitoringRequest, as identity: ClientIdentity = person, from client: ClientID = program
  ) -> ServiceEvent? {
    nextRequest += 1
    let before = answers.count
    send(.request(request, RequestID(nextRequest), from: client, of: identity, .granted))
    return answers[before...].first { $0.request == RequestID(nextRequest) }
  }

  /// A fix at a time on the bed's own clock.
  func update(_ fix: PositionFix, at time: Double) {
    self.time = time
    send(.fix(MonitoringFix(fix)))
  }

  private func settle() {
    while !pending.isEmpty {
      let reports = pending
      pending = []
      for report in reports where step() { receive(report) }
    }
  }

  private func receive(_ report: MonitoringReport) {
    switch report {
    case .answer(let event, _): answers.append(event)
    case .wanted(let list, _, let uses, _):
      lists.insert(list)
      if !uses.isEmpty { execute(.allowed(list, allowed)) }
    case .checkPosition(let sufficient):
      if let since = checkingSince { lookedFor += time - since }
      checkingSince = sufficient == nil ? nil : time
    case .launch(let launching):
      guard hasAgent else { return }
      let way: MonitoringDelivery = launching.command == nil ? .notification : .command
      begun[launching.event.id] = launching
      execute(.delivering(event: launching.event.id, way))
    case .counted(let event, let way, let attempt):
      guard let attempt, let launching = begun[event] else { return }
      var delivered = launching.event
      delivered.attempt = attempt
      launches.append((delivered, launching.command))
      execute(.delivered(event: event, way))
    case .event(let event): events.append(event)
    case .happened(let event, let list, let isRepeated):
      guard fleet != nil, let shown = FleetEvent(event) else { return }
      let happening = FleetHappening(event: shown, number: event.id, isRepeated: isRepeated)
      execute(FleetOrder.happened(happening, ofUser: list.identity.userID))
    case .listen, .noted, .notCounted, .reached, .ended: break
    }
  }

  /// The number of seconds until now for which positions were requested.
  var lookedUntilNow: Double { lookedFor + (checkingSince.map { time - $0 } ?? 0) }

  // MARK: - The machine

  /// Advances to a time without any position.
  func live(until end: Double) {
    while let wake = service.nextDeadline.map({ Double(($0 - WeekSensor.start).wholeNanoseconds) / 1e9 }), wake <= end {
      time = max(wake, time)
      service.wake(at: Self.instant(time))
      settle()
    }
    time = max(end, time)
  }

  /// Moves about until a given time. The first position comes some seconds after the request for it, and then one per second, or
  /// the positions that Wi-Fi provides.
  func live(_ week: SimulatedWeek, _ sensor: inout WeekSensor, until end: Double, period: Double = 1) {
    while time < end {
      let wake = service.nextDeadline.map { Double(($0 - WeekSensor.start).wholeNanoseconds) / 1e9 } ?? .infinity
      var next = min(end, max(wake, time))
      if let checkingSince {
        let fixTime = max(checkingSince + 5, (time / period).rounded(.down) * period + period)
        if fixTime <= next {
          time = fixTime
          if let fix = sensor.fix(of: week, at: time) { send(.fix(MonitoringFix(fix))) }
          next = time
        }
      }
      if next > time || wake <= time {
        time = next
        service.wake(at: Self.instant(time))
        settle()
      }
    }
  }
}
