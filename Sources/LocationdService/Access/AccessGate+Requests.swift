import FleetDestinations
import Geodesy
import LocationIPC
import LocationPolicy

/// Requests of clients, handled by the access that they need.
extension AccessGate {
  mutating func receive(_ request: ClientRequest, from id: ClientID, _ turn: inout Turn) {
    guard let gatedClient = gatedClients[id] else {
      if case .cancel = request { return }
      return fail(request.id, of: id, .unidentified, &turn)
    }
    if case .cancel(let call) = request, cancelDeferral(call, of: id, &turn) { return }
    // The client is awake.
    turn.actions += release(id, at: turn.present)
    if let use = LocationUse(request, of: gatedClient, at: turn.now) { return open(use, of: id, &turn) }
    switch request {
    case .locate, .startUpdates, .watchSky, .listenIn: break
    case .cancel(let request): cancel(request, of: id, &turn)
    case .deferUpdates(let call, let stream, let limits): allowDeferral(call, of: stream, limits, by: id, &turn)
    case .listDevices, .status: turn.actions.append(.pass(id, request))
    case .trustDevice, .forgetDevice, .setOwner, .time:
      guard gatedClient.isExempt else { return fail(request.id, of: id, .notAdministrator, &turn) }
      turn.actions.append(.pass(id, request))
    case .fleet(let number, _):
      // A destination sends the machine's positions away, and files that only the service may read. To be able to open the receivers is
      // not enough for that.
      guard gatedClient.client.answerer.isAdministrator else {
        return turn.actions.append(.send(id, .failed(number, .fleet(.notInCharge))))
      }
      turn.actions.append(.pass(id, request))
    case .log(let number, let log):
      if let denial = gatedClient.denial(of: log) { return fail(number, of: id, denial, &turn) }
      turn.actions.append(.pass(id, request))
    case .wifi:
      // The access points in range reveal where the machine is; the access point database reveals where it was.
      guard gatedClient.isExempt else { return fail(request.id, of: id, .notAdministrator, &turn) }
      turn.actions.append(.pass(id, request))
    case .places(let number, let places):
      // The text or the position leaves this machine, so that this needs the access that a position needs.
      if let denial = gatedClient.denialOfPlaces { return fail(number, of: id, denial, &turn) }
      let isReduced = gatedClient.authorization.isReduced && !gatedClient.isExempt
      turn.actions.append(.pass(id, .places(number, isReduced ? places.reduced : places)))
    case .monitoring(let number, let monitoring):
      if let denial = gatedClient.denial(of: monitoring) { return fail(number, of: id, denial, &turn) }
      turn.actions.append(.pass(id, request))
    case .authorization(let number, let request): receive(request, number, from: id, &turn)
    }
  }

  /// Sets what is monitored for a list from now on.
  mutating func monitor(_ uses: MonitoringUses, for id: ClientID, _ turn: inout Turn) {
    guard let gatedClient = gatedClients[id] else { return }
    for use in LocationUse.monitored {
      let request = RequestID(UInt32(use.rawValue))
      switch (uses.contains(use), gatedClient.uses[request] != nil) {
      case (true, false): open(LocationUse(monitoring: use, at: turn.now), of: id, &turn)
      case (false, true): cancel(request, of: id, &turn)
      case (true, true), (false, false): break
      }
    }
  }

  private mutating func cancel(_ request: RequestID, of id: ClientID, _ turn: inout Turn) {
    gatedClients[id]?.watches.removeAll { $0 == request }
    gatedClients[id]?.dropFullAccuracyRequest(request)
    if gatedClients[id]?.agentRequest == request {
      gatedClients[id]?.agentRequest = nil
      ask(.agentLeft(id), &turn)
    }
    finishDeferral(of: request, id, &turn)
    if let use = gatedClients[id]?.uses.removeValue(forKey: request) {
      turn.unsettled.insert(id)
      for other in gatedClients[id]?.uses.keys.map(\.self) ?? [] {
        gatedClients[id]?.uses[other]?.replace(use, at: turn.now)
      }
      if use.hasCheck { turn.actions.append(.pass(id, .cancel(LocationUse.check(of: request)))) }
      guard use.stage == .passed else { return }
    }
    turn.actions.append(.pass(id, .cancel(request)))
  }

  private mutating func receive(
    _ request: AuthorizationRequest, _ number: RequestID, from id: ClientID, _ turn: inout Turn
  ) {
    guard let gatedClient = gatedClients[id] else { return }
    let answerer = gatedClient.client.answerer
    switch request {
    case .watch:
      gatedClients[id]?.watches.append(number)
      turn.actions.append(.send(id, .authorization(number, .state(gatedClient.state))))
    case .ask(let always, let purpose):
      if let purpose { ask(.describes(id, purpose: purpose), &turn) }
      ask(always ? .requestsAlways(id) : .requestsWhenInUse(id), &turn)
      if let reason = turn.ignored { return fail(number, of: id, .notAsked(reason), &turn) }
      turn.actions.append(.send(id, .done(number)))
    case .askFullAccuracy(let purposeKey):
      gatedClients[id]?.noteFullAccuracyRequest(number)
      ask(.requestsFullAccuracy(id, purposeKey: purposeKey), &turn)
    case .serveQuestions:
      guard gatedClient.agentRequest == nil else { return fail(number, of: id, .decision(.full), &turn) }
      gatedClients[id]?.agentRequest = number
      ask(.agentArrived(id, answerer), &turn)
      guard let refusal = turn.refused else { return }
      gatedClients[id]?.agentRequest = nil
      fail(number, of: id, .decision(refusal), &turn)
    case .answer(let question, let answer):
      let wasOpen = authorizationMachine.pending.contains { $0.number == question }
      ask(.answered(question, answer, by: id), &turn)
      let isOpen = authorizationMachine.pending.contains { $0.number == question }
      finish(number, of: id, wasOpen && !isOpen ? nil : .noSuchQuestion, &turn)
    case .list: turn.actions.append(.send(id, .authorization(number, .grants(grants(for: answerer)))))
    case .decide(let identity, let decision):
      ask(.decided(identity, decision, by: answerer), &turn)
      finish(number, of: id, turn.refused.map { .decision($0) }, &turn)
    case .setServices(let isOn):
      ask(.switched(isOn: isOn, by: answerer), &turn)
      finish(number, of: id, turn.refused.map { .decision($0) }, &turn)
    }
  }

  /// Confirms a decision, or fails the request with the denial.
  private func finish(_ request: RequestID, of id: ClientID, _ denial: AuthorizationDenial?, _ turn: inout Turn) {
    if let denial { fail(request, of: id, denial, &turn) } else { turn.actions.append(.confirm(id, request)) }
  }

  /// The grants and pending prompts of the requesting client itself, and of the clients that it may decide about.
  private func grants(for answerer: PromptResponder) -> GrantList {
    func isVisible(_ identity: ClientIdentity) -> Bool {
      identity == answerer.identity || answerer.hasAuthority(over: identity)
    }
    var list = GrantList(isOn: authorizationMachine.isOn)
    // Sorted by user; a user's own unconfined programs come first.
    list.grants = authorizationMachine.grants.filter { isVisible($0.identity) }.sorted {
      ($0.identity.userID, $0.identity.realm.text) < ($1.identity.userID, $1.identity.realm.text)
    }
    list.pending = authorizationMachine.pending.filter { isVisible($0.identity) }
    return list
  }
}
