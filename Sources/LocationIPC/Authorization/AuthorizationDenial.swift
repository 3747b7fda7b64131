package import LocationPolicy

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
