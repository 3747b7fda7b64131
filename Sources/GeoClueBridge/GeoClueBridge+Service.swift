import BusMessages
import Geodesy

/// From `Start` to positions: what the service decides and delivers.
extension GeoClueBridge {
  /// The accuracy that a client gets at most; `none`: its owner's agent allows nothing.
  private func level(of client: BridgeClient) -> AccuracyLevel {
    min(AccuracyLevel(requested: client.requestedLevel), agents.most(of: client.userID))
  }

  mutating func start(
    _ number: Int, _ call: CallNumber, at now: Instant, _ actions: inout [BridgeAction]
  ) throws(BusError) {
    guard let client = clients[number] else { return }
    guard !client.desktopID.isEmpty else { throw .accessDenied("'DesktopId' property must be set") }
    switch client.state {
    case .active:
      actions.append(.answer(call, []))
      // The portal starts a client that is active already, for its second session.
      if !client.locations.isEmpty { tell(client.locationPath, client.locationPath, number, &actions) }
    case .starting: throw .failed("The client is starting already")
    case .held: throw Self.disallowed(client)
    case .idle:
      let level = level(of: client)
      guard level != .none else { throw Self.disallowed(client) }
      begin(number, level, call, at: now, &actions)
    }
  }

  /// Starts a client that was held, now that its owner's agent allows something again.
  mutating func resume(_ number: Int, at now: Instant, _ actions: inout [BridgeAction]) {
    guard let client = clients[number] else { return }
    begin(number, level(of: client), nil, at: now, &actions)
  }

  private mutating func begin(
    _ number: Int, _ level: AccuracyLevel, _ call: CallNumber?, at now: Instant, _ actions: inout [BridgeAction]
  ) {
    guard var client = clients[number] else { return }
    client.state = .starting(call, until: now + Self.promptTime, hasAsked: false)
    client.isReduced = level.isReduced
    client.lastAuthorization = nil
    // The first position after each start is told.
    client.forgetLocations()
    clients[number] = client
    actions.append(.open(client: number, owner: client.owner, name: client.desktopID, isReduced: level.isReduced))
  }

  private static func disallowed(_ client: BridgeClient) -> BusError {
    .accessDenied("'\(client.desktopID)' disallowed by the agent of UID \(client.userID)")
  }

  mutating func stop(_ number: Int, _ actions: inout [BridgeAction]) {
    guard let client = clients[number], client.state != .idle else { return }
    clients[number]?.state = .idle
    clients[number]?.isReduced = nil
    if client.state != .held { actions.append(.close(client: number)) }
    guard client.isActive else { return announce(number, [], &actions) }
    announce(number, ["Active"], &actions)
    announceUse(&actions)
  }

  /// Answers a pending `Start` with an error.
  mutating func refuseStart(_ number: Int, _ error: BusError, _ actions: inout [BridgeAction]) {
    guard case .starting(let call, _, _)? = clients[number]?.state else { return }
    if let call { actions.append(.fail(call, error)) }
    stop(number, &actions)
  }

  // MARK: - Authorization

  mutating func receive(
    _ state: AuthorizationAnswerState, for number: Int, at now: Instant, _ actions: inout [BridgeAction]
  ) {
    guard let client = clients[number] else { return }
    clients[number]?.lastAuthorization = state
    switch (client.state, state) {
    case (.starting(let call, _, _), .allowed):
      clients[number]?.state = .active
      if let call { actions.append(.answer(call, [])) }
      announce(number, ["Active"], &actions)
      announceUse(&actions)
      actions.append(.update(client: number, isReduced: client.isReduced ?? true))
    case (.starting, .denied): refuseStart(number, Self.denied(client), &actions)
    case (.starting(let call, let until, false), .undecided):
      clients[number]?.state = .starting(call, until: until, hasAsked: true)
      actions.append(.ask(client: number))
    case (.starting(_, _, true), .undecided(let isOpen)):
      // The prompt has ended without a decision, or the last agent has left.
      if client.lastAuthorization == .undecided(isOpen: true), !isOpen {
        refuseStart(number, Self.unanswered, &actions)
      }
    case (.active, .denied), (.active, .undecided): stop(number, &actions)
    case (.active, .allowed), (.idle, _), (.held, _): return
    }
  }

  /// The prompt is open, or nobody can be asked: then the answer does not wait.
  mutating func noteAsked(_ number: Int, _ actions: inout [BridgeAction]) {
    guard let client = clients[number], case .starting(_, _, true) = client.state,
      client.lastAuthorization != .undecided(isOpen: true)
    else { return }
    refuseStart(
      number, .accessDenied("'\(client.desktopID)' has no access to the location, and nobody can be asked"), &actions)
  }

  private static func denied(_ client: BridgeClient) -> BusError {
    .accessDenied("'\(client.desktopID)' disallowed by configuration for UID \(client.userID)")
  }

  mutating func fail(_ number: Int, isUnreachable: Bool, _ actions: inout [BridgeAction]) {
    guard let client = clients[number] else { return }
    let error = isUnreachable ? BusError.failed("The location service cannot be reached") : Self.denied(client)
    if client.isStarting { refuseStart(number, error, &actions) } else { stop(number, &actions) }
  }

  // MARK: - Positions

  mutating func receive(_ fix: PositionFix, for number: Int, at now: Instant, _ actions: inout [BridgeAction]) {
    guard clients[number]?.isActive == true, let paths = clients[number]?.add(fix, at: now) else { return }
    tell(paths.old, paths.new, number, &actions)
    announce(number, ["Location"], &actions)
  }

  private func tell(_ old: String, _ new: String, _ number: Int, _ actions: inout [BridgeAction]) {
    guard let client = clients[number] else { return }
    let signal = BusSignal(
      path: client.path, interface: GeoClue.client.name, member: "LocationUpdated",
      [.objectPath(old), .objectPath(new)])
    actions.append(.emit(signal, to: client.owner))
  }

  /// Applies another accuracy to an active client: from the next position on.
  mutating func applyLevel(of number: Int, _ actions: inout [BridgeAction]) {
    guard let client = clients[number], client.isActive else { return }
    let isReduced = level(of: client).isReduced
    guard isReduced != client.isReduced else { return }
    clients[number]?.isReduced = isReduced
    actions += [
      .close(client: number),
      .open(client: number, owner: client.owner, name: client.desktopID, isReduced: isReduced),
      .update(client: number, isReduced: isReduced),
    ]
  }
}
