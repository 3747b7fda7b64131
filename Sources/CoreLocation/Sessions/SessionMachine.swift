import LocationIPC
import LocationPolicy

/// The requests of a session and the obstacles to it (Documentation/Behavior.md, "Sessions"): a session makes a request
/// once when it is possible, and again if the request became impossible in between.
struct SessionMachine: Sendable {
  /// The CLServiceSessions of this program.
  enum Coverage: Hashable, Sendable {
    case missing
    /// Only sessions that request nothing; they suffice once access is granted.
    case unasking
    case requiring
  }

  enum Input: Hashable, Sendable {
    case state(AuthorizationState)
    case coverage(Coverage)
    /// The request for a level was made: there is an open prompt, or there will be none.
    case asked
    case fullAccuracy(FullAccuracyAnswer)
  }

  enum Action: Hashable, Sendable {
    case ask(always: Bool)
    case askFullAccuracy(purposeKey: String)
    /// Report the obstacles to the session, when they change and at first.
    case report(DiagnosticFlags)
  }

  private enum Request: Hashable {
    case level(always: Bool)
    case fullAccuracy(purposeKey: String)
  }

  private enum PendingRequest: Hashable {
    case unasked
    case underWay
    case answered
  }

  private let requirement: SessionRequirement
  /// Whether an implicit session counts only together with a CLServiceSession (NSLocationRequireExplicitServiceSession).
  private let isExplicit: Bool
  /// Whether the program may continue in the background.
  private let mayRunInBackground: Bool
  private var coverage: Coverage
  private var state: AuthorizationState?
  /// Whether the program was in use when the session began.
  private var isBegunInUse = false
  private var request: Request?
  private var question = PendingRequest.unasked
  private var reported: DiagnosticFlags?

  init(
    _ requirement: SessionRequirement, isExplicit: Bool = false, mayRunInBackground: Bool = true,
    coverage: Coverage = .missing
  ) {
    self.requirement = requirement
    self.isExplicit = isExplicit
    self.mayRunInBackground = mayRunInBackground
    self.coverage = coverage
  }

  /// Whether the session counts: it needs no CLServiceSession, or a sufficient one exists.
  var isCovered: Bool {
    guard requirement.isImplicit, isExplicit else { return true }
    switch coverage {
    case .missing: return false
    case .unasking: return state?.isGranted ?? false
    case .requiring: return true
    }
  }

  /// Whether the session keeps the program in use.
  var isActive: Bool { requirement.isActivity && isCovered && isBegunInUse && mayRunInBackground && isGranted }

  private var isGranted: Bool { state?.isGranted ?? false }

  mutating func handle(_ input: Input) -> [Action] {
    switch input {
    case .state(let now):
      if state == nil { isBegunInUse = now.presence == .inUse }
      state = now
    case .coverage(let now): coverage = now
    case .asked: if case .level? = request, question == .underWay { question = .answered }
    case .fullAccuracy: if case .fullAccuracy? = request, question == .underWay { question = .answered }
    }
    guard let state else { return [] }
    let now = request(in: state)
    if now != request { (request, question) = (now, .unasked) }
    var actions: [Action] = []
    // One prompt at a time.
    if let request, question == .unasked, !state.authorization.isPending {
      question = .underWay
      switch request {
      case .level(let always): actions.append(.ask(always: always))
      case .fullAccuracy(let key): actions.append(.askFullAccuracy(purposeKey: key))
      }
    }
    let obstacles = obstacles(in: state)
    if obstacles != reported { actions.append(.report(obstacles)) }
    reported = obstacles
    return actions
  }

  /// The request that can be made now; `nil` if there is none, or if the user could not be prompted.
  private func request(in state: AuthorizationState) -> Request? {
    guard !(requirement.isImplicit && isExplicit), state.presence == .inUse, !state.authorization.isOffForAll else {
      return nil
    }
    switch (state.authorization.level, requirement.authorization) {
    case (.notDetermined, .whenInUse): return .level(always: false)
    case (.notDetermined, .always): return .level(always: true)
    case (.whenInUse, .always) where !state.authorization.isAlwaysRefused: return .level(always: true)
    case (.whenInUse, _), (.always, _):
      guard state.authorization.isReduced, let key = requirement.purposeKey else { return nil }
      return .fullAccuracy(purposeKey: key)
    case (.notDetermined, .none), (.denied, _), (.restricted, _): return nil
    }
  }

  private func obstacles(in state: AuthorizationState) -> DiagnosticFlags {
    // These flags concern sessions that request access at any time, and the delivery of locations.
    var found = DiagnosticFlags(state).subtracting([.alwaysAuthorizationDenied, .accuracyLimited])
    if !isCovered { found.insert(.serviceSessionRequired) }
    guard found.isDisjoint(with: [.authorizationDenied, .authorizationRestricted]) else { return found }
    if requirement.isActivity, !isBegunInUse || !mayRunInBackground { found.insert(.insufficientlyInUse) }
    if isActive { found.remove(.insufficientlyInUse) }
    let level = state.authorization.level
    if level == .notDetermined, requirement.authorization == .none, !state.authorization.isPending {
      found.insert(.serviceSessionRequired)
    }
    if level == .whenInUse, requirement.authorization == .always, state.authorization.isAlwaysRefused {
      found.insert(.alwaysAuthorizationDenied)
    }
    if let request, !state.authorization.isPending { found.formUnion(fate(of: request, at: level)) }
    return found
  }

  /// The state of a request while no prompt is known to be open.
  private func fate(of request: Request, at level: AuthorizationLevel) -> DiagnosticFlags {
    switch (question, request) {
    case (.underWay, _): .authorizationRequestInProgress
    case (.unasked, _): []
    case (.answered, .fullAccuracy): .fullAccuracyDenied
    // There is no prompt, for example because the program describes no purpose.
    case (.answered, .level): level == .whenInUse ? .alwaysAuthorizationDenied : .insufficientlyInUse
    }
  }
}

/// The requirements of a session.
struct SessionRequirement: Hashable, Sendable {
  var authorization: CLServiceSession.AuthorizationRequirement
  /// The purpose for which the session requests full accuracy; `nil` if it does not.
  var purposeKey: String?
  /// Whether the session was not started by the program but implicitly, for example by live updates.
  var isImplicit = false
  /// Whether the session keeps the program in use: it has to start while the program is in use, and continues in the
  /// background.
  var isActivity = false
}
