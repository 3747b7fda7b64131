import Geodesy
import LocationIPC
import LocationPolicy

/// One iteration of live updates: its stream, its implicit session, and the updates that its loop receives from both
/// (Documentation/Behavior.md, "Live updates").
struct LiveMachine: Sendable {
  enum Input: Hashable, Sendable {
    case begin
    case end
    case updates(ManagerMachine.Input)
    case session(SessionMachine.Input)
    /// Whether updates continue in the background.
    case background(Bool)
  }

  enum Action: Hashable, Sendable {
    case startUpdates(RequestID, UpdateOptions)
    case cancel(RequestID)
    case askWhenInUse
    case deliver(PositionFix, DiagnosticFlags)
    case report(DiagnosticFlags)
  }

  private enum State {
    case idle
    case running
    /// The stream was denied; it starts again when access is granted.
    case denied
    case ended
  }

  private var state = State.idle
  private var updates: ManagerMachine
  private var session: SessionMachine
  private var options: UpdateOptions
  private var authorization: AuthorizationState?
  /// The obstacles to updates that were last reported to the loop.
  private var reported: DiagnosticFlags = []
  private var standing = StationaryPosition()
  /// Whether updates pause because the device does not move.
  private var isResting = false

  /// Updates pause after a standstill of this length, the same as in the monitors (`MonitoringIntervals.stillness`). Apple states
  /// no figure.
  private static let stillness: Duration = .seconds(120)
  /// A fix that is older at its delivery does not show how the device moves now.
  private static let freshness: Duration = .seconds(10)

  init(_ options: UpdateOptions, session: SessionMachine, numbers: RequestNumbers) {
    updates = ManagerMachine(numbers: numbers)
    self.options = options
    self.session = session
  }

  mutating func handle(_ input: Input) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .begin: actions += settle()
    case .end:
      state = .ended
      actions += process(updates.handle(.stop))
    case .updates(let input):
      if case .running = state { actions += process(updates.handle(input), isFresh: Self.isFresh(input)) }
    case .session(let input):
      if case .state(let now) = input { authorization = now }
      if case .ended = state { return [] }
      // Access has been granted in the meantime.
      if case .denied = state, case .state(let now) = input, now.isGranted { state = .idle }
      for action in session.handle(input) {
        switch action {
        case .ask: actions.append(.askWhenInUse)
        // The implicit session does not request full accuracy.
        case .askFullAccuracy: break
        case .report(let obstacles): actions += report(obstacles)
        }
      }
      actions += settle()
    case .background(let isAllowed):
      options.allowsBackground = isAllowed
      if case .running = state { actions += process(updates.handle(.change(options))) }
    }
    return actions
  }

  /// Starts or stops the stream, depending on whether a session covers it.
  private mutating func settle() -> [Action] {
    switch (state, session.isCovered) {
    case (.idle, true):
      state = .running
      return process(updates.handle(.start(options)))
    case (.running, false):
      state = .idle
      return process(updates.handle(.stop))
    case (.idle, false), (.running, true), (.denied, _), (.ended, _): return []
    }
  }

  private static func isFresh(_ input: ManagerMachine.Input) -> Bool {
    if case .stream(_, .reply(.fix(_, let age))) = input { age <= freshness } else { false }
  }

  private mutating func process(_ actions: [ManagerMachine.Action], isFresh: Bool = false) -> [Action] {
    actions.flatMap { action -> [Action] in
      switch action {
      case .startUpdates(let request, let options): return [.startUpdates(request, options)]
      case .cancel(let request): return [.cancel(request)]
      // Live updates never request one location.
      case .locate: return []
      case .deliver(let fix): return deliver(fix, isFresh: isFresh)
      // Live updates never request automatic pauses, and are never deferred.
      case .pause, .resume, .deferUpdates, .deliverTogether, .finishDeferral: return []
      case .fail(.locationUnknown):
        (standing, isResting) = (StationaryPosition(), false)
        return [.report(reported.union(.locationUnavailable))]
      case .fail(.denied):
        state = .denied
        // If the session has already reported the reason, it is not reported again.
        return reported.isDisjoint(with: [.authorizationDenied, .authorizationRestricted])
          ? report(reported.union(.authorizationDenied)) : []
      }
    }
  }

  /// Reports a standstill once, and then nothing until the device moves, or its location is no longer known.
  private mutating func deliver(_ fix: PositionFix, isFresh: Bool) -> [Action] {
    // A reduced location does not show whether the device moves.
    if authorization?.authorization.isReduced ?? false { return [.deliver(fix, .accuracyLimited)] }
    if isFresh, fix.qualityFlag == nil { standing.add(fix) }
    let wasResting = isResting
    // Updates continue for a vessel at anchor.
    let mayRest = options.activity != .maritime
    isResting = mayRest && standing.duration(at: fix.receivedAt).map { $0 >= Self.stillness } ?? false
    return isResting && wasResting ? [] : [.deliver(fix, isResting ? .stationary : [])]
  }

  /// Reports the obstacles to updates. That there are none any more is not reported, because the next update shows it.
  private mutating func report(_ obstacles: DiagnosticFlags) -> [Action] {
    guard obstacles != reported else { return [] }
    reported = obstacles
    return obstacles.isEmpty ? [] : [.report(obstacles)]
  }
}
