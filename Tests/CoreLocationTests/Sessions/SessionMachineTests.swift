import LocationIPC
import LocationPolicy
import Testing

@testable import CoreLocation

/// What a session requests, and what prevents it, depending on its requirement and on the program's authorization.
@Suite struct SessionMachineTests {
  private static func state(
    _ level: AuthorizationLevel, presence: ClientPresence = .inUse, isPending: Bool = false, isReduced: Bool = false,
    isAlwaysRefused: Bool = false, isOff: Bool = false
  ) -> AuthorizationState {
    var authorization = Authorization(isOff ? .denied : level)
    authorization.isPending = isPending
    authorization.isReduced = isReduced
    authorization.isAlwaysRefused = isAlwaysRefused
    authorization.isOffForAll = isOff
    return AuthorizationState(authorization, presence: presence)
  }

  private func machine(
    _ wanted: CLServiceSession.AuthorizationRequirement, purpose: String? = nil
  ) -> SessionMachine {
    SessionMachine(SessionRequirement(authorization: wanted, purposeKey: purpose))
  }

  @Test(arguments: [CLServiceSession.AuthorizationRequirement.none, .whenInUse, .always])
  func decisionsAreSentToAll(wanted: CLServiceSession.AuthorizationRequirement) {
    func said(_ state: AuthorizationState) -> [SessionMachine.Action] {
      var machine = machine(wanted)
      return machine.handle(.state(state))
    }
    #expect(said(Self.state(.denied)) == [.report(.authorizationDenied)])
    #expect(said(Self.state(.restricted)) == [.report(.authorizationRestricted)])
    #expect(
      said(Self.state(.always, isOff: true)) == [.report([.authorizationDenied, .authorizationDeniedGlobally])])
    #expect(said(Self.state(.always)) == [.report([])])
    #expect(said(Self.state(.always, presence: .background)) == [.report([])])
    #expect(said(Self.state(.notDetermined, isPending: true)) == [.report(.authorizationRequestInProgress)])
  }

  @Test func itAsksOnceAndLearnsOfIt() {
    var session = machine(.whenInUse)
    #expect(
      session.handle(.state(Self.state(.notDetermined))) == [
        .ask(always: false), .report(.authorizationRequestInProgress),
      ])
    #expect(session.handle(.state(Self.state(.notDetermined, isPending: true))) == [])
    #expect(session.handle(.asked) == [])
    #expect(session.handle(.state(Self.state(.whenInUse))) == [.report([])])
    #expect(session.handle(.state(Self.state(.denied))) == [.report(.authorizationDenied)])
    // The decision was forgotten: the state is the same as before the first question.
    #expect(
      session.handle(.state(Self.state(.notDetermined))) == [
        .ask(always: false), .report(.authorizationRequestInProgress),
      ])
  }

  @Test func inTheBackgroundItWaitsForTheForeground() {
    var session = machine(.whenInUse)
    #expect(
      session.handle(.state(Self.state(.notDetermined, presence: .background))) == [.report(.insufficientlyInUse)])
    #expect(
      session.handle(.state(Self.state(.notDetermined))) == [
        .ask(always: false), .report(.authorizationRequestInProgress),
      ])
    #expect(
      session.handle(.state(Self.state(.whenInUse, presence: .background))) == [.report(.insufficientlyInUse)])
  }

  /// The result is the same as without a usage description.
  @Test func whereNoOneIsAskedItSaysSo() {
    var session = machine(.whenInUse)
    _ = session.handle(.state(Self.state(.notDetermined)))
    #expect(session.handle(.asked) == [.report(.insufficientlyInUse)])
    #expect(session.handle(.state(Self.state(.notDetermined))) == [])
  }

  @Test func noRequestNoPrompt() {
    var session = machine(.none)
    #expect(session.handle(.state(Self.state(.notDetermined))) == [.report(.serviceSessionRequired)])
    #expect(session.handle(.state(Self.state(.whenInUse))) == [.report([])])
  }

  @Test func alwaysIsAskedForAfterInUse() {
    var session = machine(.always)
    #expect(
      session.handle(.state(Self.state(.whenInUse))) == [
        .ask(always: true), .report(.authorizationRequestInProgress),
      ])
    #expect(
      session.handle(.state(Self.state(.whenInUse, isAlwaysRefused: true))) == [.report(.alwaysAuthorizationDenied)])
    #expect(session.handle(.state(Self.state(.always))) == [.report([])])
  }

  @Test func fullAccuracyIsAskedForByItsKey() {
    var session = machine(.whenInUse, purpose: "way")
    #expect(
      session.handle(.state(Self.state(.whenInUse, isReduced: true))) == [
        .askFullAccuracy(purposeKey: "way"), .report(.authorizationRequestInProgress),
      ])
    #expect(session.handle(.fullAccuracy(.refused)) == [.report(.fullAccuracyDenied)])
    #expect(session.handle(.state(Self.state(.whenInUse))) == [.report([])])
    var indifferent = machine(.whenInUse)
    #expect(indifferent.handle(.state(Self.state(.whenInUse, isReduced: true))) == [.report([])])
  }

  /// NSLocationRequireExplicitServiceSession: an implicit session does not ask, and it is valid only together with a
  /// CLServiceSession.
  @Test func whatIsImplicitNeedsASessionBesideIt() {
    var session = SessionMachine(
      SessionRequirement(authorization: .whenInUse, isImplicit: true), isExplicit: true, coverage: .missing)
    #expect(session.handle(.state(Self.state(.notDetermined))) == [.report(.serviceSessionRequired)])
    #expect(!session.isCovered)
    #expect(session.handle(.coverage(.requiring)) == [.report([])])
    #expect(session.isCovered)
    #expect(session.handle(.coverage(.unasking)) == [.report(.serviceSessionRequired)])
    #expect(session.handle(.state(Self.state(.whenInUse))) == [.report([])])
    #expect(session.isCovered)
  }

  @Test(arguments: [(ClientPresence.inUse, true, true), (.background, true, false), (.inUse, false, false)])
  func anActivityIsBegunInUseAndDeclared(presence: ClientPresence, isDeclared: Bool, isActive: Bool) {
    var activity = SessionMachine(
      SessionRequirement(authorization: .whenInUse, isImplicit: true, isActivity: true),
      mayRunInBackground: isDeclared)
    let said = activity.handle(.state(Self.state(.whenInUse, presence: presence)))
    #expect(said == [.report(isActive ? [] : .insufficientlyInUse)] && activity.isActive == isActive)
    // The activity keeps the program in use.
    let later = activity.handle(.state(Self.state(.whenInUse, presence: .background)))
    #expect(later == [] && activity.isActive == isActive)
    _ = activity.handle(.state(Self.state(.denied)))
    #expect(!activity.isActive)
  }
}
