package import LocationPolicy

/// What a client asks about who may know where the machine is.
package enum AuthorizationRequest: Hashable, Sendable {
  /// What this client may have, until `.cancel`: the first `.state` at once, one more with every change.
  case watch
  /// Asks the person in charge for while-in-use, or for always; answered by `.done` whether or not anything came of it, as
  /// `watch` tells, or by `.failed` where the request does nothing. `purpose` describes both levels where the client's greeting
  /// did not (`CLLocationManager.purpose`).
  case ask(always: Bool, purpose: String? = nil)
  /// Asks for exact positions for now; answered by `.fullAccuracy`.
  case askFullAccuracy(purposeKey: String)
  /// Puts questions to a person, until `.cancel`: `.question` and `.withdrawn` events.
  case serveQuestions
  /// What the person has said; answered by `.done` or `.failed`.
  case answer(QuestionNumber, Answer)
  /// What has been granted, and what is asked for; answered by `.grants`.
  case list
  /// Decides without a question; answered by `.done` or `.failed`.
  case decide(ClientIdentity, Decision)
  /// Switches the whole service on or off; answered by `.done` or `.failed`.
  case setServices(isOn: Bool)

  /// Whether it goes on until it is cancelled.
  package var isStream: Bool {
    switch self {
    case .watch, .serveQuestions: true
    case .ask, .askFullAccuracy, .answer, .list, .decide, .setServices: false
    }
  }
}

/// What the service tells of who may know where the machine is.
package enum AuthorizationAnswer: Hashable, Sendable {
  case state(AuthorizationState)
  /// To be put to a person.
  case question(Question)
  /// The question is over, however it ended.
  case withdrawn(QuestionNumber)
  case fullAccuracy(FullAccuracyAnswer)
  case grants(GrantList)

  /// Whether nothing follows for its request.
  package var isLast: Bool {
    switch self {
    case .state, .question, .withdrawn: false
    case .fullAccuracy, .grants: true
    }
  }
}

/// Why a client is not told where the machine is, or may not do what it asks.
package enum AuthorizationDenial: Hashable, Sendable {
  /// The service is switched off for everybody.
  case servicesOff
  /// The same, as what was decided is not known any more.
  case decisionsLost
  case denied
  case restricted
  /// Nobody has decided. `isAsked`: somebody who can is being asked.
  case undecided(isAsked: Bool)
  /// Nobody has decided, and nobody is asked, as the request does nothing.
  case notAsked(IgnoredRequest)
  /// While in use is granted, and the client is in the background.
  case inBackground
  /// Only always will do, as for a log.
  case needsAlways
  /// Only exact positions will do, and the accuracy is reduced. `always`: the client has always, or nothing less would do, as it is
  /// in the background.
  case needsFullAccuracy(always: Bool)
  /// The accuracy is reduced, and what reduces it cannot be had.
  case noGrid
  /// Only root and members of the groups `location`, `dialout` and `uucp` may do that.
  case notInCharge
  /// It belongs to another user.
  case notOwner
  /// A decision that does not hold.
  case decision(DecisionRefusal)
  /// The question that was answered is not open, or is another agent's.
  case noSuchQuestion
  /// The kernel does not vouch for the client: its process has ended, or its number has gone to another.
  case unidentified

  /// Whether somebody has said no; else it is only not yes.
  package var isRefusal: Bool {
    switch self {
    case .servicesOff, .decisionsLost, .denied, .restricted, .needsAlways, .needsFullAccuracy, .notInCharge, .notOwner,
      .decision,
      .noSuchQuestion, .unidentified:
      true
    case .undecided, .notAsked, .inBackground, .noGrid: false
    }
  }
}

/// What a client may have now, and whether it is in use.
package struct AuthorizationState: Hashable, Sendable {
  package var authorization: Authorization
  package var presence: ClientPresence

  package init(_ authorization: Authorization, presence: ClientPresence) {
    self.authorization = authorization
    self.presence = presence
  }
}

/// What has been granted, and what is asked for, as far as the one who asks has a say.
package struct GrantList: Hashable, Sendable {
  /// Whether the service is switched on.
  package var isOn: Bool
  package var grants: [Grant] = []
  /// The questions that wait for an answer, the oldest first.
  package var pending: [Question] = []

  package init(isOn: Bool) { self.isOn = isOn }
}

/// One line of the list of who uses location, as long ago as its clock and the reader's agree on.
package struct UsageDescription: Hashable, Sendable {
  package var user: LocationUser
  package var mark: LocationUsage.Mark
  package var uses: LocationUses
  /// For how long it has, without an interruption; `nil`: not now.
  package var usedFor: Duration?
  /// How long ago it last did; `nil`: never.
  package var usedAgo: Duration?

  package init(_ user: LocationUser, mark: LocationUsage.Mark, uses: LocationUses) {
    self.user = user
    self.mark = mark
    self.uses = uses
  }
}
