import GNSSReceiver
package import Geodesy
import LocationIPC
package import LocationPolicy
package import WireFormats

/// The service without I/O: which receivers are open and for whom, and who is told what.
///
/// A shell feeds it what happened and performs what it answers; the same core runs on an epoll loop and in the virtual time
/// of a replay.
package struct ServiceCore {
  /// More devices than a machine has; further ones are not taken up.
  package static let maximumDevices = 64
  /// More requests at once than a client has a use for.
  package static let maximumRequests = 4096

  package internal(set) var memory: ServiceMemory
  let settings: Settings
  var links: [ReceiverLink] = []
  var works: [ClientWork] = []
  var arbiter = SourceArbiter()
  /// Made with the first fix: an idle service has none.
  lazy var fused = FusedStream()
  package internal(set) var planner = PowerPlanner()
  var wifi = WiFiStanding.absent
  /// What the radio was told last; `nil`: that nobody wants anything.
  var wifiWish: WiFiWish?
  /// Clients at which nobody looks.
  var background: Set<ClientID> = []
  var isInventoryComplete = false
  var sourceless = LocationFailure.noSource
  /// What was asked of the devices before they were known.
  var questions: [(client: ClientID, request: ClientRequest)] = []
  /// Whether positions are noticed, and when one was last.
  var (notices, noticedAt): (Bool, Instant?) = (false, nil)
  /// Whether more requests follow at once: what costs as much as there are requests is done once for all, by `settle`.
  package var gathersRequests = false
  /// Whether requests have come or gone since the sources were planned.
  var hasUnsettledRequests = false
  var nextLinkID = 0
  /// The time of the latest input.
  var present: Instant
  /// The latest complete fix of any receiver in this run, with whether it was tracked.
  var latest: (fix: PositionFix, isTracked: Bool)?

  /// A core that knows of no device yet.
  package init(_ settings: Settings) {
    self.settings = settings
    memory = settings.memory
    present = settings.startedAt
  }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    var next: Instant?
    // By index: an element would be copied out.
    for index in links.indices { next = Self.earlier(next, links[index].nextDeadline) }
    for index in works.indices { next = Self.earlier(next, works[index].nextDeadline) }
    return Self.earlier(next, planner.nextDeadline)
  }

  /// The same without copying the links and works out of `self`, for a host that asks after every few bytes.
  package mutating func earliestDeadline() -> Instant? {
    var next: Instant?
    for index in links.indices { next = Self.earlier(next, links[index].earliestDeadline()) }
    for index in works.indices { next = Self.earlier(next, works[index].earliestDeadline()) }
    return Self.earlier(next, planner.nextDeadline)
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
    case .sourceless(let failure): sourceless = failure
    case .inventoryComplete:
      isInventoryComplete = true
      answerQuestions(&actions)
      tellSources(at: now, &actions)
    case .opened(let id, let baud): opened(id, baud: baud, at: now, &actions)
    case .openFailed(let id, let problem): openFailed(id, problem, at: now, &actions)
    case .portFreed(let id):
      guard let index = index(of: id), links[index].isWaitingForOthers else { break }
      links[index].port = .closed
      openWanted(at: now, &actions)
    case .closed(let id): closed(id, at: now, &actions)
    case .ended(let id, let problem):
      guard let index = index(of: id) else { break }
      perform(links[index].withSession { $0.handle(.ended, at: now) }, of: index, at: now, &actions)
      links[index].port = .ended(problem: problem)
      // The end of the last recording is no loss, but the end.
      if links.allSatisfy(\.isOver) {
        let failure = outlook.noSource
        forEachWork(at: now, &actions) { $0.end(with: failure) }
      } else {
        tellSources(at: now, &actions)
      }
    case .request(let client, let request): take(request, from: client, at: now, &actions)
    case .recalled(let id, let data): help(id, with: data, at: now, &actions)
    case .settingsRecalled(let id, let settings): inherit(settings, on: id, at: now, &actions)
    case .presence(let client, let isInBackground):
      if isInBackground { background.insert(client) } else { background.remove(client) }
      plan(at: now)
      openWanted(at: now, &actions)
    case .clientGone(let client):
      background.remove(client)
      questions.removeAll { $0.client == client }
      end(at: now, &actions) { $0.client == client }
    case .trustChanged(let client, let request, let failure), .ownerSet(let client, let request, let failure):
      actions.append(.send(client, failure.map { .failed(request, $0) } ?? .done(request)))
    case .wifiChanged(let isThere): wifiChanged(isThere: isThere, at: now, &actions)
    case .scanned(let scan): scanned(scan, at: now, &actions)
    case .notices(let isWanted): (notices, noticedAt) = (isWanted, nil)
    case .remembered(let memory): takeRemembered(memory, at: now, &actions)
    case .wake: wake(at: now, &actions)
    }
    return actions
  }

  /// Takes bytes that a receiver sent.
  package mutating func receive(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant) -> [Action] {
    hear(id, at: now) { $0.receive(bytes, at: now) }
  }

  /// Takes what gpsd says of a receiver, in its place.
  package mutating func receive(_ report: GPSDMessage, on id: LinkID, at now: Instant) -> [Action] {
    hear(id, at: now) { $0.receive(report, at: now) }
  }

  private mutating func hear(
    _ id: LinkID, at now: Instant, _ body: (inout ReceiverSession) -> [ReceiverSession.Action]
  ) -> [Action] {
    present = now
    guard let index = index(of: id), case .open(let receiver) = links[index].port else { return [] }
    receiver.session.sendsPrompts = works.indices.contains { !works[$0].isStream }
    let said = body(&receiver.session)
    guard !said.isEmpty else { return [] }
    var actions: [Action] = []
    perform(said, of: index, at: now, &actions)
    return actions
  }

  /// Asked when all that had come is received: until when the receiver's next bytes may lie unread; `nil`: they are wanted
  /// at once.
  package mutating func rest(of id: LinkID, at now: Instant) -> Instant? {
    // Who waits for one fix gets it before the epoch's end.
    guard works.allSatisfy(\.isStream), let index = index(of: id) else { return nil }
    return links[index].rest(at: now)
  }

  mutating func wake(at now: Instant, _ actions: inout [Action]) {
    for index in links.indices {
      if case .failed(_, let retryAt?) = links[index].port, now >= retryAt {
        links[index].port = .closed
      }
      let said = links[index].withSession { $0.handle(.wake, at: now) }
      perform(said, of: index, at: now, &actions)
    }
    closeReleased(at: now, &actions)
    _ = planner.handle(.wake, at: now)
    forEachWork(at: now, &actions) { $0.wake(at: now) }
    openWanted(at: now, &actions)
  }

  var outlook: LinkOutlook { LinkOutlook(links, sourceless: sourceless, wifi: wifi) }

  /// What may be said of one receiver alone; `nil`: of all.
  func outlook(of device: String?) -> LinkOutlook {
    guard let device else { return outlook }
    return outlook.of(device)
  }

  /// Whether a device has been told of.
  package func knows(_ sighting: DeviceSighting) -> Bool {
    links.contains { $0.sighting.id == sighting.id && $0.sighting.path == sighting.path }
  }

  /// Whether a device's port is open, being opened, or about to be closed.
  package func holdsPort(of deviceID: String) -> Bool {
    links.contains { $0.sighting.id == deviceID && $0.holdsPort }
  }

  /// Where a device is.
  package func path(of id: LinkID) -> String? { links.first { $0.id == id }?.sighting.path }

  /// The ports that are open, and their present speeds where they have any.
  package var openPorts: [(id: LinkID, device: DeviceSighting, baud: Int?)] {
    links.compactMap { link in
      guard case .open(let receiver) = link.port else { return nil }
      return (link.id, link.sighting, receiver.session.speed)
    }
  }

  func index(of id: LinkID) -> Int? { links.firstIndex { $0.id == id } }

  static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
