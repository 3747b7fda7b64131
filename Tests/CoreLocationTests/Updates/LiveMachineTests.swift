import Geodesy
import LocationIPC
import LocationPolicy
import Testing

@testable import CoreLocation

/// One iteration of live updates, one event per line.
@Suite struct LiveMachineTests {
  private static let options = UpdateOptions(whenNotDetermined: .waits)
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
    .updates(.stream(request, .failed(.notAuthorized(denial, identity: nil))))
  }

  private static func machine(isExplicit: Bool = false, activity: Activity? = nil) -> LiveMachine {
    var options = options
    options.activity = activity
    return LiveMachine(
      options,
      session: SessionMachine(
        SessionRequirement(authorization: .whenInUse, isImplicit: true), isExplicit: isExplicit),
      numbers: RequestNumbers())
  }

  @Test func itAsksThenDeliversThenIsDeniedThenGoesOn() {
    var live = Self.machine()
    #expect(
      live.handle(.session(.state(Self.state(.notDetermined)))) == [
        .askWhenInUse, .report(.authorizationRequestInProgress), .startUpdates(Self.first, Self.options),
      ])
    #expect(live.handle(.begin) == [])
    #expect(live.handle(.session(.asked)) == [.report(.insufficientlyInUse)])
    #expect(live.handle(.session(.state(Self.state(.whenInUse)))) == [])
    #expect(live.handle(.updates(.stream(Self.first, .reply(.fix(Self.fix, age: .zero))))) == [.deliver(Self.fix, [])])
    #expect(live.handle(.session(.state(Self.state(.denied)))) == [.report(.authorizationDenied)])
    #expect(live.handle(Self.refusal(.denied(inBackground: false), of: Self.first)) == [], "told already")
    #expect(
      live.handle(.session(.state(Self.state(.always)))) == [.startUpdates(Self.second, Self.options)])
    #expect(live.handle(.end) == [.cancel(Self.second)])
    #expect(live.handle(.session(.state(Self.state(.denied)))) == [])
  }

  /// A fix at a time, `north` meters north of a position, with a speed to the north.
  private static func fix(at seconds: Double, north: Double, speed: Double) -> PositionFix {
    var fix = Self.fix
    fix.receivedAt = Instant(nanoseconds: Int64(seconds * 1e9))
    fix.time = fix.time + .milliseconds(Int(seconds * 1000))
    fix.coordinate = Coordinate(latitude: Angle(degrees: 47 + north / 111_229), longitude: Angle(degrees: 8))
    fix.speedMetersPerSecond = speed
    return fix
  }

  private static func update(_ fix: PositionFix, age: Duration = .zero) -> LiveMachine.Input {
    .updates(.stream(first, .reply(.fix(fix, age: age))))
  }

  @Test func aStationaryStateIsReportedOnceUntilMovement() {
    var live = Self.machine()
    _ = live.handle(.session(.state(Self.state(.always))))
    // A fix from before the start, at the same position.
    _ = live.handle(Self.update(Self.fix(at: -600, north: 0, speed: 0), age: .seconds(600)))
    var (reported, stationary): ([Double], [Double]) = ([], [])
    for second in 0..<400 {
      let driven = Double(max(0, second - 300))
      let fix = Self.fix(at: Double(second), north: driven * 10, speed: driven > 0 ? 10 : 0)
      for case .deliver(_, let circumstances) in live.handle(Self.update(fix)) {
        if circumstances == .stationary { stationary.append(Double(second)) } else { reported.append(Double(second)) }
      }
    }
    #expect(stationary == [120])
    #expect(reported.first == 0 && reported.count { $0 < 300 } == 120)
    #expect(reported.first { $0 >= 300 }.map { $0 <= 303 } == true && reported.last == 399)
  }

  @Test func aVesselAtAnchorIsReportedAllTheTime() {
    var live = Self.machine(activity: .maritime)
    _ = live.handle(.session(.state(Self.state(.always))))
    for second in 0..<400 {
      let fix = Self.fix(at: Double(second), north: 0, speed: 0)
      #expect(live.handle(Self.update(fix)) == [.deliver(fix, [])])
    }
  }

  @Test func anUnknownLocationEndsARest() {
    var live = Self.machine()
    _ = live.handle(.session(.state(Self.state(.always))))
    for second in 0..<200 { _ = live.handle(Self.update(Self.fix(at: Double(second), north: 0, speed: 0))) }
    #expect(
      live.handle(.updates(.stream(Self.first, .reply(.change(.lost))))) == [.report(.locationUnavailable)])
    let back = Self.fix(at: 210, north: 0, speed: 0)
    #expect(live.handle(Self.update(back)) == [.deliver(back, [])])
  }

  @Test func reducedAccuracyIsReportedOfEachLocation() {
    var live = Self.machine()
    _ = live.handle(.session(.state(Self.state(.always, isReduced: true))))
    #expect(
      live.handle(.updates(.stream(Self.first, .reply(.fix(Self.fix, age: .zero))))) == [
        .deliver(Self.fix, .accuracyLimited)
      ])
  }

  /// The stream's refusal comes first if the state is not known yet.
  @Test func aDenialIsReportedOnce() {
    var live = Self.machine()
    #expect(live.handle(.begin) == [.startUpdates(Self.first, Self.options)])
    #expect(live.handle(Self.refusal(.servicesOff, of: Self.first)) == [.report(.authorizationDenied)])
    #expect(live.handle(.session(.state(Self.state(.denied)))) == [])
  }

  @Test func anExplicitSessionIsWaitedFor() {
    var live = Self.machine(isExplicit: true)
    #expect(live.handle(.session(.state(Self.state(.whenInUse)))) == [.report(.serviceSessionRequired)])
    #expect(
      live.handle(.session(.coverage(.requiring))) == [.startUpdates(Self.first, Self.options)])
    #expect(
      live.handle(.session(.coverage(.missing))) == [
        .report(.serviceSessionRequired), .cancel(Self.first),
      ])
  }

  @Test func aSourceThatEndsIsNotBegunAgain() {
    var live = Self.machine()
    _ = live.handle(.session(.state(Self.state(.always))))
    #expect(live.handle(.updates(.serviceEnded)) == [.report(.locationUnavailable)])
    #expect(live.handle(.session(.state(Self.state(.whenInUse)))) == [])
  }
}
