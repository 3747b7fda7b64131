import Fleet
import FleetDestinations
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// Requests to one destination.
extension FleetSender {
  func pause(_ pause: FleetPause, at now: Instant) throws(SystemError) {
    try store.remember {
      $0.pause = pause
      // Another broker may answer there.
      if pause == .none { $0.hasVersion5 = false }
    }
    intake.set(pause)
    apply(.allowed(isAllowed), at: now)
    if pause == .none { apply(.retry, at: now) }
  }

  func endWhenEmpty(at now: Instant) throws(SystemError) {
    try store.remember { $0.isEnding = true }
    noteState()
  }

  func networkChanged(at now: Instant) { apply(.networkChanged, at: now) }

  /// Why nothing can be sent now, whatever the server does; `nil`: nothing is in the way.
  private var obstacle: FleetReport.State? {
    if isEnding { return .idle }
    return isGranted ? intake.obstacle(clock.now) : .notAllowed
  }

  /// Answers once the present position is acknowledged.
  func confirm(_ id: RequestID, for client: ClientID, at now: Instant) throws(FleetFailure) {
    if let obstacle { throw .notNow(obstacle) }
    waiting.append((nil, id, client))
    apply(.retry, at: now)
    if let latest, now - latest.receivedAt < Self.presentAge, filter.allows(latest), intake.showsLive(latest, clock.now)
    {
      append(latest, at: now)
    } else {
      intake.isNextWanted = true
    }
  }

  /// Answers the requests for the present position, which may not be sent.
  func refuseWaiting(_ state: FleetReport.State?) {
    intake.isNextWanted = false
    for item in waiting where item.place == nil {
      report(.answer(.failed(item.id, .fleet(.notNow(state))), to: item.client))
    }
    waiting.removeAll { $0.place == nil }
  }

  /// Sends the newest position once more, unless nothing may be added now.
  func repeatNewest(at now: Instant) {
    guard let newest, !isEnding, filter.allows(newest), intake.obstacle(clock.now) == nil else { return }
    append(newest, because: .response, at: now)
  }

  func test(_ id: RequestID, for client: ClientID, at now: Instant) throws(FleetFailure) {
    if let obstacle, obstacle != .resting, obstacle != .idle { throw .notNow(obstacle) }
    tests.append((id, client, nil))
    probe(at: now)
    if session != nil { sendTest() } else { apply(.retry, at: now) }
  }

  /// A test needs a connection, also if nothing waits and the next batch is due later.
  func probe(at now: Instant) {
    guard isProbing == tests.isEmpty else { return }
    isProbing = !tests.isEmpty
    apply(.probe(isProbing), at: now)
  }

  func forget(_ client: ClientID) {
    waiting.removeAll { $0.client == client }
    tests.removeAll { $0.client == client }
  }
}
