package import LocationPolicy

/// A client's request about access to location.
package enum AuthorizationRequest: Hashable, Sendable {
  /// This client's authorization, until `.cancel`: the first `.state` at once, another one with every change.
  case watch
  /// Asks a person who can grant it for while-in-use, or for always; answered by `.done` regardless of the decision, which `watch`
  /// reports, or by `.failed` if the request has no effect. `purpose` describes both levels if the client's greeting did not
  /// (`CLLocationManager.purpose`).
  case ask(always: Bool, purpose: String? = nil)
  /// Asks for temporary full accuracy; answered by `.fullAccuracy`.
  case askFullAccuracy(purposeKey: String)
  /// Serves prompts to a person as an agent, until `.cancel`: `.question` and `.withdrawn` events.
  case serveQuestions
  /// The person's answer to a prompt; answered by `.done` or `.failed`.
  case answer(PromptNumber, PromptAnswer)
  /// The grants, and the pending prompts; answered by `.grants`.
  case list
  /// Makes a decision without a prompt; answered by `.done` or `.failed`.
  case decide(ClientIdentity, Decision)
  /// Switches location services on or off for all clients; answered by `.done` or `.failed`.
  case setServices(isOn: Bool)

  /// Whether the request continues until it is cancelled.
  package var isStream: Bool {
    switch self {
    case .watch, .serveQuestions: true
    case .ask, .askFullAccuracy, .answer, .list, .decide, .setServices: false
    }
  }
}

/// The service's answer to an `AuthorizationRequest`.
package enum AuthorizationAnswer: Hashable, Sendable {
  case state(AuthorizationState)
  /// A prompt to show to a person.
  case question(AuthorizationPrompt)
  /// The prompt has ended, with any result.
  case withdrawn(PromptNumber)
  case fullAccuracy(FullAccuracyAnswer)
  case grants(GrantList)

  /// Whether no event follows for its request.
  package var isLast: Bool {
    switch self {
    case .state, .question, .withdrawn: false
    case .fullAccuracy, .grants: true
    }
  }
}

/// Why a client receives no location, or may not do what it requests.
package enum AuthorizationDenial: Hashable, Sendable {
  /// Location services are off for all clients.
  case servicesOff
  /// The same, because the stored decisions were lost.
  case decisionsLost
  /// Refused. `inBackground`: the client is in the background, where only always helps it.
  case denied(inBackground: Bool)
  /// The same, by a restriction that only root can remove.
  case restricted(inBackground: Bool)
  /// Nothing has been decided. `isAsked`: a prompt is being shown.
  case undecided(isAsked: Bool)
  /// Nothing has been decided, and no prompt is shown, because the request has no effect.
  case notAsked(IgnoredRequest)
  /// While-in-use is granted, and the client is in the background.
  case inBackground
  /// The request requires always, as for a log.
  case needsAlways
  /// The request requires full accuracy, and the accuracy is reduced. `always`: the client has always, or would need it, because it
  /// is in the background.
  case needsFullAccuracy(always: Bool)
  /// The accuracy is reduced, and the grid that reduces it is unavailable.
  case noGrid
  /// Only root and members of the groups `location`, `dialout` and `uucp` may do that.
  case notAdministrator
  /// It belongs to another user.
  case notOwner
  /// The decision, or the change of the switch for all clients, is rejected.
  case decision(DecisionError)
  /// The prompt that was answered is not pending, or was not shown to this agent.
  case noSuchQuestion
  /// The kernel cannot identify the client: its process has ended, or its process ID has been reused.
  case unidentified

  /// Whether access was refused, rather than only not granted.
  package var isRefusal: Bool {
    switch self {
    case .servicesOff, .decisionsLost, .denied, .restricted, .needsAlways, .needsFullAccuracy, .notAdministrator,
      .notOwner,
      .decision,
      .noSuchQuestion, .unidentified:
      true
    case .undecided, .notAsked, .inBackground, .noGrid: false
    }
  }
}

/// A client's current authorization, and whether it is in use.
package struct AuthorizationState: Hashable, Sendable {
  package var authorization: Authorization
  package var presence: ClientPresence

  package init(_ authorization: Authorization, presence: ClientPresence) {
    self.authorization = authorization
    self.presence = presence
  }
}

/// The grants and pending prompts that the requester may see.
package struct GrantList: Hashable, Sendable {
  /// Whether location services are on.
  package var isOn: Bool
  package var grants: [Grant] = []
  /// The pending prompts, the oldest first.
  package var pending: [AuthorizationPrompt] = []

  package init(isOn: Bool) { self.isOn = isOn }
}

/// One entry of the list of location users, with times relative to now.
package struct UsageDescription: Hashable, Sendable {
  package var user: LocationUser
  package var mark: LocationUsage.Mark
  package var uses: LocationUses
  /// How long the current use has lasted without an interruption; `nil`: not in use.
  package var usedFor: Duration?
  /// Time since the last use; `nil`: never.
  package var usedAgo: Duration?

  package init(_ user: LocationUser, mark: LocationUsage.Mark, uses: LocationUses) {
    self.user = user
    self.mark = mark
    self.uses = uses
  }
}
