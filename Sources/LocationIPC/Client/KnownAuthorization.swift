import LocationPolicy

/// What a process knows of what it may have, from the moment it looks for a service: the service decides where there is one,
/// and nobody does where the process drives receivers itself.
package struct KnownAuthorization: Sendable {
  package enum Input: Hashable, Sendable {
    /// A service is there, and is being asked.
    case served
    /// None is there.
    case unserved
    /// One is there that this user may not speak to: that is its word.
    case forbidden
    /// The service's word.
    case told(AuthorizationState)
    /// It has not come in the time that anybody waits for it.
    case overdue
    /// What is there lets this process go for good, or is no service.
    case broken
    /// Whether receivers that the process drives itself can be read.
    case readable(Bool)
  }

  private enum State: Hashable {
    case unknown
    /// A service could not be reached in the time that anybody waits for it.
    case unreached
    /// Nobody decides.
    case own(isReadable: Bool)
    /// The service is being asked; until it answers, what was known before holds.
    case awaited(AuthorizationState?)
    case decided(AuthorizationState)
    case forbidden
    /// What was known last holds.
    case broken(AuthorizationState?)
  }

  private var state = State.unknown

  /// Nothing is known, and no service was looked for.
  package init() {}

  /// What the process may have; `nil`: not known yet.
  package var current: AuthorizationState? {
    switch state {
    case .unknown, .awaited(nil): nil
    case .awaited(let known?), .decided(let known): known
    case .unreached: Self.state(.notDetermined)
    case .own(isReadable: true): Self.state(.always)
    case .own(isReadable: false), .forbidden: Self.state(.denied)
    // What is no service decides nothing; that no location comes is told to who asks for one.
    case .broken(let known): known ?? Self.state(.always)
    }
  }

  /// Whether somebody is there who can be asked.
  package var isServed: Bool {
    switch state {
    case .awaited, .decided: true
    case .unknown, .unreached, .own, .forbidden, .broken: false
    }
  }

  /// Whether a service has said what the process may have, and is not being asked anew.
  package var isAnswered: Bool { if case .decided = state { true } else { false } }

  /// Takes what is found out; what the process may have where that has changed, or is known now.
  package mutating func handle(_ input: Input) -> AuthorizationState? {
    let before = current
    switch (state, input) {
    case (_, .served): state = .awaited(before)
    case (.own, .unserved): break
    case (_, .unserved): state = .own(isReadable: true)
    case (_, .forbidden): state = .forbidden
    case (.awaited, .told(let told)), (.decided, .told(let told)): state = .decided(told)
    case (.unknown, .told), (.unreached, .told), (.own, .told), (.forbidden, .told), (.broken, .told): break
    // Nobody has decided, as far as anybody knows.
    case (.awaited(nil), .overdue): state = .awaited(Self.state(.notDetermined))
    case (.unknown, .overdue): state = .unreached
    case (_, .overdue): break
    case (.awaited, .broken), (.decided, .broken): state = .broken(before)
    case (.unknown, .broken), (.unreached, .broken), (.own, .broken), (.forbidden, .broken), (.broken, .broken): break
    case (.own, .readable(let isReadable)): state = .own(isReadable: isReadable)
    // Its receivers are the service's own matter.
    case (_, .readable): break
    }
    return current == before ? nil : current
  }

  private static func state(_ level: AuthorizationLevel) -> AuthorizationState {
    AuthorizationState(Authorization(level), presence: .inUse)
  }
}

extension AuthorizationState {
  /// Whether locations may be told at all.
  package var isGranted: Bool {
    switch authorization.level {
    case .whenInUse, .always: true
    case .notDetermined, .restricted, .denied: false
    }
  }
}
