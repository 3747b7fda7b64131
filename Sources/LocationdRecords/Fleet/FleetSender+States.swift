import Fleet
import FleetDestinations
import Geodesy
import LocationIPC
import LocationStore

/// What a destination receives besides its outbox, and its description for clients.
extension FleetSender {
  /// What a server has to know of a device that has connected.
  func announce(at now: Instant) {
    let settings = destination.settings
    if let topic = HomeAssistantPayload.configTopic(settings) {
      let body = HomeAssistantPayload.config(settings, .init(version: release, model: FleetMachine.model))
      var message = stateMessage(.state, topic, body)
      message.isRetained = true
      sendState(message)
      sendAvailability(true)
      if let newest { sendLive(newest, at: now) }
    }
    if settings.healthInterval != nil { sendHealth(at: now) }
  }

  /// Sends the newest position on its own lane, so that a backlog does not hide it; as often as positions are wanted.
  func sendLive(_ fix: PositionFix, at now: Instant, isForced: Bool = false) {
    guard destination.settings.homeAssistant != nil, session != nil, filter.allows(fix) else { return }
    let interval = max(Self.liveInterval, destination.settings.interval)
    guard isForced || liveAt.map({ now - $0 >= interval }) ?? true else { return }
    liveAt = now
    var message = stateMessage(
      .state, HomeAssistantPayload.stateTopic(destination.settings), HomeAssistantPayload.state(fix, health(at: now)))
    (message.isRetained, message.qos) = (true, .atMostOnce)
    sendState(message)
  }

  /// Reports to Home Assistant whether this device is connected.
  func sendAvailability(_ isConnected: Bool) {
    guard destination.settings.homeAssistant != nil, !isWithdrawn else { return }
    var message = stateMessage(
      .state, HomeAssistantPayload.availabilityTopic(destination.settings),
      HomeAssistantPayload.availability(isConnected)
    )
    (message.isRetained, message.contentType) = (true, nil)
    sendState(message)
  }

  /// Deletes what the broker keeps of this device, if it is connected.
  func withdraw() {
    let settings = destination.settings
    guard session != nil, settings.credentials.encryptionSecret == nil else { return }
    var topics: [String] = []
    if let topic = HomeAssistantPayload.configTopic(settings) {
      topics = [topic, HomeAssistantPayload.stateTopic(settings), HomeAssistantPayload.availabilityTopic(settings)]
    }
    isWithdrawn = true
    if settings.retains { topics.append(settings.baseTopic) }
    for topic in topics {
      var message = stateMessage(.state, topic, [])
      message.isRetained = true
      sendState(message)
    }
  }

  func sendHealth(at now: Instant) {
    guard session != nil, destination.settings.healthInterval != nil else { return }
    healthAt = now + (destination.settings.healthInterval ?? .seconds(3600))
    let identifier = FleetRecord(place: .start, box: store.memory.box, content: .fix(newest ?? Self.noFix)).identifier
    sendState(
      stateMessage(
        .state, destination.settings.baseTopic + "/status",
        OwnTracksPayload.status(health(at: now), identifier: "\(identifier)-\(states)")))
  }

  /// Only its identifier is used.
  private static let noFix = PositionFix(
    time: .distantPast, timeValidity: .none, receivedAt: Instant(nanoseconds: 0),
    coordinate: Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: 0)), horizontalRadius68: Meters(1),
    kind: .estimated, technologies: [])

  private func health(at now: Instant) -> FleetHealth {
    var health = FleetHealth()
    health.version = release
    health.uptime = now - Instant(nanoseconds: 0)
    (health.waiting, health.oldest) = (outbox.waiting, outbox.oldest?.time)
    (health.lost, health.setAside) = (store.memory.lost, store.memory.setAside)
    health.fixAge = newest.map { max(.zero, now - $0.receivedAt) }
    health.satellitesUsed = newest?.satellitesUsed
    health.isClockConfirmed = !intake.isClockUnsure
    health.battery = FleetMachine.battery?.percent
    health.lastFix = newest?.time
    return health
  }

  /// A message that no server takes for a position shows whether publishing is allowed.
  func sendTest() {
    guard let first = tests.firstIndex(where: { $0.message == nil }) else { return }
    // One message answers all tests.
    var id = tests.compactMap(\.message).first
    if id == nil {
      let message = testMessage()
      if sendState(message) { id = message.id }
    }
    for index in first..<tests.count { tests[index].message = id }
  }

  private func testMessage() -> FleetMessage {
    guard destination.address.kind != .mqtt else {
      return stateMessage(.state, destination.settings.baseTopic, OwnTracksPayload.test(at: clock.now.time))
    }
    // No server takes a request of its root for a position; any answer shows that it is there and that its certificate is right.
    states += 1
    return FleetMessage(id: FleetMessage.stateBit | states, kind: .state, method: .get, target: "/", body: [])
  }

  /// Sends a message of the state, unless too many are not answered yet, so that a server's commands cannot make more.
  @discardableResult
  func sendState(_ message: FleetMessage) -> Bool {
    let kind = destination.address.kind
    // HTTP has no topics.
    guard kind == .mqtt || message.method != .publish, let link, openStates.count < kind.stateWindow else {
      return false
    }
    openStates.insert(message.id)
    report(.send(link, .send(message)))
    return true
  }

  func answerTests(_ session: FleetSession?, _ reply: FleetReply?, _ problem: FleetProblem?) {
    for test in tests {
      let result = FleetTestResult(session: session, reply: reply, problem: problem)
      report(.answer(.fleet(test.id, .tested(result)), to: test.client))
    }
    tests = []
  }

  func stateMessage(_ kind: FleetMessage.Kind, _ topic: String, _ body: [UInt8]) -> FleetMessage {
    states += 1
    return FleetMessage(
      id: FleetMessage.stateBit | states, kind: kind, method: .publish, target: topic, body: body,
      contentType: "application/json")
  }

  func noteState() {
    let description = description
    guard description.state != lastState else { return }
    lastState = description.state
    report(.event(.changed(destination.name, description.state, description.problem)))
  }

  var description: FleetReport {
    var state = outbox.state
    // Over HTTP there is a connection only for a request: the helper reports that it is ready without having tried the server.
    if state == .connected, destination.address.kind != .mqtt, !hasAnswer {
      state = outbox.waiting > 0 ? .connecting : .idle
    }
    if let obstacle = intake.obstacle(clock.now) { state = obstacle }
    if !isGranted { state = .notAllowed }
    var report = FleetReport(
      name: destination.name, address: destination.address.publicText, kind: destination.address.kind, state: state)
    report.problem = problem ?? outbox.problem
    report.reply = outbox.reply
    (report.waiting, report.oldest, report.lastAcknowledged) = (outbox.waiting, outbox.oldest?.time, lastAcknowledged)
    (report.lost, report.setAside, report.bytes) = (store.memory.lost, store.memory.setAside, store.bytes)
    report.version = session?.version
    report.isReduced = destination.settings.isReduced
    if case .until(let end) = store.memory.pause { report.pausedUntil = end }
    (report.isClockUnsure, report.unrecorded) = (intake.isClockUnsure, intake.unsure)
    report.isUnencrypted = !destination.address.isEncrypted
    return report
  }
}
