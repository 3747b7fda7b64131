package import Geodesy
package import LocationIPC
package import LocationPolicy

/// Controls the requests that clients in other processes send to the service. A request passes if its client has the access that it
/// needs; otherwise it waits, or fails with the reason. Events go back in the accuracy that the client has access to.
///
/// The gate decides nothing itself: `AuthorizationStateMachine` decides, and for streams in the background `BackgroundUpdates`,
/// `AutoPause` and `Deferral`. The gate adds which request needs which access, and what happens to active requests when access changes.
package struct AccessGate: Sendable {
  /// Input of the gate.
  package enum Input: Hashable, Sendable {
    /// The saved decisions, at startup. If it is unknown whether the service was switched on (`nil`), the service is off.
    case loaded([Grant], isOn: Bool?, ReducedPositionState? = nil)
    /// The identities to which the configuration sends positions.
    case configured([ClientIdentity])
    /// The machine's key of 16 random bytes, which was unavailable at startup.
    case keyed(low: UInt64, high: UInt64)
    case arrived(ClientID, AuthorizationClient)
    case left(ClientID)
    case presence(ClientID, ClientPresence)
    case request(ClientID, ClientRequest)
    /// What is monitored for the client that represents a list. The uses that the client has access to are passed on or revoked as
    /// streams are, under the numbers of `MonitoringUses`.
    case monitors(ClientID, MonitoringUses)
    /// An event of the service, for that client.
    case event(ClientID, ServiceEvent)
    /// A position of the machine that any client requested; sent while `awaitsMovement`.
    case monitoringFix(PositionFix)
    /// An administrator has added or removed a destination.
    case destination(ClientIdentity, isGranted: Bool)
    /// The service ends, or the program that hosts it is awake: deferred updates are delivered.
    case release
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell must execute.
  package enum Action: Hashable, Sendable {
    /// Pass the request on to the service.
    case pass(ClientID, ClientRequest)
    case send(ClientID, ServiceEvent)
    /// Confirm the client's decision, after all actions before this one have been saved.
    case confirm(ClientID, RequestID)
    /// Save the grant; `nil`: delete it.
    case keep(ClientIdentity, GrantRecord?)
    case keepSwitch(isOn: Bool)
    case show(IndicatorState)
    /// A client requested authorization, and no prompt was shown for that reason.
    case ignored(ClientID, IgnoredRequest)
    /// A request was refused because a bound was reached.
    case reached(ServiceBound)
  }

  /// Bounds on active requests for locations: of all clients except administrators, so that the service has room for the
  /// administrators' requests, and of one user.
  package static let mostRequests = (ofOthers: ServiceCore.maximumRequests - 1024, ofUser: 256)

  /// Collects the results of one input.
  struct Turn {
    let now: Instant
    /// The service's time. It differs from `now` while the service plays a recording as fast as it can be read.
    let present: Instant
    let clock: GNSSTime?
    var actions: [Action] = []
    /// Clients whose requests must be evaluated again.
    var unsettled: Set<ClientID> = []
    /// The state machine's answer to the input itself.
    var ignored: IgnoredRequest?
    var refused: DecisionError?
  }

  var authorizationMachine: AuthorizationStateMachine
  var indicator = UsageIndicator()
  /// Reduces positions; without it (`nil`) no reduced position is sent.
  private var reducer: ReducedPosition?
  var gatedClients: [ClientID: GatedClient] = [:]
  /// The clients that defer updates.
  var deferring: Set<ClientID> = []
  /// What the latest fixes have made due, in order.
  var due: [Action] = []
  /// Whether there may be a receiver; set before a client's call. Only satellite fixes are worth deferring.
  package var hasReceiver = true

  /// Whether the service is off because it is unknown whether it was on.
  private(set) var isOffByLoss = false

  /// Whether a stream must pause or resume, or a check for the end of its pause must start or stop, because of the latest fixes.
  private var hasPauses = false
  /// Whether the latest fixes have caused that, or the delivery of deferred ones: `.wake` is due at once.
  package var isWakeDue: Bool { hasPauses || !due.isEmpty }

  /// - Parameter key: the machine's secret of 16 random bytes, which places the grid of reduced positions; `nil`: there is none.
  ///   `questionsAfter`: the first prompt gets the next number.
  package init(key: (low: UInt64, high: UInt64)?, questionsAfter number: Int = 0) {
    reducer = key.map { ReducedPosition(key: $0) }
    authorizationMachine = AuthorizationStateMachine(questionsAfter: number)
  }

  /// Whether there is a grid of reduced positions.
  package var canReduce: Bool { reducer != nil }
  /// The reduced position that was sent last, to be saved.
  package var reducedPlace: ReducedPositionState? { reducer?.last }
  /// The same without a copy of the gate, for a host that needs it after every fix.
  package mutating func currentReducedPlace() -> ReducedPositionState? { reducer?.last }

  /// When `.wake` is due, except for pauses and deferred updates.
  package var nextDeadline: Instant? {
    let waiting = gatedClients.values.compactMap(\.nextDeadline).min()
    return Instant.earlier(Instant.earlier(authorizationMachine.nextDeadline, indicator.nextDeadline), waiting)
  }

  /// When `.wake` is due for a pause or for deferred updates, in the service's time.
  package var nextPauseDeadline: Instant? { gatedClients.values.compactMap(\.nextPauseDeadline).min() }

  /// Handles one input and returns the actions that follow. `clock` is the time of day, `nil` if it cannot be trusted; `present` is
  /// the service's time, if that differs from `now`.
  package mutating func handle(
    _ input: Input, at now: Instant, clock: GNSSTime?, present: Instant? = nil
  ) -> [Action] {
    var turn = Turn(now: now, present: present ?? now, clock: clock)
    turn.actions = takeDue()
    switch input {
    case .loaded(let grants, let isOn, let place):
      isOffByLoss = isOn == nil
      if let place { reducer?.resume(place) }
      load(grants, isOn: isOn ?? false, &turn)
    case .keyed(let low, let high):
      if reducer == nil { reducer = ReducedPosition(key: (low, high)) }
    case .configured(let identities): ask(.configured(identities), &turn)
    case .arrived(let id, let client): arrive(id, client, &turn)
    case .left(let id): leave(id, &turn)
    case .presence(let id, let presence): change(id, to: presence, &turn)
    case .request(let id, let request): receive(request, from: id, &turn)
    case .monitors(let id, let uses): monitor(uses, for: id, &turn)
    case .event(let id, let event): receive(event, for: id, &turn)
    case .monitoringFix(let fix): receiveMonitoringFix(fix, &turn)
    case .destination(let identity, let isGranted):
      let administrator = PromptResponder(ClientIdentity(userID: 0), privilege: .administrator)
      ask(.decided(identity, isGranted ? .always(isReduced: false) : .forget, by: administrator), &turn)
    case .release: releaseAll(&turn)
    case .wake:
      ask(.wake, &turn)
      show(.wake, &turn)
      hasPauses = false
      for id in gatedClients.keys where gatedClients[id]?.isOverdue(at: now, turn.present) == true {
        turn.actions += endDeferrals(id, .wake, at: turn.present)
        gatedClients[id]?.wake(at: turn.present)
        turn.unsettled.insert(id)
      }
    }
    while let id = turn.unsettled.popFirst() { settle(id, &turn) }
    return turn.actions
  }

  private mutating func takeDue() -> [Action] {
    guard !due.isEmpty else { return [] }
    defer { due = [] }
    return due
  }

  /// Handles an event that changes no client's access and comes with every epoch: a fix, satellites, progress, or a receiver's output.
  /// Returns the event to send to the client, or `nil`: the client gets nothing, or gets it later with others. `now` is the service's time.
  package mutating func passing(_ event: ServiceEvent, to id: ClientID, at now: Instant) -> ServiceEvent? {
    switch event {
    case .update(let request, let fix, _): return passing(event, request, fix, to: id, at: now)
    case .progress(let request, .converging), .progress(let request, .searching):
      return gatedClients[id]?.receivesReception(for: request) == true ? event : nil
    case .sky(let request, _), .progress(let request, _), .received(let request, _):
      return gatedClients[id]?.isPassed(request) == true ? event : nil
    default: return nil
    }
  }

  private mutating func passing(
    _ event: ServiceEvent, _ request: RequestID, _ fix: PositionFix, to id: ClientID, at now: Instant
  ) -> ServiceEvent? {
    // One search of the client for all of it, because each fix of each stream comes here.
    guard let (accuracy, isUnsettled) = gatedClients[id]?.receive(fix, of: request, at: now) else { return nil }
    if isUnsettled { hasPauses = true }
    switch accuracy {
    case nil: return nil
    case .exact: return isDeliveredNow(fix, of: request, id, at: now) ? event : nil
    case .reduced: break
    }
    guard let reduced = reducer?.reduce(fix) else { return nil }
    // The same reduced position is not sent twice.
    guard gatedClients[id]?.isUpdate(reduced, for: request) == true else { return nil }
    noteServed(id, at: now)
    return .update(request, reduced, age: max(.zero, now - reduced.receivedAt))
  }

  /// The machine's reduced position in place of a fix, for a client that has the exact one and passes on only this; `nil`: there is no grid.
  package mutating func reduced(_ fix: PositionFix) -> PositionFix? { reducer?.reduce(fix) }

  /// The grants to save, in no particular order.
  package var grants: [Grant] { authorizationMachine.grants }
  /// Whether the service is switched on.
  package var isOn: Bool { authorizationMachine.isOn }
  /// Serves exempt clients although it is unknown whether the service was switched on. The saved decisions are intact and only
  /// cannot be read, and none of them concerns exempt clients.
  package mutating func serveExempt() { authorizationMachine.servesExempt = true }

  /// Whether any program of a user is authorized.
  package func hasGrant(_ userID: UInt32) -> Bool {
    authorizationMachine.grants.contains {
      $0.identity.userID == userID && ($0.record.level == .whenInUse || $0.record.level == .always)
    }
  }

  /// A client and its current authorization; `nil`: the kernel did not authenticate it.
  package func gatedClient(_ id: ClientID) -> (client: AuthorizationClient, state: AuthorizationState)? {
    gatedClients[id].map { ($0.client, $0.state) }
  }

  /// The destinations that request fixes.
  package var destinations: [ClientID] { gatedClients.keys.filter { if case .fleet = $0 { true } else { false } } }
  /// The logs that are being recorded.
  package var logs: [ClientID] { gatedClients.keys.filter { if case .log = $0 { true } else { false } } }

  // MARK: - The service's events

  private mutating func receive(_ event: ServiceEvent, for id: ClientID, _ turn: inout Turn) {
    if isCheck(event.request, of: id) { return takeCheck(event, of: id, &turn) }
    if case .update = event {
      if let event = passing(event, to: id, at: turn.present) { turn.actions.append(.send(id, event)) }
      return turn.actions += takeDue()
    }
    // Every other event that is sent wakes the client, and comes after the fixes before it.
    switch event {
    case .sky, .progress, .received:
      guard let event = passing(event, to: id, at: turn.present) else { return }
      turn.actions += release(id, at: turn.present)
      return turn.actions.append(.send(id, event))
    default: turn.actions += release(id, at: turn.present)
    }
    switch event {
    case .update, .batch, .sky, .progress, .received: break
    case .located(let request, let fix, _, let isCached):
      switch gatedClients[id]?.passage(of: request) {
      case nil: return
      case .exact: end(request, of: id, with: event, &turn)
      case .reduced:
        guard let reduced = reducer?.reduce(fix) else { return }
        let age = max(.zero, turn.present - reduced.receivedAt)
        end(request, of: id, with: .located(request, reduced, age: age, isCached: isCached), &turn)
      }
    case .failed(let request, _):
      if gatedClients[id]?.uses[request] == nil { return turn.actions.append(.send(id, event)) }
      if gatedClients[id]?.isPassed(request) == true {
        finishDeferral(of: request, id, &turn)
        end(request, of: id, with: event, &turn)
      }
    // A client with reduced accuracy receives delayed coarse positions; current reception must not be disclosed to it.
    case .streamChanged(let request, _):
      if gatedClients[id]?.passage(of: request) == .exact { turn.actions.append(.send(id, event)) }
    case .status(let request, let status):
      turn.actions.append(.send(id, .status(request, visible(status, to: id, at: turn.now))))
    case .monitoring(let request, .event(let happened, let list)):
      guard let gatedClient = gatedClients[id], gatedClient.mayReceive(of: happened.subject),
        let authorizationChanged = reduced(happened, for: gatedClient.client.identity)
      else { return }
      turn.actions.append(.send(id, .monitoring(request, .event(authorizationChanged, list: list))))
    case .devices(let request, let devices) where gatedClients[id]?.hasExactAccess == false:
      turn.actions.append(.send(id, .devices(request, devices.map(\.withoutSky))))
    case .devices, .done, .log, .authorization, .wifi, .monitoring, .fleet, .places:
      turn.actions.append(.send(id, event))
    }
  }

  /// The uses that the owner of a list has access to now; `id` is the client that represents the list.
  package func monitored(by id: ClientID) -> MonitoringUses {
    guard let gatedClient = gatedClients[id] else { return [] }
    return gatedClient.uses.values.reduce(into: []) { uses, use in
      if use.stage == .passed, let monitoring = use.monitoring { uses.formUnion(monitoring) }
    }
  }

  /// The event as `identity` has access to it; `nil`: it has none.
  package mutating func reduced(_ event: MonitoringEvent, for identity: ClientIdentity) -> MonitoringEvent? {
    let isReduced = gatedClients.values.contains {
      $0.client.identity == identity && $0.authorization.isReduced && !$0.isExempt
    }
    guard isReduced else { return event }
    // A region's border would reveal the exact position.
    if case .region = event.subject { return nil }
    guard let fix = event.fix, let rough = reducer?.reduce(fix) else { return nil }
    var authorizationChanged = event
    authorizationChanged.fix = rough
    func roughly(_ visit: Visit) -> Visit {
      var visit = visit
      (visit.coordinate, visit.horizontalRadius68) = (rough.coordinate, rough.horizontalRadius68)
      return visit
    }
    switch event.kind {
    case .arrived(let visit): authorizationChanged.kind = .arrived(roughly(visit))
    case .departed(let visit): authorizationChanged.kind = .departed(roughly(visit))
    case .crossed, .determined, .moved: break
    }
    return authorizationChanged
  }

  private mutating func end(_ request: RequestID, of id: ClientID, with event: ServiceEvent, _ turn: inout Turn) {
    turn.actions.append(.send(id, event))
    gatedClients[id]?.uses[request] = nil
    turn.unsettled.insert(id)
    guard case .located = event else { return }
    noteServed(id, at: turn.present)
    turn.actions += takeDue()
  }

  /// Every client sees whether the service is on and in use. Exempt clients see all served clients; others see only their own.
  private func visible(_ status: ServiceStatus, to id: ClientID, at now: Instant) -> ServiceStatus {
    var status = status
    status.isOn = authorizationMachine.isOn
    status.isOffByLoss = isOffByLoss
    status.indicator = indicator.state.mark
    status.background = indicator.state.background
    status.backgroundCount = indicator.state.backgroundCount
    status.usage = indicator.usage(at: now).map { UsageDescription($0, at: now) }
    guard let gatedClient = gatedClients[id], !gatedClient.isExempt else { return status }
    // Whether satellites are received, and how well, reveals when the machine goes indoors or outdoors.
    if !gatedClient.hasExactAccess { status = status.withoutSky }
    status.fleet = []
    status.bounds.removeAll { $0.bound.userID != gatedClient.client.identity.userID }
    let own = gatedClient.client.identity
    status.clients.removeAll { client in !(client.identity.map(own.canSee) ?? false) }
    status.logs.removeAll { log in !(log.owner.map(own.canSee) ?? false) }
    status.usage.removeAll { !own.canSee($0.user.identity) }
    if let user = status.background, !own.canSee(user.identity) { status.background = nil }
    return status
  }

  // MARK: - The state machines' actions

  /// Sends the input to the authorization state machine, and executes the resulting actions.
  mutating func ask(_ input: AuthorizationStateMachine.Input, _ turn: inout Turn) {
    for action in authorizationMachine.handle(input, at: turn.now, clock: turn.clock) {
      switch action {
      case .authorizationChanged(let id, let authorization): send(id, authorization, &turn)
      case .ask(let question, let agents):
        for agent in agents { send(agent, .question(question), &turn) }
      case .withdraw(let number, let agents):
        for agent in agents { send(agent, .withdrawn(number), &turn) }
      case .fullAccuracyAnswered(let id, let answer):
        for request in gatedClients[id]?.takeFullAccuracyRequests() ?? [] {
          turn.actions.append(.send(id, .authorization(request, .fullAccuracy(answer))))
        }
      case .ignored(let id, let reason):
        turn.ignored = reason
        turn.actions.append(.ignored(id, reason))
      case .refused(let refusal): turn.refused = refusal
      case .keep(let identity, let record): turn.actions.append(.keep(identity, record))
      case .keepSwitch(let isOn):
        isOffByLoss = false
        turn.actions.append(.keepSwitch(isOn: isOn))
      }
    }
  }

  mutating func show(_ input: UsageIndicator.Input, _ turn: inout Turn) {
    for case .show(let state) in indicator.handle(input, at: turn.now) { turn.actions.append(.show(state)) }
  }

  private func send(_ agent: ClientID, _ answer: AuthorizationAnswer, _ turn: inout Turn) {
    guard let request = gatedClients[agent]?.agentRequest else { return }
    turn.actions.append(.send(agent, .authorization(request, answer)))
  }

  private mutating func send(_ id: ClientID, _ authorization: Authorization, _ turn: inout Turn) {
    guard let former = gatedClients[id]?.authorization else { return }
    gatedClients[id]?.change(to: authorization)
    dropDeferrals(of: id, since: former, &turn)
    sendState(of: id, &turn)
    turn.unsettled.insert(id)
  }

  mutating func sendState(of id: ClientID, _ turn: inout Turn) {
    guard let gatedClient = gatedClients[id], !gatedClient.watches.isEmpty else { return }
    turn.actions += release(id, at: turn.present)
    for request in gatedClient.watches {
      turn.actions.append(.send(id, .authorization(request, .state(gatedClient.state))))
    }
  }
}

extension UsageDescription {
  fileprivate init(_ usage: LocationUsage, at now: Instant) {
    self.init(usage.user, mark: usage.mark, uses: usage.uses)
    usedFor = usage.since.map { now - $0 }
    usedAgo = usage.usedAt.map { now - $0 }
  }
}
