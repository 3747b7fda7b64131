import Geodesy
import LocationIPC
import LocationPolicy
import Testing

@testable import CoreLocation

/// One iteration of live updates, one event a line.
@Suite struct LiveMachineTests {
  private static let options = UpdateOptions(ifUndecided: .waits)
  private static let (first, second) = (RequestID(1), RequestID(2))
  private static let fix = PositionFix(
    time: GNSSTime(nanosecondsSince1970: 0), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 0),
    coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)), horizontalRadius68: Meters(3),
    kind: .threeDimensional, technologies: .gnss)

  private static func state(_ level: AuthorizationLevel, isReduced: Bool = false) -> AuthorizationState {
    var authorization = Authorization(level)
    authorization.isReduced = isReduced
    return AuthorizationState(authorization, presence: .inUse)
  }

  private static func refusal(_ denial: AuthorizationDenial, of request: RequestID) -> LiveMachine.Input {
    .updates(.event(.failed(request, .notAuthorized(denial, identity: nil))))
  }

  private static func machine(isExplicit: Bool = false) -> LiveMachine {
    LiveMachine(
      options,
      session: SessionMachine(
        SessionRequirement(authorization: .whenInUse, isImplicit: true), isExplicit: isExplicit))
  }

  @Test func itAsksThenDeliversThenIsDeniedThenGoesOn() {
    var live = Self.machine()
    #expect(
      live.handle(.session(.state(Self.state(.notDetermined)))) == [
        .askWhenInUse, .tell(.authorizationRequestInProgress), .send(.startUpdates(Self.first, Self.options)),
      ])
    #expect(live.handle(.begin) == [])
    #expect(live.handle(.session(.asked)) == [.tell(.insufficientlyInUse)])
    #expect(live.handle(.session(.state(Self.state(.whenInUse)))) == [])
    #expect(live.handle(.updates(.event(.update(Self.first, Self.fix, age: .zero)))) == [.deliver(Self.fix, [])])
    #expect(live.handle(.session(.state(Self.state(.denied)))) == [.tell(.authorizationDenied)])
    #expect(live.handle(Self.refusal(.denied, of: Self.first)) == [], "told already")
    #expect(
      live.handle(.session(.state(Self.state(.always)))) == [.send(.startUpdates(Self.second, Self.options))])
    #expect(live.handle(.end) == [.send(.cancel(Self.second))])
    #expect(live.handle(.session(.state(Self.state(.denied)))) == [])
  }

  @Test func reducedAccuracyIsSaidOfEachLocation() {
    var live = Self.machine()
    _ = live.handle(.session(.state(Self.state(.always, isReduced: true))))
    #expect(
      live.handle(.updates(.event(.update(Self.first, Self.fix, age: .zero)))) == [
        .deliver(Self.fix, .accuracyLimited)
      ])
  }

  /// The stream's word comes first where the state is not known yet.
  @Test func aDenialIsToldOnce() {
    var live = Self.machine()
    #expect(live.handle(.begin) == [.send(.startUpdates(Self.first, Self.options))])
    #expect(live.handle(Self.refusal(.servicesOff, of: Self.first)) == [.tell(.authorizationDenied)])
    #expect(live.handle(.session(.state(Self.state(.denied)))) == [])
  }

  @Test func anExplicitSessionIsWaitedFor() {
    var live = Self.machine(isExplicit: true)
    #expect(live.handle(.session(.state(Self.state(.whenInUse)))) == [.tell(.serviceSessionRequired)])
    #expect(
      live.handle(.session(.coverage(.requiring))) == [.send(.startUpdates(Self.first, Self.options))])
    #expect(
      live.handle(.session(.coverage(.missing))) == [
        .tell(.serviceSessionRequired), .send(.cancel(Self.first)),
      ])
  }

  @Test func aSourceThatEndsIsNotBegunAgain() {
    var live = Self.machine()
    _ = live.handle(.session(.state(Self.state(.always))))
    #expect(live.handle(.updates(.serviceEnded)) == [.tell(.locationUnavailable)])
    #expect(live.handle(.session(.state(Self.state(.whenInUse)))) == [])
  }
}
