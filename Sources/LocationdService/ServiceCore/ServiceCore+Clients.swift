import GNSSReceiver
package import Geodesy
package import LocationIPC
package import LocationPolicy

/// The requests of the clients, and the events that they receive.
extension ServiceCore {
  mutating func receive(
    _ request: ClientRequest, from client: ClientID, at now: Instant, _ actions: inout [Action]
  ) {
    switch request {
    case .locate(let id, let options):
      begin(ClientWork(client: client, request: id, oneShot: options), at: now, &actions) {
        $0.start(latest: $1?.fix, isTracked: $1?.isTracked ?? false, at: now)
      }
    case .startUpdates(let id, let options):
      begin(ClientWork(client: client, request: id, updates: options), at: now, &actions) {
        $0.start(latest: $1?.fix, isTracked: false, at: now)
      }
    case .watchSky(let id, let waits):
      begin(ClientWork(client: client, request: id, skyWaitsForSource: waits), at: now, &actions) { work, _ in
        work.start(latest: nil, isTracked: false, at: now)
      }
    case .cancel(let id):
      questions.removeAll { $0.client == client && $0.request.id == id }
      end(at: now, &actions) { $0.client == client && $0.request == id }
    case .listDevices(let id), .trustDevice(let id, _), .forgetDevice(let id, _), .setOwner(let id, _, _),
      .status(let id):
      guard questions.count < Self.maximumRequests else {
        return actions.append(.send(client, .failed(id, .tooManyRequests(limit: Self.maximumRequests))))
      }
      questions.append((client, request))
      if isInventoryComplete { answerQuestions(&actions) }
    // Handled outside the core: the logs have a service of their own, `.listenIn` receives data at the ports, and the gate defers
    // updates.
    case .log, .listenIn, .authorization, .wifi, .monitoring, .time, .fleet, .places, .deferUpdates: break
    }
  }

  /// Answers the requests about devices, once it is known which devices are present.
  mutating func answerQuestions(_ actions: inout [Action]) {
    for (client, request) in questions {
      switch request {
      case .listDevices(let id): actions.append(.send(client, .devices(id, links.map(\.description))))
      case .trustDevice(let id, let selector): changeTrust(client, id, selector, isTrusted: true, &actions)
      case .forgetDevice(let id, let selector): changeTrust(client, id, selector, isTrusted: false, &actions)
      case .setOwner(let id, let selector, let owner): setOwner(client, id, selector, owner, &actions)
      case .status(let id): actions.append(.send(client, .status(id, status)))
      case .locate, .startUpdates, .watchSky, .listenIn, .cancel, .log, .authorization, .wifi, .monitoring, .time,
        .fleet, .places, .deferUpdates:
        break
      }
    }
    questions.removeAll()
  }

  /// The detected devices.
  package var devices: [DeviceDescription] { links.map(\.description) }

  /// The same without a copy of the core, for a host that needs them after every epoch.
  package mutating func currentDevices() -> [DeviceDescription] { devices }

  /// Whether it is certain that there is no receiver, working or not. An adapter that is not trusted does not count as a receiver.
  package var lacksReceiver: Bool { isInventoryComplete && links.allSatisfy { $0.description.kind == .adapter } }

  /// The part of the status that the core knows; its host adds the rest.
  var status: ServiceStatus {
    var status = ServiceStatus(source: "")
    status.devices = devices
    let last = lastKnown()
    status.lastFixAge = last?.age
    status.lastFixRadius68 = last?.fix.horizontalRadius68
    let receiving = links.filter(\.description.state.isReceiving)
    if let link = receiving.first(where: \.hasFix) ?? receiving.first {
      (status.satellitesUsed, status.satellitesInView) = (link.satellites.used, link.satellites.inView)
    }
    status.plan = planner.plan
    return status
  }

  /// The active requests of a client, by kind.
  package func wants(of client: ClientID) -> (oneShots: Int, streams: Int, skies: Int) {
    var wants = (oneShots: 0, streams: 0, skies: 0)
    for work in works where work.client == client {
      if work.watchesSky { wants.skies += 1 } else if work.isStream { wants.streams += 1 } else { wants.oneShots += 1 }
    }
    return wants
  }

  func changeTrust(
    _ client: ClientID, _ request: RequestID, _ selector: String, isTrusted: Bool, _ actions: inout [Action]
  ) {
    let adapters = links.map(\.detectedDevice).filter { $0.kind != .receiver }
    guard let device = adapters.first(where: { $0.matches(selector: selector) }) else {
      let failure = LocationFailure.unknownDevice(selector: selector, known: adapters.map(\.id))
      actions.append(.send(client, .failed(request, failure)))
      return
    }
    actions.append(.changeTrust(client, request, deviceID: device.id, isTrusted: isTrusted))
  }

  /// Only a device node of this machine can be taken from gpsd or given to it.
  func setOwner(
    _ client: ClientID, _ request: RequestID, _ selector: String, _ owner: DeviceOwner, _ actions: inout [Action]
  ) {
    let nodes = links.map(\.detectedDevice).filter { $0.path.hasPrefix("/") && !$0.isSimulated && $0.recording == nil }
    guard let device = nodes.first(where: { $0.matches(selector: selector) }) else {
      let failure = LocationFailure.unknownDevice(selector: selector, known: nodes.map(\.id))
      actions.append(.send(client, .failed(request, failure)))
      return
    }
    actions.append(.setOwner(client, request, device, owner))
  }

  mutating func begin(
    _ work: ClientWork, at now: Instant, _ actions: inout [Action],
    _ start: (inout ClientWork, (fix: PositionFix, isTracked: Bool)?) -> [ClientWork.Outcome]
  ) {
    guard works.count < Self.maximumRequests else {
      actions.append(.send(work.client, .failed(work.request, .tooManyRequests(limit: Self.maximumRequests))))
      return
    }
    forgetFailures()
    var work = work
    let outcomes = start(&work, newest(of: work.device))
    works.append(work)
    if gathersRequests {
      hasUnsettledRequests = true
      return sendResults(outcomes, of: works.count - 1, &actions)
    }
    plan(at: now)
    sendResults(outcomes, of: works.count - 1, &actions)
    sweep(at: now, &actions)
    notifySourceAvailability(at: now, &actions)
  }

  /// Plans the sources for the requests that were gathered.
  package mutating func settleRequests(at now: Instant) -> [Action] {
    guard hasUnsettledRequests else { return [] }
    hasUnsettledRequests = false
    var actions: [Action] = []
    plan(at: now)
    sweep(at: now, &actions)
    notifySourceAvailability(at: now, &actions)
    return actions
  }

  /// The fix that may answer a new request at once, if it is recent enough: the latest fix of this run, otherwise the remembered
  /// one.
  ///
  /// - Parameter device: path of the receiver that must have produced it; `nil`: any receiver.
  func newest(of device: String?) -> (fix: PositionFix, isTracked: Bool)? {
    if let latest, device == nil || latest.fix.device == device { return latest }
    // If the clock is behind the fix, the age of the fix is unknown.
    guard let fix = lastKnown(of: device)?.fix, let clock = settings.wallClock,
      fix.time <= clock + (present - settings.startedAt)
    else { return nil }
    return (fix, isTracked: memory.isLastFixTracked)
  }

  mutating func end(at now: Instant, _ actions: inout [Action], where isOver: (ClientWork) -> Bool) {
    works.removeAll(where: isOver)
    if gathersRequests { return hasUnsettledRequests = true }
    plan(at: now)
    openWanted(at: now, &actions)
  }

  /// Whether a receiver may still give a position.
  var hasPromisingReceiver: Bool { links.contains(where: \.isPromising) }

  /// Notifies every request whether any source may still give a position.
  mutating func notifySourceAvailability(at now: Instant, _ actions: inout [Action]) {
    guard isInventoryComplete else { return }
    let hasReceiver = hasPromisingReceiver
    // The receivers' last radius is no longer a reason to leave the radio unused.
    if !hasReceiver { _ = planner.handle(.satellites(radius68: nil), at: now) }
    // If only the radio can give a position, nothing is reported before its first scan.
    let isUndecided = !hasReceiver && wifi == .scanning
    let isAvailable = isPromising
    let promising = Set(links.filter(\.isPromising).map(\.detectedDevice.path))
    // Before `lost`: a client takes the reason from it.
    sendProgress(.waitingForSource, &actions) { $0.device.map { !promising.contains($0) } ?? !isAvailable }
    forEachWork(at: now, &actions) { work in
      if let device = work.device { return work.sourcesChanged(available: promising.contains(device), at: now) }
      if work.watchesSky { return work.sourcesChanged(available: hasReceiver, at: now) }
      return isUndecided ? [] : work.sourcesChanged(available: isAvailable, at: now)
    }
    if !isAvailable, !isUndecided, links.isEmpty, isAbsenceFinal { failIfNoSource(at: now, &actions) }
  }

  /// Whether no receiver can appear by being plugged in: access is denied, for example, or the radio is the only source.
  private var isAbsenceFinal: Bool {
    guard settings.expectsReceivers else { return true }
    return switch sourceless {
    case .noSource, .noGPSD, .noReceiverAtGPSD, .cannotOpen(_, .doesNotExist), .serviceLost: false
    default: true
    }
  }

  /// Ends the requests that do not wait for a source, if none of their receivers can be opened or has sent data at any baud rate.
  mutating func failIfNoSource(at now: Instant, _ actions: inout [Action]) {
    guard isInventoryComplete else { return }
    let isPromising = isPromising
    let failure = outlook.noSource
    let hopeless = Set(works.compactMap(\.device)).reduce(into: [String: LocationFailure]()) { failures, device in
      let outlook = outlook(of: device)
      if !outlook.links.contains(where: \.isPromising) { failures[device] = outlook.noSource }
    }
    guard !isPromising || !hopeless.isEmpty else { return }
    forEachWork(at: now, &actions) { work in
      if let device = work.device { return hopeless[device].map { work.failUnlessWaiting($0) } ?? [] }
      return isPromising ? [] : work.failUnlessWaiting(failure)
    }
  }

  /// - Parameter isConcerned: whether the progress is that of a request.
  mutating func sendProgress(
    _ progress: LocationProgress, _ actions: inout [Action], where isConcerned: (ClientWork) -> Bool = { _ in true }
  ) {
    for index in works.indices where works[index].progress != progress && isConcerned(works[index]) {
      works[index].progress = progress
      actions.append(.send(works[index].client, .progress(works[index].request, progress)))
    }
  }

  mutating func forEachWork(
    at now: Instant, _ actions: inout [Action], _ body: (inout ClientWork) -> [ClientWork.Outcome]
  ) {
    for index in works.indices {
      let outcomes = body(&works[index])
      if !outcomes.isEmpty { sendResults(outcomes, of: index, &actions) }
    }
    sweep(at: now, &actions)
  }

  /// Sends the results of a request to its client.
  func sendResults(_ outcomes: [ClientWork.Outcome], of index: Int, _ actions: inout [Action]) {
    let client = works[index].client
    for outcome in outcomes {
      switch outcome {
      case .send(let event): actions.append(.send(client, event))
      case .failed(let reason): actions.append(.send(client, failure(of: works[index], reason)))
      }
    }
  }

  /// The failure as an event for the client, or the last known fix if the client accepts that instead.
  func failure(of work: ClientWork, _ reason: ClientWork.FailureReason) -> ServiceEvent {
    if work.acceptsLastKnown, let (fix, age) = lastKnown(of: work.device) {
      return .located(work.request, fix.grown(to: present), age: age, isCached: true)
    }
    let outlook = outlook(of: work.device)
    return switch reason {
    case .oneShot(let failure): .failed(work.request, outlook.failure(for: failure))
    case .noSource: .failed(work.request, outlook.noSource)
    case .known(let failure): .failed(work.request, failure)
    }
  }

  /// Removes requests that have ended, and closes the receivers that are no longer needed.
  mutating func sweep(at now: Instant, _ actions: inout [Action]) {
    // Iterates by index, because this runs after every epoch: passing each work to a closure would copy it.
    if works.indices.contains(where: { works[$0].isOver }) {
      works.removeAll(where: \.isOver)
      plan(at: now)
    }
    openWanted(at: now, &actions)
  }
}
