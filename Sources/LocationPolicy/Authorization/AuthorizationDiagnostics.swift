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
