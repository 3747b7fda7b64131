import Geodesy
import LocationIPC
import LocationPolicy
import LocationReplay
import LocationdRecords
import LocationdService

/// A machine in virtual time, with a receiver that is plugged in and unplugged, the service's core, its logs on a real disk, an
/// app, and a clock that is set from outside.
final class TripMachine {
  /// The build date of the program, which must be before the trip.
  private static let built = CalendarDate(year: 2026, month: 3, day: 1)
  /// The interval of the service (`HostedService`).
  private static let savingInterval: Duration = .seconds(600)
  private static let appID = ClientID.process(1)
  private static let reader = ClientID.process(2)
  private static let witness = ClientID.process(3)

  /// Called with each line for the report.
  var onLine: ((String) -> Void)?

  /// The monotonic clock since the machine's last start.
  private(set) var now = Instant(nanoseconds: 0)
  private var bootTime = TripPlan.start
  private var clockError: Duration = .zero

  private var device: TripReceiver?
  private var poweredAt = TripPlan.start
  private var receiver: SimulatedReceiver?
  private var legs: UInt64 = 0
  private(set) var place = SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455)

  private let stateFolder: String
  private var core: ServiceCore?
  private var logs: LogService?
  private var inbox: [ServiceCore.Input] = []
  private var isFeeding = false
  private var recipients: [ClientID: (ServiceEvent) -> Void] = [:]
  private var openLink: LinkID?
  private var memoryFile = ServiceMemory().text
  private var savedAt: GNSSTime?
  private var app = TripApp()
  /// A tracker in place of the app and the logs; `nil`: the app and the logs run.
  private(set) var tracker: TripTracker?
  private(set) var expected = ExpectedTrack()
  private var answers: [ServiceEvent] = []
  private(set) var epochs = 0

  /// - Parameter isTracked: whether a tracker runs as a service, and nothing else.
  init(stateFolder: String, isTracked: Bool = false) {
    self.stateFolder = stateFolder
    if isTracked { tracker = TripTracker() }
  }

  /// The true time.
  var time: GNSSTime { bootTime + (now - Instant(nanoseconds: 0)) }
  private var clock: GNSSTime { time + clockError }

  // MARK: - The route

  func go(_ leg: TripLeg) {
    legs += 1
    if let device {
      var receiver = SimulatedReceiver(
        device.configuration(leg, from: place, at: time, sincePower: time - poweredAt, seed: legs))
      let said = receiver.handle(.powered, at: now)
      self.receiver = receiver
      deliver(said)
    }
    let end = now + .seconds(leg.seconds)
    run(until: end)
    guard leg.metersPerSecond > 0 else { return }
    let distance = leg.metersPerSecond * Double(leg.seconds)
    let course = Angle(degrees: leg.course).radians
    let offset = LocalFrame.Offset(
      eastMeters: distance * Math.sin(course), northMeters: distance * Math.cos(course))
    place = SimulatedPosition(
      coordinate: LocalFrame(origin: place.coordinate).coordinate(at: offset),
      heightAboveEllipsoid: place.heightAboveEllipsoid)
  }

  private var nextDeadline: Instant? {
    [
      receiver?.nextDeadline, core?.nextDeadline, core == nil ? nil : logs?.nextDeadline,
      core == nil ? nil : tracker.map(\.nextDeadline) ?? app.nextDeadline, expected.nextDeadline,
    ].compactMap { $0 }.min()
  }

  private func run(until end: Instant) {
    while let next = nextDeadline, next < end {
      now = max(now, next)
      if let deadline = receiver?.nextDeadline, deadline <= now, let said = receiver?.handle(.wake, at: now) {
        epochs += 1
        deliver(said)
      }
      if let deadline = core?.nextDeadline, deadline <= now { feed(.wake) }
      if let deadline = logs?.nextDeadline, deadline <= now { logs?.wake(at: now) }
      expected.wake(at: now)
      if core != nil, tracker == nil, let deadline = app.nextDeadline, deadline <= now {
        execute(app.react(to: .wake, at: now))
      }
      if core != nil, let deadline = tracker?.nextDeadline, deadline <= now { execute(tracker?.wake(at: now)) }
    }
    now = end
  }

  private func deliver(_ actions: [SimulatedReceiver.Action]) {
    for case .send(let bytes) in actions {
      guard let openLink, let said = core?.receive(bytes.span, on: openLink, at: now) else { continue }
      isFeeding = true
      execute(said)
      drain()
    }
  }

  // MARK: - Events

  func plug(_ device: TripReceiver) {
    self.device = device
    poweredAt = time
    tellDevice()
  }

  func unplug() {
    guard let device else { return }
    self.device = nil
    receiver = nil
    if let openLink {
      self.openLink = nil
      feed(.closed(openLink))
    }
    feed(.deviceVanished(id: device.id, path: device.path))
  }

  func brownOut() { poweredAt = time }
  func loseEra() { device?.hasLostEra = true }
  func setClock(yearsAhead years: Int) { clockError = .seconds(years * 31_557_600) }

  func startService() {
    var memory = ServiceMemory(text: memoryFile)
    if let clock = clock.isBelievable(after: Self.built) ? clock : nil { memory.forgetFuture(of: clock) }
    savedAt = time
    core = ServiceCore(
      ServiceCore.Settings(remembering: memory, clock: clock, built: Self.built, startedAt: now))
    if tracker != nil { return startTracker() }
    let logs = LogService(
      stateFolder: stateFolder, records: true, at: now,
      clock: { [unowned self] in clock.isBelievable(after: Self.built) ? clock : nil },
      report: { [unowned self] in receive($0) })
    self.logs = logs
    recipients[Self.appID] = { [unowned self] in execute(app.receive($0, at: now)) }
    recipients[Self.reader] = { [unowned self] in answers.append($0) }
    recipients[Self.witness] = { [unowned self] in expected.receive($0, at: now) }
    tellDevice()
    feed(.inventoryComplete)
    logs.handle(.begin, at: now)
    if !expected.entries.isEmpty { beginExpecting(isResumption: true) }
    if let request = app.connected(at: now) { feed(.request(Self.appID, request)) }
  }

  private func startTracker() {
    recipients[TripTracker.id] = { [unowned self] in execute(tracker?.receive($0, at: now)) }
    tellDevice()
    feed(.inventoryComplete)
    feed(.presence(TripTracker.id, isInBackground: true))
    execute(tracker?.connected(at: now))
  }

  /// SIGTERM.
  func endService() {
    logs?.handle(.end, at: now)
    expected.end(at: now)
    if let core { memoryFile = core.memory.text }
    stopped()
  }

  /// After this, nothing is written any more.
  func kill() {
    expected.powerFailed()
    stopped()
  }

  private func stopped() {
    tracker?.stopped(at: now)
    core = nil
    logs = nil
    openLink = nil
    recipients = [:]
    inbox = []
  }

  func reboot() {
    let time = time
    bootTime = time
    now = Instant(nanoseconds: 0)
    // The receiver keeps its power from another source.
    receiver = nil
  }

  func foreground(_ isInForeground: Bool) {
    if tracker == nil { execute(app.react(to: .foreground(isInForeground), at: now)) }
  }

  func log(_ request: LogRequest) {
    guard tracker == nil else { return }
    if case .start("every", _, _) = request { beginExpecting(isResumption: false) }
    if case .stop("every") = request { expected.end(at: now) }
    let answer = ask(request)
    guard case .done = answer else { return onLine?("\(request) -> \(String(describing: answer))") ?? () }
  }

  /// The whole track, page by page.
  func read(_ name: String) -> (entries: [TrackEntry], damaged: Int) {
    var request = LogRequest.read(name: name, from: nil, to: nil)
    var entries: [TrackEntry] = []
    var damaged = 0
    while case .log(_, .page(let page))? = ask(request) {
      entries += page.entries
      damaged = page.damaged
      guard let next = page.next else { break }
      request = .readOn(next)
    }
    return (entries, damaged)
  }

  private func ask(_ request: LogRequest) -> ServiceEvent? {
    answers = []
    logs?.handle(.request(request, RequestID(1), from: Self.reader, of: nil), at: now)
    return answers.first
  }

  private func beginExpecting(isResumption: Bool) {
    expected.begin(isResumption: isResumption, at: now)
    feed(.request(Self.witness, .startUpdates(RequestID(1), UpdateOptions(waitsForSource: true))))
  }

  private func tellDevice() {
    guard let device else { return }
    var detectedDevice = DetectedDevice(id: device.id, path: device.path, kind: .receiver)
    detectedDevice.hasStableID = true
    detectedDevice.hasLineSpeed = false
    feed(.deviceAppeared(detectedDevice))
  }

  // MARK: - The service

  private func receive(_ report: LogReport) {
    switch report {
    case .ask(let request, let log, _): feed(.request(log, request))
    case .left(let log): feed(.clientGone(log))
    case .answer(let event, let client): send(event, to: client)
    case .event(let event): say(event)
    case .account, .ended: break
    }
  }

  private func send(_ event: ServiceEvent, to client: ClientID) {
    if case .log = client { logs?.handle(.event(event, for: client), at: now) } else { recipients[client]?(event) }
  }

  private func feed(_ input: ServiceCore.Input) {
    inbox.append(input)
    if !isFeeding { drain() }
  }

  private func drain() {
    isFeeding = true
    while !inbox.isEmpty {
      let input = inbox.removeFirst()
      if let said = core?.handle(input, at: now) { execute(said) }
    }
    isFeeding = false
  }

  private func execute(_ actions: [ServiceCore.Action]) {
    for action in actions {
      switch action {
      case .open(let id, let detectedDevice):
        guard detectedDevice.path == device?.path else {
          inbox.append(.openFailed(id, .cannotOpen(.doesNotExist)))
          continue
        }
        openLink = id
        inbox.append(.opened(id, baud: nil))
      case .close(let id): if openLink == id { openLink = nil }
      case .write(_, let bytes):
        guard let said = receiver?.handle(.received(bytes), at: now) else { continue }
        for case .send(let bytes) in said {
          if let openLink, let said = core?.receive(bytes.span, on: openLink, at: now) { execute(said) }
        }
      case .send(let client, let event): send(event, to: client)
      case .recall(let id, _): inbox.append(.recalled(id, nil))
      case .recallSettings(let id, _): inbox.append(.settingsRecalled(id, nil))
      case .remember: remember()
      case .setSpeed, .changeTrust, .setOwner, .keep, .keepSettings, .leftChanged, .listenToWiFi, .learnPlaces,
        .monitoringFix, .timed:
        break
      }
    }
  }

  private func remember() {
    guard let core, savedAt.map({ time - $0 >= Self.savingInterval }) ?? true else { return }
    savedAt = time
    memoryFile = core.memory.text
  }

  private func execute(_ reaction: TripApp.Reaction) {
    if let line = reaction.line { onLine?(line) }
    if let request = reaction.request { feed(.request(Self.appID, request)) }
  }

  private func execute(_ reaction: TripTracker.Reaction?) {
    for line in reaction?.lines ?? [] { onLine?(line) }
    for request in reaction?.requests ?? [] { feed(.request(TripTracker.id, request)) }
  }

  private func say(_ event: LogServiceEvent) {
    switch event {
    case .recording(let name, let problem): onLine?("log \(name): recorded\(problem.map { ", \($0)" } ?? "")")
    case .stopped(let name): onLine?("log \(name): recorded no more")
    case .missed(let fixes): onLine?("\(fixes) fixes were not recorded")
    case .endLost(let name, let problem): onLine?("log \(name): its end is lost, \(problem)")
    case .setAside(let name): onLine?("the index was set aside as \(name)")
    case .adopted(let name, let isRecorded): onLine?("log \(name): found again\(isRecorded ? ", to be recorded" : "")")
    case .cannotKeep(_, let reason): onLine?("the logs cannot be kept: \(reason)")
    }
  }
}
