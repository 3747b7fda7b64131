/// What a client may have at this moment, and what it is to be told of it.
package struct Authorization: Hashable, Sendable {
  package var level: AuthorizationLevel
  /// Whether positions are given as the point of a coarse grid.
  package var isReduced = false
  /// Whether the whole service is switched off; then `level` is `.denied`.
  package var isOffForAll = false
  /// Whether somebody has been, or is still to be, asked about a request.
  package var isPending = false
  /// Whether a pending request has been put to somebody who can answer it.
  package var canBeAnswered = false
  /// Whether the step from when-in-use to always has been asked for and refused; it is not asked for again.
  package var isAlwaysRefused = false

  package init(_ level: AuthorizationLevel) { self.level = level }

  /// Whether positions may be told now.
  package func allows(_ presence: ClientPresence) -> Bool {
    switch level {
    case .always: true
    case .whenInUse: presence == .inUse
    case .notDetermined, .restricted, .denied: false
    }
  }
}

/// What a client may have, in the order of CLAuthorizationStatus.
package enum AuthorizationLevel: Hashable, Sendable, CaseIterable {
  case notDetermined
  /// Refused by root, so that no one else can grant it.
  case restricted
  case denied
  case whenInUse
  case always
}

/// What somebody with a say decides for an identity without having been asked.
package enum Decision: Hashable, Sendable {
  case whenInUse(isReduced: Bool)
  case always(isReduced: Bool)
  case denied
  /// Denied by root, so that nobody else can grant it.
  case restricted
  /// As if nothing had ever been decided or asked: the next request is asked about.
  case forget

  /// What it asks of the one who decides; `nil`: nothing is given.
  package var gives: Answerer.Ceiling? {
    switch self {
    case .whenInUse(let isReduced): Answerer.Ceiling(.whenInUse, isReduced: isReduced)
    case .always(let isReduced): Answerer.Ceiling(.always, isReduced: isReduced)
    case .denied, .restricted, .forget: nil
    }
  }
}

/// Why a decision does not hold.
package enum DecisionRefusal: Hashable, Sendable {
  /// The one who decides has no say over the identity.
  case noSay
  /// Only root restricts, or changes what is restricted.
  case onlyRoot
  /// It would give more than its user has.
  case aboveOwn
  /// As many identities as can be remembered have been decided; one has to be forgotten first.
  case full
  /// It would take what its account gives it: root, and the groups of those in charge and of those who own receivers.
  case byAccount
}

/// How a request for temporary full accuracy ends.
package enum FullAccuracyAnswer: Hashable, Sendable {
  case granted
  /// The person said no, which is no error (Documentation/Behavior.md, "Requests for authorization").
  case refused
  /// CLError.promptDeclined: nobody has been asked, or nobody any more.
  case promptDeclined(Reason)

  package enum Reason: Hashable, Sendable {
    /// The accuracy is not reduced.
    case isFull
    /// There is no grant whose accuracy could be raised, or the service is switched off.
    case notAuthorized
    case notInUse
    /// The purpose has no usage description.
    case noDescription
    /// Nobody is there who could answer; it is a question of this moment.
    case nobodyToAsk
    /// Another question about the identity waits for its answer, or too many do.
    case otherQuestion
  }
}

/// Why a request did nothing, for a line in the log; the client is not called back (Documentation/Behavior.md, "Requests for
/// authorization").
package enum IgnoredRequest: Hashable, Sendable {
  /// The usage description of the level is missing.
  case noDescription
  /// The client is in the background.
  case notInUse
  /// Allow Once is no step towards always.
  case allowedOnce
  /// As many identities as can be remembered have been decided.
  case full
}

/// Why positions stop or will stop, as CLLocationUpdate's and the sessions' diagnostics tell it
/// (Documentation/Behavior.md, "Live updates" and "Sessions").
package struct AuthorizationDiagnostics: Hashable, Sendable {
  package var authorizationDenied = false
  package var authorizationDeniedGlobally = false
  package var authorizationRestricted = false
  package var insufficientlyInUse = false
  package var authorizationRequestInProgress = false
  package var accuracyLimited = false
  /// Of a session that asked for always.
  package var alwaysAuthorizationDenied = false

  package init() {}

  /// What follows from what a client has and where it is.
  package init(_ authorization: Authorization, presence: ClientPresence) {
    authorizationRequestInProgress = authorization.isPending
    guard !authorization.isOffForAll else {
      authorizationDeniedGlobally = true
      return
    }
    switch authorization.level {
    case .notDetermined:
      // Nobody can be asked before it is in use.
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
