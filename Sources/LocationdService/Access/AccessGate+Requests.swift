import Geodesy
import LocationIPC
import LocationPolicy

/// Requests of clients, handled by the access that they need.
extension AccessGate {
  mutating func take(_ request: ClientRequest, from id: ClientID, _ turn: inout Turn) {
    guard let visitor = visitors[id] else {
      if case .cancel = request { return }
      return fail(request.id, of: id, .unidentified, &turn)
    }
    if let use = LocationUse(request, of: visitor, at: turn.now) { return open(use, of: id, &turn) }
    switch request {
    case .locate, .startUpdates, .watchSky, .listenIn: break
    case .cancel(let request): cancel(request, of: id, &turn)
    case .listDevices, .status: turn.actions.append(.pass(id, request))
    case .trustDevice, .forgetDevice, .setOwner:
      guard visitor.isExempt else { return fail(request.id, of: id, .notInCharge, &turn) }
      turn.actions.append(.pass(id, request))
    case .log(let number, let log):
      if let denial = visitor.denial(of: log) { return fail(number, of: id, denial, &turn) }
      turn.actions.append(.pass(id, request))
    case .wifi:
      // The access points in range reveal where the machine is; the access point database reveals where it was.
      guard visitor.isExempt else { return fail(request.id, of: id, .notInCharge, &turn) }
      turn.actions.append(.pass(id, request))
    case .monitoring(let number, let monitoring):
      if let denial = visitor.denial(of: monitoring) { return fail(number, of: id, denial, &turn) }
      turn.actions.append(.pass(id, request))
    case .authorization(let number, let request): take(request, number, from: id, &turn)
    }
  }

  /// Sets what is monitored for a list from now on.
  mutating func monitor(_ uses: MonitoringUses, for id: ClientID, _ turn: inout Turn) {
    guard let visitor = visitors[id] else { return }
    for use in LocationUse.monitored {
      let request = RequestID(UInt32(use.rawValue))
      switch (uses.contains(use), visitor.uses[request] != nil) {
      case (true, false): open(LocationUse(monitoring: use, at: turn.now), of: id, &turn)
      case (false, true): cancel(request, of: id, &turn)
      case (true, true), (false, false): break
      }
    }
  }

  private mutating func cancel(_ request: RequestID, of id: ClientID, _ turn: inout Turn) {
    visitors[id]?.watches.removeAll { $0 == request }
    visitors[id]?.dropFullAccuracyRequest(request)
    if visitors[id]?.agentRequest == request {
      visitors[id]?.agentRequest = nil
      ask(.agentLeft(id), &turn)
    }
    if let use = visitors[id]?.uses.removeValue(forKey: request) {
      turn.unsettled.insert(id)
      for other in visitors[id]?.uses.keys.map(\.self) ?? [] {
        visitors[id]?.uses[other]?.replace(use, at: turn.now)
      }
      if use.hasCheck { turn.actions.append(.pass(id, .cancel(LocationUse.check(of: request)))) }
      guard use.stage == .passed else { return }
    }
    turn.actions.append(.pass(id, .cancel(request)))
  }

  private mutating func take(
    _ request: AuthorizationRequest, _ number: RequestID, from id: ClientID, _ turn: inout Turn
  ) {
    guard let visitor = visitors[id] else { return }
    let answerer = visitor.client.answerer
    switch request {
    case .watch:
      visitors[id]?.watches.append(number)
      turn.actions.append(.tell(id, .authorization(number, .state(visitor.state))))
    case .ask(let always, let purpose):
      if let purpose { ask(.describes(id, purpose: purpose), &turn) }
      ask(always ? .requestsAlways(id) : .requestsWhenInUse(id), &turn)
      if let reason = turn.ignored { return fail(number, of: id, .notAsked(reason), &turn) }
      turn.actions.append(.tell(id, .done(number)))
    case .askFullAccuracy(let purposeKey):
      visitors[id]?.noteFullAccuracyRequest(number)
      ask(.requestsFullAccuracy(id, purposeKey: purposeKey), &turn)
    case .serveQuestions:
      guard visitor.agentRequest == nil else { return fail(number, of: id, .decision(.full), &turn) }
      visitors[id]?.agentRequest = number
      ask(.agentArrived(id, answerer), &turn)
      guard let refusal = turn.refused else { return }
      visitors[id]?.agentRequest = nil
      fail(number, of: id, .decision(refusal), &turn)
    case .answer(let question, let answer):
      let wasOpen = desk.pending.contains { $0.number == question }
      ask(.answered(question, answer, by: id), &turn)
      let isOpen = desk.pending.contains { $0.number == question }
      finish(number, of: id, wasOpen && !isOpen ? nil : .noSuchQuestion, &turn)
    case .list: turn.actions.append(.tell(id, .authorization(number, .grants(grants(for: answerer)))))
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
  private func grants(for answerer: Answerer) -> GrantList {
    func isVisible(_ identity: ClientIdentity) -> Bool {
      identity == answerer.identity || answerer.hasSay(over: identity)
    }
    var list = GrantList(isOn: desk.isOn)
    // Sorted by user; a user's own unconfined programs come first.
    list.grants = desk.grants.filter { isVisible($0.identity) }.sorted {
      ($0.identity.userID, $0.identity.realm.text) < ($1.identity.userID, $1.identity.realm.text)
    }
    list.pending = desk.pending.filter { isVisible($0.identity) }
    return list
  }
}
