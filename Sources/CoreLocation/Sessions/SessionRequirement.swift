import CCoreLocation

/// What a session wants, and what stands against it.
struct SessionRequirement: Hashable, Sendable {
  var authorization: CLServiceSession.AuthorizationRequirement
  var wantsFullAccuracy = false

  /// Nothing: all that is wanted is there.
  func obstacles(in state: AuthorizationState) -> Circumstances {
    // Whoever looks at the one flag alone sees that the location is denied.
    guard state.isServiceEnabled else { return [.authorizationDenied, .authorizationDeniedGlobally] }
    switch state.status {
    case .denied: return .authorizationDenied
    case .restricted: return .authorizationRestricted
    case .notDetermined:
      if state.isAsking { return .authorizationRequestInProgress }
      return authorization == .none ? .serviceSessionRequired : .insufficientlyInUse
    case .authorizedAlways: return accuracyObstacles(in: state)
    case .authorizedWhenInUse:
      return accuracyObstacles(in: state).union(levelObstacles(in: state)).union(
        state.isInUse ? [] : .insufficientlyInUse)
    @unknown default: return .authorizationRestricted
    }
  }

  private func levelObstacles(in state: AuthorizationState) -> Circumstances {
    guard authorization == .always else { return [] }
    return state.isAsking ? .authorizationRequestInProgress : .alwaysAuthorizationDenied
  }

  private func accuracyObstacles(in state: AuthorizationState) -> Circumstances {
    guard wantsFullAccuracy, state.accuracy == .reducedAccuracy else { return [] }
    return state.isAsking ? .authorizationRequestInProgress : .fullAccuracyDenied
  }
}
