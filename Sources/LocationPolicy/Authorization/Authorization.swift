/// A client's current authorization, as it is reported to the client.
package struct Authorization: Hashable, Sendable {
  package var level: AuthorizationLevel
  /// Whether positions are reduced to the point of a coarse grid.
  package var isReduced = false
  /// Whether the whole service is switched off; then `level` is `.denied`.
  package var isOffForAll = false
  /// Whether a prompt about a request is open, or still to be shown.
  package var isPending = false
  /// Whether the prompt of the pending request is shown to a person who can answer it.
  package var canBeAnswered = false
  /// Whether the grant is when-in-use and a prompt for always has been answered: there is no further prompt for always.
  package var isAlwaysRefused = false

  package init(_ level: AuthorizationLevel) { self.level = level }

  /// Whether positions may be delivered now.
  package func allows(_ presence: ClientPresence) -> Bool {
    switch level {
    case .always: true
    case .whenInUse: presence == .inUse
    case .notDetermined, .restricted, .denied: false
    }
  }
}

/// The levels of authorization, in the order of CLAuthorizationStatus.
package enum AuthorizationLevel: UInt8, Hashable, Sendable, CaseIterable {
  case notDetermined = 0
  /// Denied by root; nobody else can grant it.
  case restricted = 1
  case denied = 2
  case whenInUse = 3
  case always = 4
}

/// What an authorized person decides for an identity without a prompt.
package enum Decision: Hashable, Sendable {
  case whenInUse(isReduced: Bool)
  case always(isReduced: Bool)
  case denied
  /// Denied by root, so that nobody else can grant it.
  case restricted
  /// Resets all decisions and prompts: the next request causes a prompt.
  case forget

  /// The level that the decision grants; the decider has to be allowed to grant it. `nil`: it grants nothing.
  package var gives: PromptResponder.GrantLimit? {
    switch self {
    case .whenInUse(let isReduced): PromptResponder.GrantLimit(.whenInUse, isReduced: isReduced)
    case .always(let isReduced): PromptResponder.GrantLimit(.always, isReduced: isReduced)
    case .denied, .restricted, .forget: nil
    }
  }
}

/// Why a decision, a change of the switch for the whole service or an agent is rejected.
package enum DecisionError: UInt8, Hashable, Sendable {
  /// The decider has no authority over the identity, or over the switch; the client may not be an agent.
  case noAuthority = 0
  /// Only root can restrict an identity, or change a restriction.
  case onlyRoot = 1
  /// It would grant more than the identity's user has.
  case aboveOwn = 2
  /// The maximum number of identities has decisions: one has to be forgotten first. Or there are too many agents.
  case full = 3
  /// It would withdraw what the account grants: to root, and to the groups of administrators and of users who can open the
  /// receivers.
  case byAccount = 4
}

/// How a request for temporary full accuracy ends.
package enum FullAccuracyAnswer: Hashable, Sendable {
  case granted
  /// The person refused, which is not an error (Documentation/Behavior.md, "Requests for authorization").
  case refused
  /// CLError.promptDeclined: there was no prompt, it can no longer be answered, or the client was no longer in use when it was
  /// answered with yes.
  case promptDeclined(Reason)

  package enum Reason: UInt8, Hashable, Sendable {
    /// The accuracy is already full.
    case isFull = 0
    /// There is no grant whose accuracy could be raised, or the service is switched off.
    case notAuthorized = 1
    case notInUse = 2
    /// The purpose has no usage description.
    case noDescription = 3
    /// No person who could answer is available at the moment.
    case noAgent = 4
    /// Another prompt for the identity is open, or too many prompts are.
    case otherQuestion = 5
  }
}

/// Why a request had no effect, for the log; the client gets no callback (Documentation/Behavior.md, "Requests for authorization").
package enum IgnoredRequest: UInt8, Hashable, Sendable {
  /// The usage description of the level is missing.
  case noDescription = 0
  /// The client is in the background.
  case notInUse = 1
  /// A grant of Allow Once cannot be upgraded to always.
  case allowedOnce = 2
  /// A maximum is reached: of identities with decisions, of open prompts, or of clients.
  case full = 3
}

/// Why positions stop or will stop, as in the diagnostics of CLLocationUpdate and of sessions (Documentation/Behavior.md, "Live
/// updates" and "Sessions").
package struct AuthorizationDiagnostics: Hashable, Sendable {
  package var authorizationDenied = false
  package var authorizationDeniedGlobally = false
  package var authorizationRestricted = false
  package var insufficientlyInUse = false
  package var authorizationRequestInProgress = false
  package var accuracyLimited = false
  /// For a session that requested always.
  package var alwaysAuthorizationDenied = false

  package init() {}

  /// The diagnostics for an authorization and a presence.
  package init(_ authorization: Authorization, presence: ClientPresence) {
    authorizationRequestInProgress = authorization.isPending
    guard !authorization.isOffForAll else {
      authorizationDeniedGlobally = true
      return
    }
    switch authorization.level {
    case .notDetermined:
      // There is no prompt before the client is in use.
      insufficientlyInUse = presence == .background && !authorization.isPending
    case .restricted: authorizationRestricted = true
    case .denied: authorizationDenied = true
    case .whenInUse:
      insufficientlyInUse = presence == .background
      accuracyLimited = authorization.isReduced
      alwaysAuthorizationDenied = authorization.isAlwaysRefused
    case .always: accuracyLimited = authorization.isReduced
    }
  }
}
