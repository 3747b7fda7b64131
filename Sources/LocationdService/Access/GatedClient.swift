import Geodesy
import LocationIPC
import LocationPolicy

/// One client, as the gate knows it: its current authorization, and its requests that need authorization.
struct GatedClient: Sendable {
  let client: AuthorizationClient
  /// Whether it is a program rather than a log or a monitoring list, which resume by themselves when they have access again.
  let isProcess: Bool
  private(set) var presence: ClientPresence
  private(set) var authorization = Authorization(.notDetermined)
  /// Its active requests for locations, including waiting ones.
  var uses: [RequestID: LocationUse] = [:]
  /// Its requests that receive every change of its authorization.
  var watches: [RequestID] = []
  /// Its request to show prompts to the user, as an agent.
  var agentRequest: RequestID?
  private var fullAccuracyRequests: [RequestID] = []

  init(_ client: AuthorizationClient, isProcess: Bool) {
    self.client = client
    self.isProcess = isProcess
    presence = client.presence
  }

  /// Whether positions reach it reduced: by its authorization, or because it asks for no more.
  var isReduced: Bool { authorization.isReduced || client.takesOnlyReduced }

  var state: AuthorizationState { AuthorizationState(authorization, presence: presence) }

  /// Whether grants do not apply to it, so that only the switch for all clients does.
  var isExempt: Bool { client.answerer.isExempt }

  /// Whether it has Always access, by a grant or by its account.
  var hasAlways: Bool { isExempt || authorization.level == .always }

  /// Its streams that are held back, by cause.
  var heldStreams: (paused: Int, resting: Int, undecided: Int) {
    uses.values.reduce(into: (0, 0, 0)) { held, use in
      guard use.background != nil else { return }
      switch use.stage {
      case .paused: held.paused += 1
      case .resting: held.resting += 1
      case .waiting: held.undecided += 1
      case .new, .passed: break
      }
    }
  }

  /// Whether movement ends one of its pauses, so that any position is of interest.
  var awaitsMovement: Bool { !client.canReturn && uses.values.contains { $0.stage == .paused } }

  /// Whether it has access to exact positions now.
  var hasExactAccess: Bool {
    !client.takesOnlyReduced && (isExempt || authorization.allows(presence) && !authorization.isReduced)
  }

  /// Whether it uses locations now.
  var isUsing: Bool { !shownUses.isDisjoint(with: .solid) }

  /// Whether it is in the background although it is authorized only while in use.
  var isExposed: Bool { presence == .background && authorization.level == .whenInUse && !isExempt }

  var nextDeadline: Instant? { uses.values.compactMap(\.deadline).min() }
  /// The same for pauses and deferred updates, in the service's time.
  var nextPauseDeadline: Instant? { uses.values.compactMap(\.pauseDeadline).min() }

  func isOverdue(at now: Instant, _ present: Instant) -> Bool {
    nextDeadline.map { now >= $0 } ?? false || nextPauseDeadline.map { present >= $0 } ?? false
      || uses.values.contains { $0.isUnsettled }
  }

  mutating func wake(at now: Instant) { for request in uses.keys { uses[request]?.wake(at: now) } }

  /// The uses that were last reported to the authorization state machine and to the indicator.
  private(set) var (wasShown, wasExposed): (LocationUses, Bool) = ([], false)

  mutating func noteUse() { (wasShown, wasExposed) = (shownUses, isExposed) }

  func isPassed(_ request: RequestID) -> Bool { uses[request]?.stage == .passed }

  /// The accuracy in which a request's positions pass.
  enum GrantedAccuracy {
    case exact
    case reduced
  }

  /// `nil`: they do not pass.
  func passage(of request: RequestID) -> GrantedAccuracy? {
    guard isPassed(request) else { return nil }
    return isReduced ? .reduced : .exact
  }

  /// Whether it learns how well satellites are received. A client with reduced accuracy gets delayed coarse positions, which present
  /// reception would contradict; and the radius changes with nearly every fix, so that to report it would wake a client that defers its
  /// updates.
  func receivesReception(for request: RequestID) -> Bool {
    guard let use = uses[request] else { return false }
    return use.stage == .passed && !isReduced && use.held == nil
  }

  /// Handles a fix of one of its streams, or of the check for the end of a stream's pause. Returns in which accuracy the fix passes, and
  /// whether the stream or its check must now stop or resume (`LocationUse.isUnsettled`).
  mutating func receive(
    _ fix: PositionFix, of request: RequestID, at now: Instant
  ) -> (accuracy: GrantedAccuracy?, isUnsettled: Bool) {
    guard let index = uses.index(forKey: request) else {
      // The client does not receive the fixes of a check.
      guard let checked = uses.index(forKey: LocationUse.check(of: request)), uses.values[checked].hasCheck else {
        return (nil, false)
      }
      return (nil, uses.values[checked].receive(fix, at: now))
    }
    guard uses.values[index].stage == .passed else { return (nil, false) }
    return (isReduced ? .reduced : .exact, uses.values[index].receive(fix, at: now))
  }

  mutating func change(to presence: ClientPresence, at now: Instant) {
    self.presence = presence
    for request in uses.keys { uses[request]?.receive(presence, at: now) }
  }

  mutating func change(to authorization: Authorization) {
    self.authorization = authorization
    let isAlways = hasAlways
    for request in uses.keys { uses[request]?.receive(isAlways: isAlways) }
  }

  /// Whether a stream has not sent this position yet; records that it has.
  mutating func isUpdate(_ fix: PositionFix, for request: RequestID) -> Bool {
    guard uses[request]?.lastReported != fix.receivedAt else { return false }
    uses[request]?.lastReported = fix.receivedAt
    return true
  }

  mutating func noteFullAccuracyRequest(_ request: RequestID) { fullAccuracyRequests.append(request) }

  mutating func takeFullAccuracyRequests() -> [RequestID] {
    defer { fullAccuracyRequests = [] }
    return fullAccuracyRequests
  }

  mutating func dropFullAccuracyRequest(_ request: RequestID) { fullAccuracyRequests.removeAll { $0 == request } }

  // MARK: -

  /// What happens to a request in the current state.
  enum Verdict: Hashable {
    case passes
    /// There is no decision yet.
    case waits
    /// Updates are suspended while the client is in the background.
    case rests
    /// Updates are paused because they would be of no use.
    case pauses
    case fails(AuthorizationDenial)
  }

  func verdict(on use: LocationUse, at now: Instant) -> Verdict {
    let verdict = strictVerdict(on: use, at: now)
    // No user is present to start a log or the monitoring of a list again.
    if !isProcess, case .fails = verdict { return .waits }
    return verdict
  }

  private func strictVerdict(on use: LocationUse, at now: Instant) -> Verdict {
    if let refusal = refusal(of: use.need) { return .fails(refusal) }
    if use.isPaused { return .pauses }
    if isExempt { return use.background?.isSuspended == true ? .rests : .passes }
    if authorization.level == .notDetermined { return undecided(use, at: now) }
    // The program is not launched; the desktop shows the notification (Documentation/Behavior.md, "Regions").
    if use.monitoring == .notifications { return .passes }
    if let background = use.background { return background.isSuspended ? .rests : .passes }
    return authorization.allows(presence) ? .passes : .fails(.inBackground)
  }

  /// Why it has no access to what it needs; `nil`: it has access, or there is no decision yet.
  private func refusal(of need: LocationUse.Need) -> AuthorizationDenial? {
    if authorization.isOffForAll { return .servicesOff }
    if isExempt { return nil }
    switch authorization.level {
    case .denied: return .denied(inBackground: presence == .background)
    case .restricted: return .restricted(inBackground: presence == .background)
    case .notDetermined: return nil
    case .whenInUse, .always: break
    }
    if need == .everything, authorization.level != .always { return .needsAlways }
    guard need != .position, authorization.isReduced else { return nil }
    return lackOfFullAccuracy
  }

  /// The denial of what needs full accuracy.
  var lackOfFullAccuracy: AuthorizationDenial {
    .needsFullAccuracy(always: authorization.level == .always || presence == .background)
  }

  /// Why the fixes that are held for a stream must not be delivered any more; `nil`: its access has not become less.
  func denial(ofHeld use: LocationUse, since former: Authorization) -> AuthorizationDenial? {
    if let refusal = refusal(of: .position) { return refusal }
    if isExempt { return nil }
    if authorization.isReduced { return lackOfFullAccuracy }
    if authorization.level == .notDetermined, former.level != .notDetermined { return .undecided(isAsked: false) }
    let isOnlyInUse = former.level == .always && authorization.level == .whenInUse
    return isOnlyInUse && use.background?.isSuspended == true ? .inBackground : nil
  }

  /// Why a log must not start: it records in the background, for an unlimited time. An import also fills the disk, and
  /// creates logs. Existing recordings stay available to their owner.
  func denial(of request: LogRequest) -> AuthorizationDenial? {
    switch request {
    case .start, .addImported: denialOfStorage
    case .stop, .remove, .list, .read, .readSealed, .readOn, .rename, .note, .notes, .follow, .followSealed, .followOn,
      .finishImport:
      nil
    }
  }

  private var denialOfStorage: AuthorizationDenial? {
    if let refusal = refusal(of: .everything) { return refusal }
    return isExempt || authorization.level != .notDetermined ? nil : .undecided(isAsked: false)
  }

  /// Why nothing more may be monitored for it. Without a decision the request is stored until there is one.
  func denial(of request: MonitoringRequest) -> AuthorizationDenial? {
    switch request {
    case .add: refusal(of: .exactPosition)
    case .setVisits(_, true, _, _), .setSignificantChanges(_, true, _, _): refusal(of: .position)
    // The exact places of the past are not accessible with reduced accuracy.
    case .visits, .importedVisits: refusal(of: .exactPosition)
    case .importVisits: denialOfStorage
    case .setVisits, .setSignificantChanges, .remove, .removeAll, .removeVisits, .state, .read, .lists, .follow,
      .acknowledge, .room:
      nil
    }
  }

  /// Why no server is asked for places for it. Nobody is asked for access for that: the data on this machine has an answer as well.
  var denialOfPlaces: AuthorizationDenial? {
    if let refusal = refusal(of: .position) { return refusal }
    if isExempt { return nil }
    guard authorization.level != .notDetermined else { return .undecided(isAsked: false) }
    return authorization.allows(presence) ? nil : .inBackground
  }

  /// Whether it has access to events of that kind now. An event is not sent if access was revoked after it happened.
  func mayReceive(of subject: MonitoringSubject) -> Bool {
    let need: LocationUse.Need = if case .region = subject { .exactPosition } else { .position }
    return refusal(of: need) == nil && (isExempt || authorization.allows(presence))
  }

  /// Its current uses of location, as the indicator shows them.
  var shownUses: LocationUses {
    var shown: LocationUses = []
    for use in uses.values where use.stage == .passed {
      switch use.monitoring {
      case nil: shown.insert(.location)
      case .visits?: shown.insert(.visits)
      case .significantChanges?: shown.insert(.significantChanges)
      default: shown.insert(.fences)
      }
    }
    return shown
  }

  private func undecided(_ use: LocationUse, at now: Instant) -> Verdict {
    if let ignored = use.ignored { return .fails(.notAsked(ignored)) }
    let isAsked = authorization.isPending && authorization.canBeAnswered
    if let deadline = use.deadline, now >= deadline { return .fails(.undecided(isAsked: isAsked)) }
    return switch use.notDeterminedPolicy {
    case .waits: .waits
    case .asks where isAsked: .waits
    case .asks, .fails: .fails(.undecided(isAsked: isAsked))
    }
  }
}
