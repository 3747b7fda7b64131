import Testing

@testable import CoreLocation

/// What stands against a session, by what it wants and what the program has.
@Suite struct SessionRequirementTests {
  private func obstacles(
    _ wanted: CLServiceSession.AuthorizationRequirement, _ state: AuthorizationState, full: Bool = false
  ) -> Circumstances {
    SessionRequirement(authorization: wanted, wantsFullAccuracy: full).obstacles(in: state)
  }

  @Test(arguments: [CLServiceSession.AuthorizationRequirement.none, .whenInUse, .always])
  func whatIsDeniedIsDeniedToAll(wanted: CLServiceSession.AuthorizationRequirement) {
    #expect(obstacles(wanted, .init(status: .denied)) == .authorizationDenied)
    #expect(obstacles(wanted, .init(status: .restricted)) == .authorizationRestricted)
    #expect(
      obstacles(wanted, .init(status: .authorizedAlways, isServiceEnabled: false)) == [
        .authorizationDenied, .authorizationDeniedGlobally,
      ])
    #expect(obstacles(wanted, .init(status: .authorizedAlways)) == [])
    #expect(obstacles(wanted, .init(status: .notDetermined, isAsking: true)) == .authorizationRequestInProgress)
  }

  @Test func whatIsNotAskedForIsMissing() {
    #expect(obstacles(.none, .init(status: .notDetermined)) == .serviceSessionRequired)
    #expect(obstacles(.whenInUse, .init(status: .notDetermined)) == .insufficientlyInUse)
  }

  @Test func alwaysIsMoreThanInUse() {
    #expect(obstacles(.whenInUse, .init(status: .authorizedWhenInUse)) == [])
    #expect(obstacles(.always, .init(status: .authorizedWhenInUse)) == .alwaysAuthorizationDenied)
    #expect(
      obstacles(.always, .init(status: .authorizedWhenInUse, isAsking: true)) == .authorizationRequestInProgress)
    #expect(obstacles(.whenInUse, .init(status: .authorizedWhenInUse, isInUse: false)) == .insufficientlyInUse)
    #expect(obstacles(.always, .init(status: .authorizedAlways, isInUse: false)) == [])
  }

  @Test func fullAccuracyIsWantedByKey() {
    let reduced = AuthorizationState(status: .authorizedAlways, accuracy: .reducedAccuracy)
    #expect(obstacles(.whenInUse, reduced) == [])
    #expect(obstacles(.whenInUse, reduced, full: true) == .fullAccuracyDenied)
  }

  @Test func aStatusOfTheFutureIsNoPermission() throws {
    let status = try #require(CLAuthorizationStatus(rawValue: 100))
    #expect(obstacles(.whenInUse, .init(status: status)) == .authorizationRestricted)
  }
}
