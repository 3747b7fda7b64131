import Geodesy
package import LocationIPC
package import LocationPolicy

/// Updates that a client in the background defers: the gate holds its fixes, and delivers them together (Documentation/Behavior.md,
/// "Deferred updates").
extension AccessGate {
  /// Whether a client's updates are deferred by the call with that number.
  package func hasDeferral(_ call: RequestID, of id: ClientID) -> Bool {
    gatedClients[id]?.deferredStream(by: call) != nil
  }

  /// Whether any of a client's updates are deferred.
  package func defers(_ id: ClientID) -> Bool { deferring.contains(id) }

  /// Whether fixes are held for any client.
  package var isHolding: Bool { deferring.contains { held(for: $0).fixes > 0 } }

  /// How many fixes are held for a client, in how many bytes.
  package func held(for id: ClientID) -> (fixes: Int, bytes: Int) { gatedClients[id]?.held ?? (0, 0) }

  /// Handles a client's call; it ends the previous one of the same stream.
  mutating func allowDeferral(
    _ call: RequestID, of stream: RequestID, _ limits: DeferralLimits, by id: ClientID, _ turn: inout Turn
  ) {
    guard let gatedClient = gatedClients[id], let use = gatedClient.uses[stream], let options = use.updateOptions
    else { return turn.actions.append(.send(id, .failed(call, .deferral(.notUpdating)))) }
    turn.actions += endDeferral(of: stream, id, .disallow, at: turn.present)
    // Reduced positions are delayed and seldom anyway.
    if gatedClient.authorization.isReduced, !gatedClient.isExempt {
      return fail(call, of: id, gatedClient.lackOfFullAccuracy, &turn)
    }
    gatedClients[id]?.uses[stream]?.held = HeldUpdates(call, isInForeground: gatedClient.presence == .inUse)
    deferring.insert(id)
    let conditions = DeferralConditions(options, hasReceiver: hasReceiver)
    turn.actions += endDeferral(of: stream, id, .allow(limits, conditions), at: turn.present)
  }

  /// Handles a fix of a stream. Returns whether it is delivered now; what else has to be delivered is in `due`.
  mutating func isDeliveredNow(_ fix: PositionFix, of request: RequestID, _ id: ClientID, at now: Instant) -> Bool {
    guard deferring.contains(id), gatedClients[id]?.uses[request]?.held != nil else {
      noteServed(id, at: now)
      return true
    }
    let early = gatedClients[id]?.isFull == true ? release(id, at: now) : []
    let outcomes = gatedClients[id]?.uses[request]?.held?.handle(.fix(fix), at: now) ?? []
    let caused = actions(outcomes, of: request, id, at: now)
    due += early + caused
    let isPassed = outcomes.contains { if case .pass = $0 { true } else { false } }
    if isPassed { noteServed(id, at: now) }
    return isPassed
  }

  /// A fix is delivered to a program: the machine is awake, and to hold back those of others saves nothing. A log, a destination and the
  /// monitoring are parts of the service, and wake no program.
  mutating func noteServed(_ id: ClientID, at now: Instant) {
    guard !deferring.isEmpty else { return }
    switch id {
    case .process, .network:
      let released = deferring.sorted().flatMap { release($0, at: now) }
      due += released
    case .target, .log, .fleet, .list, .monitoring: break
    }
  }

  /// Delivers what is held for a client; its updates stay deferred.
  mutating func release(_ id: ClientID, at now: Instant) -> [Action] {
    guard deferring.contains(id) else { return [] }
    return endDeferrals(id, .release, at: now)
  }

  /// The same for all clients.
  mutating func releaseAll(_ turn: inout Turn) {
    for id in deferring.sorted() { turn.actions += release(id, at: turn.present) }
  }

  /// Handles an input for the calls of all streams of a client.
  mutating func endDeferrals(_ id: ClientID, _ input: Deferral.Input, at now: Instant) -> [Action] {
    guard deferring.contains(id), let gatedClient = gatedClients[id] else { return [] }
    return gatedClient.deferredStreams.flatMap { endDeferral(of: $0, id, input, at: now) }
  }

  /// Handles an input for the call of one stream.
  mutating func endDeferral(
    of stream: RequestID, _ id: ClientID, _ input: Deferral.Input, at now: Instant
  ) -> [Action] {
    let outcomes = gatedClients[id]?.uses[stream]?.held?.handle(input, at: now) ?? []
    return actions(outcomes, of: stream, id, at: now)
  }

  /// Ends a call without what was held for it: the client's access was revoked or reduced.
  mutating func dropDeferral(of stream: RequestID, _ id: ClientID, _ denial: AuthorizationDenial, _ turn: inout Turn) {
    guard let call = gatedClients[id]?.uses[stream]?.held?.call else { return }
    forgetDeferral(of: stream, id)
    fail(call, of: id, denial, &turn)
  }

  /// Ends the calls of a client whose access has become less, before anything else happens to its requests: a fix that was computed
  /// under the former access is never delivered after that.
  mutating func dropDeferrals(of id: ClientID, since former: Authorization, _ turn: inout Turn) {
    guard deferring.contains(id), let gatedClient = gatedClients[id] else { return }
    for stream in gatedClient.deferredStreams {
      guard let use = gatedClient.uses[stream], let denial = gatedClient.denial(ofHeld: use, since: former) else {
        continue
      }
      dropDeferral(of: stream, id, denial, &turn)
    }
  }

  /// Cancels a call at the client's request: what is held is delivered, and no event follows for the call. Returns `false` if there is no
  /// such call.
  mutating func cancelDeferral(_ call: RequestID, of id: ClientID, _ turn: inout Turn) -> Bool {
    guard let stream = gatedClients[id]?.deferredStream(by: call) else { return false }
    turn.actions += release(id, at: turn.present)
    forgetDeferral(of: stream, id)
    return true
  }

  /// The stream ends or has ended: delivers what is held for it, and ends its call.
  mutating func finishDeferral(of stream: RequestID, _ id: ClientID, _ turn: inout Turn) {
    guard let call = gatedClients[id]?.uses[stream]?.held?.call else { return }
    turn.actions += endDeferral(of: stream, id, .release, at: turn.present)
    forgetDeferral(of: stream, id)
    turn.actions.append(.send(id, .failed(call, .deferral(.notUpdating))))
  }

  private mutating func forgetDeferral(of stream: RequestID, _ id: ClientID) {
    gatedClients[id]?.uses[stream]?.held = nil
    if gatedClients[id]?.deferredStreams.isEmpty ?? true { deferring.remove(id) }
  }

  private mutating func actions(
    _ outcomes: [HeldUpdates.Outcome], of stream: RequestID, _ id: ClientID, at now: Instant
  ) -> [Action] {
    outcomes.compactMap { outcome in
      switch outcome {
      case .pass: return nil
      case .deliver(let batch):
        let age = batch.newestArrival.map { max(.zero, now - $0) } ?? .zero
        return .send(id, .batch(stream, batch, age: age))
      case .finish(let failure):
        guard let call = gatedClients[id]?.uses[stream]?.held?.call else { return nil }
        forgetDeferral(of: stream, id)
        return .send(id, failure.map { .failed(call, .deferral($0)) } ?? .done(call))
      }
    }
  }
}

extension GatedClient {
  /// The streams whose updates are deferred, in order.
  var deferredStreams: [RequestID] {
    uses.filter { $0.value.held != nil }.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// The stream whose updates the call with that number defers.
  func deferredStream(by call: RequestID) -> RequestID? { uses.first { $0.value.held?.call == call }?.key }

  /// What is held for it.
  var held: (fixes: Int, bytes: Int) {
    uses.values.reduce((0, 0)) { sum, use in
      guard let batch = use.held?.batch else { return sum }
      return (sum.0 + batch.count, sum.1 + batch.bytes.count)
    }
  }

  /// Whether there may be no room for another fix.
  var isFull: Bool {
    let held = held
    return held.fixes >= FixBatch.capacity || held.bytes + FixBatch.longestFix > FixBatch.byteCapacity
  }
}
