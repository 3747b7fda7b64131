import LocationIPC
import LocationPolicy

/// What the process knows about its own authorization, from the moment it connects to a service. If there is a service,
/// the service decides; if the process drives receivers itself, there is no decision.
struct KnownAuthorization: Sendable {
  enum Input: Hashable, Sendable {
    /// A service exists, and has been asked.
    case served
    /// There is no service.
    case unserved
    /// There is a service to which this user has no access, which counts as a denial.
    case forbidden
    /// The service's answer.
    case received(AuthorizationState)
    /// The answer has not arrived within the time that a client waits for it.
    case overdue
    /// The service disconnects this process permanently, or is not a valid service.
    case broken
    /// Whether receivers that the process drives itself are readable.
    case readable(Bool)
  }

  private enum State: Hashable {
    case unknown
    /// No service could be reached within the time that a client waits for it.
    case unreached
    /// The process drives receivers itself, and no service decides.
    case own(isReadable: Bool)
    /// The service was asked; until it answers, the last known state holds.
    case awaited(AuthorizationState?)
    case decided(AuthorizationState)
    case forbidden
    /// The last known state holds.
    case broken(AuthorizationState?)
  }

  private var state = State.unknown

  /// Creates a state in which nothing is known, and no service has been looked for.
  init() {}

  /// The authorization of the process; `nil`: unknown.
  var current: AuthorizationState? {
    switch state {
    case .unknown, .awaited(nil): nil
    case .awaited(let known?), .decided(let known): known
    case .unreached: Self.state(.notDetermined)
    case .own(isReadable: true): Self.state(.always)
    case .own(isReadable: false), .forbidden: Self.state(.denied)
    // An invalid service decides nothing; requests for locations report the failure.
    case .broken(let known): known ?? Self.state(.always)
    }
  }

  /// Whether there is a service that can be asked.
  var isServed: Bool {
    switch state {
    case .awaited, .decided: true
    case .unknown, .unreached, .own, .forbidden, .broken: false
    }
  }

  /// Whether the service has answered, and has not been asked again.
  var isAnswered: Bool { if case .decided = state { true } else { false } }

  /// Handles an input; returns the authorization of the process if it has changed or has become known.
  mutating func handle(_ input: Input) -> AuthorizationState? {
    let before = current
    switch (state, input) {
    case (_, .served): state = .awaited(before)
    case (.own, .unserved): break
    case (_, .unserved): state = .own(isReadable: true)
    case (_, .forbidden): state = .forbidden
    case (.awaited, .received(let received)), (.decided, .received(let received)): state = .decided(received)
    case (.unknown, .received), (.unreached, .received), (.own, .received), (.forbidden, .received),
      (.broken, .received):
      break
    // As far as this process knows, nothing has been decided.
    case (.awaited(nil), .overdue): state = .awaited(Self.state(.notDetermined))
    case (.unknown, .overdue): state = .unreached
    case (_, .overdue): break
    case (.awaited, .broken), (.decided, .broken): state = .broken(before)
    case (.unknown, .broken), (.unreached, .broken), (.own, .broken), (.forbidden, .broken), (.broken, .broken): break
    case (.own, .readable(let isReadable)): state = .own(isReadable: isReadable)
    // Only a process that drives receivers itself depends on whether it can read them.
    case (_, .readable): break
    }
    return current == before ? nil : current
  }

  private static func state(_ level: AuthorizationLevel) -> AuthorizationState {
    AuthorizationState(Authorization(level), presence: .inUse)
  }
}

extension AuthorizationState {
  /// Whether locations may be delivered at all.
  var isGranted: Bool {
    switch authorization.level {
    case .whenInUse, .always: true
    case .notDetermined, .restricted, .denied: false
    }
  }
}
