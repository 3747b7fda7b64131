import GNSSReceiver
package import Geodesy
import LocationIPC
package import LocationPolicy
package import WireFormats

/// The service without I/O: which receivers are open and for whom, and which events each client receives.
///
/// A shell passes it inputs and executes the resulting actions; the same core runs on an epoll loop and in the virtual time of a
/// replay.
package struct ServiceCore {
  /// More devices than any machine has; further ones are ignored.
  package static let maximumDevices = 64
  /// Maximum number of simultaneous requests of all clients, more than they need; further ones fail.
  package static let maximumRequests = 4096

  package internal(set) var memory: ServiceMemory
  let settings: Settings
  var links: [ReceiverLink] = []
  var works: [ClientWork] = []
  var arbiter = SourceArbiter()
  /// The named receivers and their order.
  var preferences: ReceiverPreferences
  /// Created with the first fix: an idle service has none.
  lazy var fused = FusedStream()
  package internal(set) var planner = PowerPlanner()
  var wifi = WiFiAvailability.absent
  /// The requirement that was last sent to the radio; `nil`: scans are not needed.
  var wifiRequirement: WiFiRequirement?
  /// Clients in the background.
  var background: Set<ClientID> = []
  var isInventoryComplete = false
  var sourceless = LocationFailure.noSource
  /// Requests about devices that arrived before the devices were known.
  var questions: [(client: ClientID, request: ClientRequest)] = []
  /// Which receivers get corrections; `nil`: none are configured.
  var corrections: CorrectionUse?
  /// Whether monitoring needs positions, and when the last one was sent.
  var (isFeedingMonitoring, monitoringFixSentAt): (Bool, Instant?) = (false, nil)
  /// Whether the machine's clocks get the receivers' time.
  var isTiming = false
  /// Whether more requests follow at once: work that grows with the number of requests is done once for all, by `settleRequests`.
  package var gathersRequests = false
  /// Whether requests have started or ended since the sources were planned.
  var hasUnsettledRequests = false
  var nextLinkID = 0
  /// The time of the latest input.
  var present: Instant
  /// The latest credible fix of this run, of a complete epoch or by Wi-Fi, and whether its receiver had converged.
  var latest: (fix: PositionFix, isTracked: Bool)?

  /// A core that knows no device yet.
  package init(_ settings: Settings) {
    self.settings = settings
    memory = settings.memory
    preferences = settings.preferences
    present = settings.startedAt
  }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    var next: Instant?
    // By index, because iterating would copy each element.
    for index in links.indices { next = Instant.earlier(next, links[index].nextDeadline) }
    for index in works.indices { next = Instant.earlier(next, works[index].nextDeadline) }
    return Instant.earlier(next, planner.nextDeadline)
  }

  /// The same as `nextDeadline` without copying the links and works out of `self`, for a host that needs it after every
  /// few bytes.
  package mutating func earliestDeadline() -> Instant? {
    var next: Instant?
    for index in links.indices { next = Instant.earlier(next, links[index].earliestDeadline()) }
    for index in works.indices { next = Instant.earlier(next, works[index].earliestDeadline()) }
    return Instant.earlier(next, planner.nextDeadline)
  }

  /// Whether any request is under way.
  package var isBusy: Bool { !works.isEmpty }

  /// Handles one input and returns the actions that follow.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    present = now
    var actions: [Action] = []
    switch input {
    case .deviceAppeared(let detectedDevice): appeared(detectedDevice, at: now, &actions)
    case .deviceVanished(let id, let path): vanished(id, from: path, at: now, &actions)
    case .sourceless(let failure): sourceless = failure
    case .inventoryComplete:
      isInventoryComplete = true
      answerQuestions(&actions)
      notifySourceAvailability(at: now, &actions)
    case .opened(let id, let baud): opened(id, baud: baud, at: now, &actions)
    case .openFailed(let id, let problem): openFailed(id, problem, at: now, &actions)
    case .portFreed(let id):
      guard let index = index(of: id), links[index].isWaitingForOthers else { break }
      links[index].port = .closed
      openWanted(at: now, &actions)
    case .closed(let id): closed(id, at: now, &actions)
    case .ended(let id, let problem):
      guard let index = index(of: id) else { break }
      execute(links[index].withSession { $0.handle(.ended, at: now) }, of: index, at: now, &actions)
      links[index].port = .ended(problem: problem)
      // The end of the last recording is the end of all requests, and not the loss of a source.
      if links.allSatisfy(\.isOver) {
        let failure = outlook.noSource
        forEachWork(at: now, &actions) { $0.end(with: failure) }
      } else {
        notifySourceAvailability(at: now, &actions)
      }
    case .request(let client, let request): receive(request, from: client, at: now, &actions)
    case .recalled(let id, let data): help(id, with: data, at: now, &actions)
    case .settingsRecalled(let id, let settings): restore(settings, on: id, at: now, &actions)
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
    case .prefer(let preferences): prefer(preferences)
    case .useCorrections(let use):
      corrections = use
      sendConfigurationRequest(at: now, &actions)
    case .setMonitoringFeed(let isWanted): (isFeedingMonitoring, monitoringFixSentAt) = (isWanted, nil)
    case .setTiming(let isTiming): setTiming(isTiming, at: now, &actions)
    case .remembered(let memory): takeRemembered(memory, at: now, &actions)
    case .wake: wake(at: now, &actions)
    }
    return actions
  }

  /// Handles bytes that a receiver sent.
  package mutating func receive(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant) -> [Action] {
    receive(id, at: now) { $0.receive(bytes, at: now) }
  }

  /// Handles gpsd's report about a receiver, in place of the receiver's bytes.
  package mutating func receive(_ report: GPSDMessage, on id: LinkID, at now: Instant) -> [Action] {
    receive(id, at: now) { $0.receive(report, at: now) }
  }

  private mutating func receive(
    _ id: LinkID, at now: Instant, _ body: (inout ReceiverSession) -> [ReceiverSession.Action]
  ) -> [Action] {
    present = now
    guard let index = index(of: id), case .open(let receiver) = links[index].port else { return [] }
    receiver.session.sendsPrompts = works.indices.contains { !works[$0].isStream }
    receiver.session.asksLeapSeconds = isTiming
    let said = body(&receiver.session)
    guard !said.isEmpty else { return [] }
    var actions: [Action] = []
    execute(said, of: index, at: now, &actions)
    return actions
  }

  /// Called when all available bytes have been received. Returns until when the receiver's next bytes may stay unread; `nil`: they
  /// must be read at once.
  package mutating func rest(of id: LinkID, at now: Instant) -> Instant? {
    // A request for one fix is answered before the end of the epoch.
    guard works.allSatisfy(\.isStream), let index = index(of: id) else { return nil }
    return links[index].rest(at: now)
  }

  mutating func wake(at now: Instant, _ actions: inout [Action]) {
    endAbsences(at: now, &actions)
    for index in links.indices {
      if case .failed(_, let retryAt?) = links[index].port, now >= retryAt {
        links[index].port = .closed
      }
      let said = links[index].withSession { $0.handle(.wake, at: now) }
      execute(said, of: index, at: now, &actions)
    }
    closeReleased(at: now, &actions)
    _ = planner.handle(.wake, at: now)
    forEachWork(at: now, &actions) { $0.wake(at: now) }
    openWanted(at: now, &actions)
  }

  var outlook: FailureExplanation { FailureExplanation(links, sourceless: sourceless, wifi: wifi) }

  /// The explanation for one receiver alone; `nil`: for all receivers.
  func outlook(of device: String?) -> FailureExplanation {
    guard let device else { return outlook }
    return outlook.of(device)
  }

  /// Whether a device has been reported, at that path.
  package func knows(_ detectedDevice: DetectedDevice) -> Bool {
    links.contains { $0.detectedDevice.id == detectedDevice.id && $0.detectedDevice.path == detectedDevice.path }
  }

  /// Whether a device's port is open, being opened, or about to be closed.
  package func holdsPort(of deviceID: String) -> Bool {
    links.contains { $0.detectedDevice.id == deviceID && $0.holdsPort }
  }

  /// The path of a device.
  package func path(of id: LinkID) -> String? { links.first { $0.id == id }?.detectedDevice.path }

  /// The open ports, and their current baud rates if they have one.
  package var openPorts: [(id: LinkID, device: DetectedDevice, baud: Int?)] {
    links.compactMap { link in
      guard case .open(let receiver) = link.port else { return nil }
      return (link.id, link.detectedDevice, receiver.session.speed)
    }
  }

  func index(of id: LinkID) -> Int? { links.firstIndex { $0.id == id } }
}
