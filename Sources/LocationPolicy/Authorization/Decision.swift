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
