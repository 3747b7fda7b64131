import CCoreLocation
import LocationIPC
import LocationPolicy

/// What this program may have, in Apple's terms.
extension AuthorizationState {
  var status: CLAuthorizationStatus {
    switch authorization.level {
    case .notDetermined: .notDetermined
    case .restricted: .restricted
    case .denied: .denied
    case .whenInUse: .authorizedWhenInUse
    case .always: .authorizedAlways
    }
  }

  var accuracy: CLAccuracyAuthorization { authorization.isReduced ? .reducedAccuracy : .fullAccuracy }
}

extension Circumstances {
  /// Why locations do not come, or not as exactly.
  init(_ state: AuthorizationState) {
    let diagnostics = AuthorizationDiagnostics(state.authorization, presence: state.presence)
    self = []
    if diagnostics.authorizationDenied { insert(.authorizationDenied) }
    // Whoever looks at the one flag alone sees that the location is denied.
    if diagnostics.authorizationDeniedGlobally { formUnion([.authorizationDenied, .authorizationDeniedGlobally]) }
    if diagnostics.authorizationRestricted { insert(.authorizationRestricted) }
    if diagnostics.insufficientlyInUse { insert(.insufficientlyInUse) }
    if diagnostics.authorizationRequestInProgress { insert(.authorizationRequestInProgress) }
    if diagnostics.accuracyLimited { insert(.accuracyLimited) }
    if diagnostics.alwaysAuthorizationDenied { insert(.alwaysAuthorizationDenied) }
  }
}

extension CLError {
  /// What an answer comes to: a person's no is no error.
  init?(_ answer: FullAccuracyAnswer) {
    switch answer {
    case .granted, .refused: return nil
    case .promptDeclined: self.init(.promptDeclined)
    }
  }
}
