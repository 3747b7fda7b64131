/// Who answers a question, or decides without one, and what may be given by it.
///
/// A person in charge answers for everybody. Anybody's own unconfined program answers for what the same user runs confined,
/// and gives no more than the user has: that program could hand its own positions on anyway. Nothing confined answers for anybody,
/// itself neither.
package struct Answerer: Hashable, Sendable {
  package var identity: ClientIdentity
  package var standing: ClientStanding

  package init(_ identity: ClientIdentity, standing: ClientStanding) {
    self.identity = identity
    self.standing = standing
  }

  /// The most that can be given to a client.
  package struct Ceiling: Hashable, Sendable {
    package var level: AuthorizationLevel
    package var isReduced: Bool

    package init(_ level: AuthorizationLevel, isReduced: Bool = false) {
      self.level = level
      self.isReduced = isReduced
    }

    /// What a person in charge can give.
    package static let everything = Ceiling(.always)
  }

  package var isInCharge: Bool { standing == .inCharge && !identity.realm.isConfined }

  /// Whether it has always whatever is granted.
  package var isExempt: Bool { standing != .asks && !identity.realm.isConfined }

  /// Root alone restricts, and lifts a restriction.
  package var isRoot: Bool { isInCharge && identity.userID == 0 }

  /// Whether its word counts for the client at all, if only to refuse.
  package func hasSay(over client: ClientIdentity) -> Bool {
    if isInCharge { return true }
    guard identity.realm == .own, identity.userID == client.userID else { return false }
    switch client.realm {
    case .flatpak, .snap: return true
    case .own, .service, .container: return false
    }
  }

  /// The most that it can give to the client, where `own` is what the client's user has unconfined; `nil`: nothing.
  package func most(for client: ClientIdentity, own: Ceiling) -> Ceiling? {
    if isInCharge { return .everything }
    guard hasSay(over: client) else { return nil }
    switch own.level {
    case .whenInUse, .always: return own
    case .notDetermined, .restricted, .denied: return nil
    }
  }
}
