import GNSSReceiver
package import Geodesy
import LocationIPC
import LocationPolicy

/// The service without I/O: which receivers are open and for whom, and who is told what.
///
/// A shell feeds it what happened and performs what it answers; the same core runs on an epoll loop and in the virtual time
/// of a replay.
package struct ServiceCore {
  /// More devices than a machine has; further ones are not taken up.
  package static let maximumDevices = 64
  /// More requests at once than a client has a use for.
  package static let maximumRequests = 256

  package private(set) var memory: ServiceMemory
  private let settings: Settings
  private var links: [ReceiverLink] = []
  private var works: [ClientWork] = []
  private var arbiter = SourceArbiter()
  private var isInventoryComplete = false
  private var nextLinkID = 0
  /// The time of the latest input.
  private var present: Instant
  /// The latest complete fix of any receiver in this run, with whether it was tracked.
  private var latest: (fix: PositionFix, isTracked: Bool)?

  /// A core that knows of no device yet.
  package init(_ settings: Settings) {
    self.settings = settings
    memory = settings.memory
    present = settings.startedAt
  }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    var next: Instant?
    for link in links { next = earlier(next, link.nextDeadline) }
    for work in works { next = earlier(next, work.nextDeadline) }
    return next
  }

  /// Whether any request is under way.
  package var isBusy: Bool { !works.isEmpty }

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    present = now
    var actions: [Action] = []
    switch input {
    case .deviceAppeared(let sighting): appeared(sighting, at: now, &actions)
    case .deviceVanished(let id, let path): vanished(id, from: path, at: now, &actions)
    case .inventoryComplete:
      isInventoryComplete = true
      tellSources(at: now, &actions)
    case .opened(let id, let baud): opened(id, baud: baud, at: now, &actions)
    case .openFailed(let id, let problem): openFailed(id, problem, at: now, &actions)
    case .portFreed(let id):
      guard let index = index(of: id), case .waiting = links[index].port else { break }
      links[index].port = .closed
      openWanted(at: now, &actions)
    case .closed(let id): closed(id, at: now, &actions)
    case .ended(let id, let problem):
      guard let index = index(of: id) else { break }
      links[index].port = .ended(problem: problem)
      tellSources(at: now, &actions)
      if links.allSatisfy(\.isOver) {
        let failure = LinkOutlook(links: links).noSource
        forEachWork(at: now, &actions) { $0.end(with: failure) }
      }
    case .request(let client, let request): take(request, from: client, at: now, &actions)
    case .clientGone(let client):
      end(at: now, &actions) { $0.client == client }
    case .trustChanged(let client, let request, let failure):
      actions.append(.send(client, failure.map { .failed(request, $0) } ?? .done(request)))
    case .wake: wake(at: now, &actions)
    }
    return actions
  }

  /// Takes bytes that a receiver sent.
  package mutating func receive(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant) -> [Action] {
    present = now
    guard let index = index(of: id) else { return [] }
    let said = links[index].withSession { $0.receive(bytes, at: now) }
    guard !said.isEmpty else { return [] }
    var actions: [Action] = []
    perform(said, of: index, at: now, &actions)
    return actions
  }

  // MARK: - Devices

  private mutating func appeared(_ sighting: DeviceSighting, at now: Instant, _ actions: inout [Action]) {
    if let index = links.firstIndex(where: { $0.sighting.id == sighting.id }) {
      let old = links[index].sighting
      links[index].sighting = sighting
      if old.path != sighting.path {
        // The same receiver under another name: the old port is dead even where nobody has said so yet.
        if case .open = links[index].port { actions.append(.close(links[index].id)) }
        links[index].port = .closed
      } else if case .failed = links[index].port {
        links[index].port = .closed
      }
      links[index].failures = 0
    } else {
      guard links.count < Self.maximumDevices else { return }
      links.append(ReceiverLink(id: LinkID(nextLinkID), sighting: sighting))
      nextLinkID += 1
    }
    openWanted(at: now, &actions)
    tellSources(at: now, &actions)
  }

  private mutating func vanished(_ id: String, from path: String, at now: Instant, _ actions: inout [Action]) {
    guard let index = links.firstIndex(where: { $0.sighting.id == id && $0.sighting.path == path }) else { return }
    if case .open = links[index].port { actions.append(.close(links[index].id)) }
    arbiter.forget(links[index].id)
    links.remove(at: index)
    tellSources(at: now, &actions)
  }

  /// Opens what is wanted and not open, closes what is open and not wanted.
  private mutating func openWanted(at now: Instant, _ actions: inout [Action]) {
    for index in links.indices {
      switch links[index].port {
      case .closed where isBusy && links[index].isUsable:
        links[index].port = .opening
        actions.append(.open(links[index].id, links[index].sighting))
      case .open where !(isBusy && links[index].isUsable), .waiting where !(isBusy && links[index].isUsable):
        actions.append(.close(links[index].id))
        links[index].port = .closed
      case .closed, .opening, .waiting, .open, .failed, .ended: break
      }
    }
  }

  private mutating func opened(_ id: LinkID, baud: Int?, at now: Instant, _ actions: inout [Action]) {
    guard let index = index(of: id), case .opening = links[index].port else {
      actions.append(.close(id))
      return
    }
    var session = ReceiverSession(receiverSettings(for: links[index].sighting, at: now))
    let said = session.handle(.opened(baud: baud), at: now)
    links[index].port = .open(session)
    links[index].hasBeenOpen = true
    links[index].lastEpoch = nil
    links[index].heardNothing = nil
    perform(said, of: index, at: now, &actions)
    openWanted(at: now, &actions)
  }

  private func receiverSettings(for sighting: DeviceSighting, at now: Instant) -> ReceiverSettings {
    var receiver = ReceiverSettings(device: sighting.path)
    receiver.identity = sighting.hasStableID ? sighting.id : nil
    receiver.lastGoodSpeed = sighting.namedSpeed ?? memory.speed(of: sighting.id)
    receiver.mayPoll = sighting.mayPoll
    receiver.isUblox = sighting.usbVendorID == DeviceSighting.ubloxVendorID
    receiver.isSimulated = sighting.isSimulated
    receiver.hasLineSpeed = sighting.hasLineSpeed
    receiver.eraFloor = settings.eraFloor
    receiver.wallClock = settings.wallClock
    receiver.wallClockReadAt = settings.startedAt
    return receiver
  }

  private mutating func openFailed(
    _ id: LinkID, _ problem: OpenProblem, at now: Instant, _ actions: inout [Action]
  ) {
    guard let index = index(of: id) else { return }
    switch problem {
    case .lockedByOwn(let pid):
      links[index].port = .waiting(holder: pid)
      tellProgress(.waitingForPort(path: links[index].sighting.path), &actions)
    case .cannotOpen(.vanished), .cannotOpen(.doesNotExist), .cannotOpen(.system):
      links[index].failedToOpen(problem, at: now)
    case .inUse, .permissionDenied, .cannotOpen:
      links[index].port = .failed(problem, retryAt: nil)
    }
    openWanted(at: now, &actions)
    tellSources(at: now, &actions)
  }

  private mutating func closed(_ id: LinkID, at now: Instant, _ actions: inout [Action]) {
    guard let index = index(of: id) else { return }
    links[index].failedToOpen(.cannotOpen(.vanished), at: now)
    tellSources(at: now, &actions)
  }

  // MARK: - Receivers

  private mutating func perform(
    _ said: [ReceiverSession.Action], of index: Int, at now: Instant, _ actions: inout [Action]
  ) {
    let id = links[index].id
    let path = links[index].sighting.path
    for action in said {
      switch action {
      case .setSpeed(let baud): actions.append(.setSpeed(id, baud: baud))
      case .write(let bytes): actions.append(.write(id, bytes))
      case .epoch(let epoch): take(epoch, of: index, at: now, &actions)
      case .identified(let identity): links[index].identity = identity
      case .speedFound(let baud):
        links[index].failures = 0
        links[index].heardNothing = nil
        if links[index].sighting.hasLineSpeed, memory.remember(speed: baud, of: links[index].sighting.id) {
          actions.append(.remember)
        }
      case .stateChanged(let state):
        links[index].state = state
        if case .hunting(let baud) = state {
          tellProgress(.listening(path: path, baud: links[index].sighting.hasLineSpeed ? baud : nil), &actions)
        }
      case .nothingHeard(let bytes, let speeds):
        links[index].heardNothing = ReceiverLink.SilentHunt(bytes: bytes, speeds: speeds)
        failUnheard(at: now, &actions)
      case .reopen:
        actions.append(.close(id))
        links[index].failedToOpen(.cannotOpen(.vanished), at: now)
        tellSources(at: now, &actions)
      }
    }
  }

  private mutating func take(_ epoch: GNSSEpoch, of index: Int, at now: Instant, _ actions: inout [Action]) {
    let id = links[index].id
    if epoch.stage == .complete {
      links[index].lastEpoch = epoch
      links[index].failures = 0
      if epoch.fix == nil {
        let sky = epoch.sky
        tellProgress(
          .searching(path: links[index].sighting.path, satellitesInView: sky.inView, satellitesUsed: sky.used), &actions
        )
        forEachWork(at: now, &actions) { $0.noFix(heard: sky.heard ?? sky.inView, at: now) }
      }
    }
    guard let fix = epoch.fix else { return }
    if epoch.stage == .complete { keep(fix, isTracked: epoch.isTracked, &actions) }
    let isStreamed = epoch.stage == .complete && arbiter.accepts(fix, from: id, at: now)
    forEachWork(at: now, &actions) { $0.take(fix, epoch: epoch, isStreamed: isStreamed, at: now) }
    if isBusy, epoch.stage == .complete {
      tellProgress(.converging(radius68Meters: fix.horizontalRadius68.value), &actions)
    }
  }

  /// Keeps the latest believable fix for the next request and the next run.
  private mutating func keep(_ fix: PositionFix, isTracked: Bool, _ actions: inout [Action]) {
    guard fix.suspicion == nil else { return }
    latest = (fix, isTracked)
    guard !fix.isSimulated else { return }
    memory.lastFix = fix
    if fix.timeValidity == .confirmed, isPlausible(fix.time) {
      memory.lastGoodTime = max(fix.time, memory.lastGoodTime ?? fix.time)
    }
    actions.append(.remember)
  }

  /// Whether a time may become the floor below which no later one is believed: a jammed receiver's year 2050 must not. It is
  /// near the machine's clock, or, where that cannot be trusted, not ten years beyond what is certain.
  private func isPlausible(_ time: GNSSTime) -> Bool {
    if let wallClock = settings.wallClock {
      return time - (wallClock + (present - settings.startedAt)) < .seconds(86_400)
    }
    guard let floor = settings.eraFloor, let date = time.date else { return false }
    return date.daysSince1970 - floor.daysSince1970 < 3652
  }

  // MARK: - Clients

  private mutating func take(
    _ request: ClientRequest, from client: ClientID, at now: Instant, _ actions: inout [Action]
  ) {
    switch request {
    case .locate(let id, let options):
      begin(ClientWork(client: client, request: id, oneShot: options), at: now, &actions) {
        $0.start(latest: $1?.fix, isTracked: $1?.isTracked ?? false, at: now)
      }
    case .startUpdates(let id, let options):
      begin(ClientWork(client: client, request: id, updates: options), at: now, &actions) { work, _ in
        work.start(latest: nil, isTracked: false, at: now)
      }
    case .cancel(let id):
      end(at: now, &actions) { $0.client == client && $0.request == id }
    case .listDevices(let id):
      actions.append(.send(client, .devices(id, links.map(\.description))))
    case .trustDevice(let id, let selector): changeTrust(client, id, selector, isTrusted: true, &actions)
    case .forgetDevice(let id, let selector): changeTrust(client, id, selector, isTrusted: false, &actions)
    }
  }

  private func changeTrust(
    _ client: ClientID, _ request: RequestID, _ selector: String, isTrusted: Bool, _ actions: inout [Action]
  ) {
    let adapters = links.map(\.sighting).filter { $0.kind != .receiver }
    guard let device = adapters.first(where: { $0.id == selector || $0.path == selector }) else {
      let failure = LocationFailure.unknownDevice(selector: selector, known: adapters.map(\.id))
      actions.append(.send(client, .failed(request, failure)))
      return
    }
    actions.append(.changeTrust(client, request, deviceID: device.id, isTrusted: isTrusted))
  }

  private mutating func begin(
    _ work: ClientWork, at now: Instant, _ actions: inout [Action],
    _ start: (inout ClientWork, (fix: PositionFix, isTracked: Bool)?) -> [ClientWork.Outcome]
  ) {
    guard works.count < Self.maximumRequests else {
      actions.append(.send(work.client, .failed(work.request, .tooManyRequests(limit: Self.maximumRequests))))
      return
    }
    var work = work
    let outcomes = start(&work, latest)
    works.append(work)
    carryOut(outcomes, of: works.count - 1, &actions)
    sweep(at: now, &actions)
    tellSources(at: now, &actions)
  }

  private mutating func end(at now: Instant, _ actions: inout [Action], where isOver: (ClientWork) -> Bool) {
    works.removeAll(where: isOver)
    openWanted(at: now, &actions)
  }

  private mutating func wake(at now: Instant, _ actions: inout [Action]) {
    for index in links.indices {
      if case .failed(_, let retryAt?) = links[index].port, now >= retryAt {
        links[index].port = .closed
      }
      let said = links[index].withSession { $0.handle(.wake, at: now) }
      perform(said, of: index, at: now, &actions)
    }
    forEachWork(at: now, &actions) { $0.wake(at: now) }
    openWanted(at: now, &actions)
  }

  /// Tells every request whether a position may still come from anywhere.
  private mutating func tellSources(at now: Instant, _ actions: inout [Action]) {
    guard isInventoryComplete else { return }
    let isAvailable = links.contains(where: \.isPromising)
    if !isAvailable { tellProgress(.waitingForSource, &actions) }
    forEachWork(at: now, &actions) { $0.sourcesChanged(available: isAvailable, at: now) }
  }

  /// Ends the requests that only wait for receivers of which none has said a word at any speed.
  private mutating func failUnheard(at now: Instant, _ actions: inout [Action]) {
    guard !links.contains(where: \.isPromising) else { return }
    let failure = LinkOutlook(links: links).noSource
    forEachWork(at: now, &actions) { $0.failUnlessPatient(failure) }
  }

  private mutating func tellProgress(_ progress: LocationProgress, _ actions: inout [Action]) {
    for index in works.indices where works[index].progress != progress {
      works[index].progress = progress
      actions.append(.send(works[index].client, .progress(works[index].request, progress)))
    }
  }

  private mutating func forEachWork(
    at now: Instant, _ actions: inout [Action], _ body: (inout ClientWork) -> [ClientWork.Outcome]
  ) {
    for index in works.indices {
      let outcomes = body(&works[index])
      if !outcomes.isEmpty { carryOut(outcomes, of: index, &actions) }
    }
    sweep(at: now, &actions)
  }

  /// Tells the client what its work came to.
  private func carryOut(_ outcomes: [ClientWork.Outcome], of index: Int, _ actions: inout [Action]) {
    let work = works[index]
    for outcome in outcomes {
      switch outcome {
      case .tell(let event): actions.append(.send(work.client, event))
      case .failed(let reason): actions.append(.send(work.client, failure(of: work, reason)))
      }
    }
  }

  /// A failure in the client's terms, or the last known fix where the client takes that instead.
  private func failure(of work: ClientWork, _ reason: ClientWork.FailureReason) -> ServiceEvent {
    if work.acceptsLastKnown, let (fix, age) = lastKnown() {
      return .located(work.request, fix.grown(to: present), age: age, isCached: true)
    }
    let outlook = LinkOutlook(links: links)
    return switch reason {
    case .oneShot(let failure): .failed(work.request, outlook.failure(for: failure))
    case .noSource: .failed(work.request, outlook.noSource)
    case .known(let failure): .failed(work.request, failure)
    }
  }

  /// The last known fix of this run, or of an earlier one; without a clock nobody knows how old that is.
  private func lastKnown() -> (fix: PositionFix, age: Duration)? {
    if let fix = latest?.fix { return (fix, fix.age(at: present)) }
    guard var fix = memory.lastFix, let wallClock = settings.wallClock else { return nil }
    let age = max(.zero, wallClock + (present - settings.startedAt) - fix.time)
    // Its arrival belongs to another run's clock; the same age on this one makes it grow alike.
    fix.receivedAt = present - age
    return (fix, age)
  }

  /// Removes what is over, and closes the receivers that nobody needs any more.
  private mutating func sweep(at now: Instant, _ actions: inout [Action]) {
    works.removeAll(where: \.isOver)
    openWanted(at: now, &actions)
  }

  private func index(of id: LinkID) -> Int? { links.firstIndex { $0.id == id } }

  private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
