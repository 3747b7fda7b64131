import Geodesy
import LocationIPC
import LocationPolicy

/// Clients that connect and disconnect, and the state of their requests.
extension AccessGate {
  mutating func load(_ grants: [Grant], isOn: Bool, _ turn: inout Turn) {
    ask(.loaded(grants, isOn: isOn), &turn)
    guard let clock = turn.clock else { return }
    for grant in grants {
      guard let usedAt = grant.record.usedAt, usedAt <= clock else { continue }
      let user = LocationUser(grant.identity, name: grant.record.name)
      show(.usedBefore(user, at: turn.now - (clock - usedAt)), &turn)
    }
  }

  mutating func arrive(_ id: ClientID, _ client: AuthorizationClient, _ turn: inout Turn) {
    gatedClients[id] = GatedClient(client, isProcess: id.isProcess)
    ask(.arrived(id, client), &turn)
  }

  mutating func leave(_ id: ClientID, _ turn: inout Turn) {
    guard let gatedClient = gatedClients.removeValue(forKey: id) else { return }
    deferring.remove(id)
    if gatedClient.agentRequest != nil { ask(.agentLeft(id), &turn) }
    ask(.left(id), &turn)
    show(.left(id), &turn)
  }

  mutating func change(_ id: ClientID, to presence: ClientPresence, _ turn: inout Turn) {
    guard gatedClients[id] != nil, gatedClients[id]?.presence != presence else { return }
    gatedClients[id]?.change(to: presence, at: turn.present)
    turn.actions += endDeferrals(id, .foreground(presence == .inUse), at: turn.present)
    ask(.presence(id, presence), &turn)
    sendState(of: id, &turn)
    turn.unsettled.insert(id)
  }

  /// Registers a request for locations, unless it would exceed a bound.
  mutating func open(_ use: LocationUse, of id: ClientID, _ turn: inout Turn) {
    guard let gatedClient = gatedClients[id] else { return }
    if id.isProcess, let bound = bound(for: gatedClient) {
      turn.actions += [.reached(bound), .send(id, .failed(use.request.id, .tooManyRequests(limit: bound.limit)))]
      return
    }
    var use = use
    if gatedClient.authorization.level == .notDetermined, use.notDeterminedPolicy == .asks, !gatedClient.isExempt {
      ask(.requestsWhenInUse(id), &turn)
      use.ignored = turn.ignored
    }
    gatedClients[id]?.uses[use.request.id] = use
    turn.unsettled.insert(id)
  }

  /// The bound that one more request of a client would exceed; `nil`: there is room, or the client is an administrator. Logs and
  /// monitoring lists have bounds of their own.
  private func bound(for gatedClient: GatedClient) -> ServiceBound? {
    let own = gatedClient.client.identity.userID
    guard !gatedClient.client.answerer.isAdministrator else { return nil }
    var (ofUser, ofOthers) = (0, 0)
    for (id, other) in gatedClients where id.isProcess && !other.client.answerer.isAdministrator {
      ofOthers += other.uses.count
      if other.client.identity.userID == own { ofUser += other.uses.count }
    }
    if ofUser >= Self.mostRequests.ofUser {
      return ServiceBound(.requestsOfUser, limit: Self.mostRequests.ofUser, userID: own)
    }
    return ofOthers >= Self.mostRequests.ofOthers
      ? ServiceBound(.requests, limit: Self.mostRequests.ofOthers, userID: own) : nil
  }

  /// Evaluates all requests of a client again.
  mutating func settle(_ id: ClientID, _ turn: inout Turn) {
    guard let gatedClient = gatedClients[id] else { return }
    for request in gatedClient.uses.keys.sorted(by: { $0.rawValue < $1.rawValue }) { move(request, of: id, &turn) }
    guard let gatedClient = gatedClients[id],
      gatedClient.shownUses != gatedClient.wasShown || gatedClient.isExposed != gatedClient.wasExposed
    else { return }
    gatedClients[id]?.noteUse()
    // No grant applies to an exempt client, so its use is not recorded.
    if !gatedClient.isExempt { ask(.uses(id, gatedClient.isUsing), &turn) }
    let user = LocationUser(gatedClient.client.identity, name: gatedClient.client.name)
    show(.uses(id, user, gatedClient.shownUses, isExposed: gatedClient.isExposed), &turn)
  }

  private mutating func move(_ request: RequestID, of id: ClientID, _ turn: inout Turn) {
    guard let gatedClient = gatedClients[id], let use = gatedClient.uses[request] else { return }
    let stage = use.stage
    let verdict = verdict(on: use, of: gatedClient, at: turn.now)
    // The request is passed on before its check is canceled, so that no receiver is closed and reopened in between.
    defer { moveCheck(of: request, of: id, had: use.hasCheck, &turn) }
    switch (stage, verdict) {
    case (.passed, .passes), (.waiting, .waits), (.resting, .rests), (.paused, .pauses): return
    // What is held is delivered before the client learns that nothing follows.
    case (.passed, .rests), (.passed, .pauses):
      turn.actions += release(id, at: turn.present)
      turn.actions.append(.pass(id, .cancel(request)))
    // The request leaves the service, whatever its next stage is.
    case (.passed, _): turn.actions.append(.pass(id, .cancel(request)))
    case (.new, _), (.waiting, _), (.resting, _), (.paused, _): break
    }
    switch verdict {
    case .passes:
      gatedClients[id]?.uses[request]?.move(to: .passed, at: turn.present)
      if stage == .resting || stage == .waiting && !gatedClient.isProcess {
        turn.actions.append(.send(id, .streamChanged(request, .resumed)))
      }
      if stage == .paused { turn.actions.append(.send(id, .streamChanged(request, .unpaused))) }
      turn.actions.append(.pass(id, use.remaining(at: turn.now)))
    case .waits:
      dropDeferral(of: request, id, .undecided(isAsked: false), &turn)
      gatedClients[id]?.uses[request]?.move(to: .waiting, at: turn.present)
      // A program learns this from its authorization state; a log needs the event.
      if !gatedClient.isProcess { turn.actions.append(.send(id, .streamChanged(request, .suspended))) }
    case .rests:
      gatedClients[id]?.uses[request]?.move(to: .resting, at: turn.present)
      turn.actions.append(.send(id, .streamChanged(request, .suspended)))
    case .pauses:
      gatedClients[id]?.uses[request]?.move(to: .paused, at: turn.present)
      turn.actions.append(.send(id, .streamChanged(request, .paused)))
    case .fails(let denial):
      dropDeferral(of: request, id, denial, &turn)
      gatedClients[id]?.uses[request] = nil
      fail(request, of: id, denial, &turn)
    }
  }

  /// Starts or stops the service's check for the end of a pause.
  private mutating func moveCheck(of request: RequestID, of id: ClientID, had: Bool, _ turn: inout Turn) {
    let use = gatedClients[id]?.uses[request]
    let wants = use.map { $0.wantsCheck && $0.stage == .paused } ?? false
    guard wants != had else { return }
    gatedClients[id]?.uses[request]?.hasCheck = wants
    guard let use, wants else { return turn.actions.append(.pass(id, .cancel(LocationUse.check(of: request)))) }
    turn.actions.append(.pass(id, use.check))
  }

  /// The client's access is not the only condition: reduced accuracy also needs a grid.
  private func verdict(on use: LocationUse, of gatedClient: GatedClient, at now: Instant) -> GatedClient.Verdict {
    let verdict = gatedClient.verdict(on: use, at: now)
    return verdict == .passes && gatedClient.isReduced && !canReduce ? .fails(.noGrid) : verdict
  }

  func fail(_ request: RequestID, of id: ClientID, _ denial: AuthorizationDenial, _ turn: inout Turn) {
    let denial = denial == .servicesOff && isOffByLoss ? .decisionsLost : denial
    let failure = LocationFailure.notAuthorized(denial, identity: gatedClients[id]?.client.identity)
    turn.actions.append(.send(id, .failed(request, failure)))
  }
}
