import Geodesy
import LocationIPC
import LocationPolicy

/// One client of another process, as the gate knows it: what it may have now, and its requests that need to be allowed.
struct Visitor: Sendable {
  let client: AuthorizationClient
  /// Whether it is a log, and no program.
  let isRecording: Bool
  private(set) var presence: ClientPresence
  private(set) var authorization = Authorization(.notDetermined)
  /// Its requests for locations that are under way, waiting ones included.
  var uses: [RequestID: LocationUse] = [:]
  /// Its requests that are told of every change of what it may have.
  var watches: [RequestID] = []
  /// Its request to put questions to a person.
  var agentRequest: RequestID?
  private var fullAccuracyRequests: [RequestID] = []

  init(_ client: AuthorizationClient, isRecording: Bool) {
    self.client = client
    self.isRecording = isRecording
    presence = client.presence
  }

  var state: AuthorizationState { AuthorizationState(authorization, presence: presence) }

  /// Whether what is granted makes no difference to it, and only the switch for all does.
  var isExempt: Bool { client.answerer.isExempt }

  /// Whether it has always, granted or by its account.
  var hasAlways: Bool { isExempt || authorization.level == .always }

  /// Its streams that are held back, by what holds them back.
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

  /// Whether one of its pauses ends by movement, so that any position is of interest.
  var awaitsMovement: Bool { !client.canReturn && uses.values.contains { $0.stage == .paused } }

  /// Whether it may have exact positions now.
  var hasExactAccess: Bool { isExempt || authorization.allows(presence) && !authorization.isReduced }

  /// Whether it has locations now.
  var isUsing: Bool { !shownUses.isDisjoint(with: .solid) }

  /// Whether it has them in the background, where it is authorized only while in use.
  var isExposed: Bool { presence == .background && authorization.level == .whenInUse && !isExempt }

  var nextDeadline: Instant? { uses.values.compactMap(\.deadline).min() }
  /// The same for pauses, in the service's time.
  var nextPauseDeadline: Instant? { uses.values.compactMap(\.pauseDeadline).min() }

  func isOverdue(at now: Instant, _ present: Instant) -> Bool {
    nextDeadline.map { now >= $0 } ?? false || nextPauseDeadline.map { present >= $0 } ?? false
      || uses.values.contains { $0.isUnsettled }
  }

  mutating func wake(at now: Instant) { for request in uses.keys { uses[request]?.wake(at: now) } }

  /// What the desk and the indicator were told last.
  private(set) var (wasShown, wasExposed): (LocationUses, Bool) = ([], false)

  mutating func noteUse() { (wasShown, wasExposed) = (shownUses, isExposed) }

  func isPassed(_ request: RequestID) -> Bool { uses[request]?.stage == .passed }

  /// How a position for a request goes through.
  enum Passage {
    case exact
    case reduced
  }

  /// `nil`: it does not.
  func passage(of request: RequestID) -> Passage? {
    guard isPassed(request) else { return nil }
    return authorization.isReduced ? .reduced : .exact
  }

  mutating func change(to presence: ClientPresence, at now: Instant) {
    self.presence = presence
    for request in uses.keys { uses[request]?.hear(presence, at: now) }
  }

  mutating func change(to authorization: Authorization) {
    self.authorization = authorization
    let isAlways = hasAlways
    for request in uses.keys { uses[request]?.hear(isAlways: isAlways) }
  }

  /// Whether a stream has not told this position yet; notes it.
  mutating func isNews(_ fix: PositionFix, for request: RequestID) -> Bool {
    guard uses[request]?.lastTold != fix.receivedAt else { return false }
    uses[request]?.lastTold = fix.receivedAt
    return true
  }

  mutating func noteFullAccuracyRequest(_ request: RequestID) { fullAccuracyRequests.append(request) }

  mutating func takeFullAccuracyRequests() -> [RequestID] {
    defer { fullAccuracyRequests = [] }
    return fullAccuracyRequests
  }

  mutating func dropFullAccuracyRequest(_ request: RequestID) { fullAccuracyRequests.removeAll { $0 == request } }

  // MARK: -

  /// What becomes of a request as things are.
  enum Verdict: Hashable {
    case passes
    /// Nobody has decided.
    case waits
    /// Updates rest while the client is in the background.
    case rests
    /// Updates would serve nobody there.
    case pauses
    case fails(AuthorizationDenial)
  }

  func verdict(on use: LocationUse, at now: Instant) -> Verdict {
    let verdict = strictVerdict(on: use, at: now)
    // What is recorded goes on when it may again: nobody is there to ask anew.
    if isRecording, case .fails = verdict { return .waits }
    return verdict
  }

  private func strictVerdict(on use: LocationUse, at now: Instant) -> Verdict {
    if let refusal = refusal(of: use.need) { return .fails(refusal) }
    if use.isPaused { return .pauses }
    if isExempt { return use.background?.isSuspended == true ? .rests : .passes }
    if authorization.level == .notDetermined { return undecided(use, at: now) }
    // The program is not run: it is the desktop that shows it (Documentation/Behavior.md, "Regions").
    if use.monitoring == .notices { return .passes }
    if let background = use.background { return background.isSuspended ? .rests : .passes }
    return authorization.allows(presence) ? .passes : .fails(.inBackground)
  }

  /// Why it may not have what it needs; `nil`: it may, or nobody has decided yet.
  private func refusal(of need: LocationUse.Need) -> AuthorizationDenial? {
    if authorization.isOffForAll { return .servicesOff }
    if isExempt { return nil }
    switch authorization.level {
    case .denied: return .denied
    case .restricted: return .restricted
    case .notDetermined: return nil
    case .whenInUse, .always: break
    }
    if need == .everything, authorization.level != .always { return .needsAlways }
    guard need != .position, authorization.isReduced else { return nil }
    return .needsFullAccuracy(always: authorization.level == .always || presence == .background)
  }

  /// Why a log may not be begun, which records in the background, for as long as it likes. What has been recorded is its owner's.
  func denial(of request: LogRequest) -> AuthorizationDenial? {
    guard case .start = request else { return nil }
    if let refusal = refusal(of: .everything) { return refusal }
    return isExempt || authorization.level != .notDetermined ? nil : .undecided(isAsked: false)
  }

  /// Why nothing more is monitored for it. Where nobody has decided yet it is kept until somebody has.
  func denial(of request: MonitoringRequest) -> AuthorizationDenial? {
    switch request {
    case .add: refusal(of: .exactPosition)
    case .setVisits(_, true, _, _), .setSignificantChanges(_, true, _, _): refusal(of: .position)
    // Where it has been exactly is not for who is told roughly.
    case .visits: refusal(of: .exactPosition)
    case .setVisits, .setSignificantChanges, .remove, .removeAll, .state, .read, .lists, .follow, .heard, .room: nil
    }
  }

  /// Whether it may be told now that something of that kind has happened. What was refused since then is not told.
  func mayHear(of subject: MonitoringSubject) -> Bool {
    let need: LocationUse.Need = if case .region = subject { .exactPosition } else { .position }
    return refusal(of: need) == nil && (isExempt || authorization.allows(presence))
  }

  /// What it uses location for now, as it is shown.
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
    return switch use.conduct {
    case .waits: .waits
    case .asks where isAsked: .waits
    case .asks, .fails: .fails(.undecided(isAsked: isAsked))
    }
  }
}
