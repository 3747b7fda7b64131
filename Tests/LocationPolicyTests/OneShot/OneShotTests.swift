import Geodesy
import LocationPolicy
import Testing

/// Transcripts with one event per line.
@Suite struct OneShotTests {
  /// A request that has started its sources, at least one of which is available.
  private func searching(_ request: OneShotOptions = OneShotOptions()) -> OneShot {
    var machine = OneShot(request)
    #expect(machine.handle(.start(lastFix: nil, isTracked: false), at: .start) == [.startSources])
    #expect(machine.handle(.sourcesChanged(available: true), at: .start) == [])
    return machine
  }

  /// The actions for the answer `fix`, delivered at its arrival.
  private func answer(_ fix: PositionFix, isCached: Bool = false) -> [OneShot.Action] {
    [.deliver(fix, age: .zero, isCached: isCached), .stopSources]
  }

  // MARK: The desired accuracy

  @Test func answersImmediatelyAtTheDesiredAccuracy() {
    var machine = searching(OneShotOptions(desiredRadius68: Meters(10)))
    #expect(machine.handle(.fix(.at(1, radius: 50), isTracked: false), at: .seconds(1)) == [])
    #expect(machine.handle(.fix(.at(2, radius: 20), isTracked: false), at: .seconds(2)) == [])
    let fix = PositionFix.at(3, radius: 10)
    #expect(machine.handle(.fix(fix, isTracked: false), at: .seconds(3)) == answer(fix))
    #expect(machine.handle(.fix(.at(4, radius: 1), isTracked: true), at: .seconds(4)) == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func countsWhatMayHaveHappenedSince() {
    var machine = searching(OneShotOptions(desiredRadius68: Meters(10)))
    // 9 m, but half a second ago at 30 m/s: 24 m.
    #expect(machine.handle(.fix(.at(1, radius: 9, speed: 30), isTracked: false), at: .seconds(1.5)) == [])
    let fix = PositionFix.at(2, radius: 9, speed: 30)
    #expect(machine.handle(.fix(fix, isTracked: false), at: .seconds(2)) == answer(fix))
  }

  /// A request whose receiver has converged to 4 m, as its fix of every second shows.
  private func converged(_ rule: AccuracyRule) -> OneShot {
    var machine = searching(
      OneShotOptions(desiredRadius68: Meters(1), timeout: .seconds(30), accuracyRule: rule))
    for second in 1...20 {
      let actions = machine.handle(.fix(.at(Double(second), radius: 4), isTracked: true), at: .seconds(Double(second)))
      #expect(actions == [])
    }
    return machine
  }

  @Test func aRequiredAccuracyIsWaitedForAndFailsAtTheTimeout() {
    var machine = converged(.required)
    #expect(machine.nextDeadline == .seconds(30))
    #expect(
      machine.handle(.wake, at: .seconds(30)) == [.fail(.notAccurateEnough(best: Meters(4))), .stopSources])
    machine = converged(.required)
    let fix = PositionFix.at(21, radius: 0.9)
    #expect(machine.handle(.fix(fix, isTracked: true), at: .seconds(21)) == answer(fix))
  }

  @Test func aPreferredAccuracyIsWaitedForAndTheBestGivenAtTheTimeout() {
    var machine = converged(.preferred)
    #expect(
      machine.handle(.wake, at: .seconds(30))
        == [.deliver(.at(20, radius: 4), age: .seconds(10), isCached: false), .stopSources])
  }

  @Test func aRequiredAccuracyWithoutItsSourceFailsOnceThatDoesNotReturn() {
    var machine = converged(.required)
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(21)) == [])
    #expect(machine.handle(.wake, at: .seconds(26)) == [.fail(.sourceEnded), .stopSources])
  }

  // MARK: Break-even

  @Test func threeEpochsWithoutGainAreBreakEven() {
    var machine = searching(OneShotOptions(desiredRadius68: Meters(1)))
    #expect(machine.handle(.fix(.at(1.0, radius: 9), isTracked: false), at: .seconds(1)) == [])
    #expect(machine.handle(.fix(.at(1.1, radius: 5), isTracked: false), at: .seconds(1.1)) == [])
    #expect(machine.handle(.fix(.at(1.2, radius: 4.8), isTracked: false), at: .seconds(1.2)) == [])
    #expect(machine.handle(.fix(.at(1.3, radius: 7), isTracked: false), at: .seconds(1.3)) == [])
    #expect(
      machine.handle(.fix(.at(1.4, radius: 5), isTracked: false), at: .seconds(1.4))
        == [.deliver(.at(1.2, radius: 4.8), age: .milliseconds(200), isCached: false), .stopSources])
  }

  @Test func smallStepsAddUpToAGain() {
    var machine = searching()
    for (second, radius) in [(1.0, 10), (1.1, 9.5), (1.2, 8.9), (1.3, 8.5), (1.4, 8.2), (1.5, 7.9)] {
      #expect(machine.handle(.fix(.at(second, radius: radius), isTracked: false), at: .seconds(second)) == [])
    }
    #expect(machine.nextDeadline == .seconds(4.5))
  }

  @Test func slowReceiverIsNotWaitedForLongerThanThreeSeconds() {
    var machine = searching()
    #expect(machine.handle(.fix(.at(1, radius: 5), isTracked: false), at: .seconds(1)) == [])
    #expect(machine.nextDeadline == .seconds(4))
    #expect(machine.handle(.wake, at: .seconds(3.9)) == [])
    #expect(
      machine.handle(.wake, at: .seconds(4))
        == [.deliver(.at(1, radius: 5), age: .seconds(3), isCached: false), .stopSources])
  }

  @Test func promptAndCompleteFixOfAnEpochAreOneEpoch() {
    var machine = searching()
    for second in [1.0, 1.1, 1.2] {
      #expect(machine.handle(.fix(.at(second, radius: 5), isTracked: false), at: .seconds(second)) == [])
      var complete = PositionFix.at(second, radius: 5)
      complete.receivedAt = .seconds(second + 0.05)
      #expect(machine.handle(.fix(complete, isTracked: false), at: .seconds(second + 0.05)) == [])
    }
    let fix = PositionFix.at(1.3, radius: 5)
    #expect(machine.handle(.fix(fix, isTracked: false), at: .seconds(1.3)) == answer(fix))
  }

  @Test func trackedFixHasConverged() {
    var machine = searching()
    let fix = PositionFix.at(1, radius: 40)
    #expect(machine.handle(.fix(fix, isTracked: true), at: .seconds(1)) == answer(fix))
  }

  @Test func tenSecondsAfterTheFirstFixIsTheEnd() {
    var machine = searching()
    var radius = 1000.0
    for second in 5..<15 {
      #expect(
        machine.handle(.fix(.at(Double(second), radius: radius), isTracked: false), at: .seconds(Double(second))) == [])
      radius *= 0.8
    }
    let last = PositionFix.at(15, radius: radius)
    #expect(machine.handle(.fix(last, isTracked: false), at: .seconds(15)) == answer(last))
  }

  @Test func theTimeoutEndsConvergence() {
    var machine = searching(OneShotOptions(timeout: .seconds(2)))
    let fix = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(fix, isTracked: false), at: .seconds(1)) == [])
    #expect(machine.nextDeadline == .seconds(2))
    #expect(machine.handle(.wake, at: .seconds(2)) == [.deliver(fix, age: .seconds(1), isCached: false), .stopSources])
  }

  @Test func theBestIsChosenAsItIsWorthWhenGiven() {
    var machine = searching()
    let sharpAndFast = PositionFix.at(1, radius: 3, speed: 20)
    let blunt = PositionFix.at(1.5, radius: 8, speed: 1)
    #expect(machine.handle(.fix(sharpAndFast, isTracked: false), at: .seconds(1)) == [])
    #expect(machine.handle(.fix(blunt, isTracked: false), at: .seconds(1.5)) == [])
    // 3 + 3 × 20 m compared with 8 + 2.5 × 1 m.
    var grown = blunt
    grown.horizontalRadius68 = Meters(10.5)
    #expect(
      machine.handle(.wake, at: .seconds(4)) == [.deliver(grown, age: .seconds(2.5), isCached: false), .stopSources])
  }

  @Test func unknownSpeedIsTakenForAWalk() {
    var machine = searching()
    let fix = PositionFix.at(1, radius: 5, speed: nil)
    #expect(machine.handle(.fix(fix, isTracked: false), at: .seconds(1)) == [])
    var grown = fix
    grown.horizontalRadius68 = Meters(9.5)
    #expect(
      machine.handle(.wake, at: .seconds(4)) == [.deliver(grown, age: .seconds(3), isCached: false), .stopSources])
  }

  // MARK: A fix from before the request

  @Test func youngFixThatMeetsTheAccuracyIsGivenWithoutStartingAnything() {
    var machine = OneShot(OneShotOptions(desiredRadius68: Meters(10)))
    let fix = PositionFix.at(-2, radius: 10)
    #expect(
      machine.handle(.start(lastFix: fix, isTracked: false), at: .start)
        == [.deliver(fix, age: .seconds(2), isCached: true)])
  }

  @Test func withoutAnAccuracyOnlyAConvergedFixIsGivenImmediately() {
    let fix = PositionFix.at(-1, radius: 10)
    var tracked = OneShot(OneShotOptions())
    #expect(
      tracked.handle(.start(lastFix: fix, isTracked: true), at: .start)
        == [.deliver(fix, age: .seconds(1), isCached: true)])
    var converging = OneShot(OneShotOptions())
    #expect(converging.handle(.start(lastFix: fix, isTracked: false), at: .start) == [.startSources])
  }

  @Test func tooOldAFixIsAsIfThereWereNone() {
    var machine = OneShot(OneShotOptions(desiredRadius68: Meters(10), timeout: .seconds(30)))
    #expect(machine.handle(.start(lastFix: .at(-2.1, radius: 1), isTracked: true), at: .start) == [.startSources])
    #expect(machine.handle(.wake, at: .seconds(30)) == [.fail(.noFix(satellitesInView: nil)), .stopSources])
  }

  @Test func heldFixFromBeforeExpires() {
    var machine = OneShot(OneShotOptions(timeout: .seconds(30)))
    #expect(machine.handle(.start(lastFix: .at(-1, radius: 5), isTracked: false), at: .start) == [.startSources])
    #expect(machine.nextDeadline == .seconds(3))
    #expect(machine.handle(.wake, at: .seconds(3)) == [])
    #expect(machine.nextDeadline == .seconds(30))
    let fix = PositionFix.at(10, radius: 5)
    #expect(machine.handle(.fix(fix, isTracked: true), at: .seconds(10)) == answer(fix))
  }

  @Test func ageZeroAsksForAFreshOne() {
    var machine = OneShot(OneShotOptions(desiredRadius68: Meters(10), maximumAge: .zero))
    #expect(machine.handle(.start(lastFix: .at(0, radius: 1), isTracked: true), at: .start) == [.startSources])
    #expect(machine.handle(.fix(.at(0, radius: 1), isTracked: true), at: .seconds(0.1)) == [])
    let fix = PositionFix.at(0.2, radius: 1)
    #expect(machine.handle(.fix(fix, isTracked: false), at: .seconds(0.2)) == answer(fix))
  }

  // MARK: Failures

  /// A receiver that was just plugged in has 3 s to become a port.
  @Test func withoutASourceItFailsWhenNoneCanAppearAnymore() {
    var machine = OneShot(OneShotOptions())
    #expect(machine.handle(.start(lastFix: nil, isTracked: false), at: .start) == [.startSources])
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(0.1)) == [])
    #expect(machine.nextDeadline == .seconds(3.1))
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(2)) == [])
    #expect(machine.nextDeadline == .seconds(3.1))
    #expect(machine.handle(.wake, at: .seconds(3.1)) == [.fail(.noSource), .stopSources])
  }

  @Test func aReceiverThatWasJustPluggedInIsNotMissed() {
    var machine = OneShot(OneShotOptions())
    #expect(machine.handle(.start(lastFix: nil, isTracked: false), at: .start) == [.startSources])
    #expect(machine.handle(.sourcesChanged(available: false), at: .start) == [])
    #expect(machine.handle(.sourcesChanged(available: true), at: .seconds(2.9)) == [])
    #expect(machine.handle(.wake, at: .seconds(3)) == [])
    let fix = PositionFix.at(20, radius: 5)
    #expect(machine.handle(.fix(fix, isTracked: true), at: .seconds(20)) == answer(fix))
  }

  @Test(arguments: [0, 1]) func theTimeoutEndsTheWaitForASource(timeout: Double) {
    var machine = OneShot(OneShotOptions(timeout: .seconds(timeout)))
    var actions = machine.handle(.start(lastFix: nil, isTracked: false), at: .start)
    actions += machine.handle(.sourcesChanged(available: false), at: .start)
    actions += machine.handle(.wake, at: .seconds(timeout))
    let failures = actions.filter { if case .fail = $0 { true } else { false } }
    #expect(failures == [.fail(timeout == 0 ? .noFix(satellitesInView: nil) : .noSource)])
  }

  @Test func waitsForASourceWhenAskedTo() {
    var machine = OneShot(OneShotOptions(timeout: .seconds(20), waitsForSource: true))
    #expect(machine.handle(.start(lastFix: nil, isTracked: false), at: .start) == [.startSources])
    #expect(machine.handle(.sourcesChanged(available: false), at: .start) == [])
    #expect(machine.nextDeadline == .seconds(20))
    var lucky = machine
    #expect(machine.handle(.wake, at: .seconds(20)) == [.fail(.noSource), .stopSources])
    #expect(lucky.handle(.sourcesChanged(available: true), at: .seconds(15)) == [])
    #expect(lucky.handle(.wake, at: .seconds(20)) == [.fail(.noFix(satellitesInView: nil)), .stopSources])
  }

  @Test func sourceThatComesBackSoonIsNotMissed() {
    var machine = searching()
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(1)) == [])
    #expect(machine.nextDeadline == .seconds(6))
    #expect(machine.handle(.sourcesChanged(available: true), at: .seconds(3)) == [])
    #expect(machine.handle(.wake, at: .seconds(6)) == [])
    let fix = PositionFix.at(7, radius: 5)
    #expect(machine.handle(.fix(fix, isTracked: true), at: .seconds(7)) == answer(fix))
  }

  @Test func sourceThatStaysAwayEndsIt() {
    var machine = searching()
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(1)) == [])
    #expect(machine.handle(.sourcesChanged(available: false), at: .seconds(5)) == [])
    #expect(machine.handle(.wake, at: .seconds(6)) == [.fail(.sourceEnded), .stopSources])
  }

  @Test func whatIsHeldIsGivenWhenTheSourceGoes() {
    var machine = searching(OneShotOptions(desiredRadius68: Meters(1)))
    let fix = PositionFix.at(1, radius: 5)
    #expect(machine.handle(.fix(fix, isTracked: false), at: .seconds(1)) == [])
    #expect(
      machine.handle(.sourcesChanged(available: false), at: .seconds(2))
        == [.deliver(fix, age: .seconds(1), isCached: false), .stopSources])
  }

  @Test func deadlineWithoutAFixReportsTheSatellites() {
    var machine = searching(OneShotOptions(timeout: .seconds(60)))
    #expect(machine.handle(.satellites(inView: 7), at: .seconds(1)) == [])
    #expect(machine.handle(.satellites(inView: nil), at: .seconds(2)) == [])
    #expect(machine.handle(.wake, at: .seconds(59.9)) == [])
    #expect(machine.handle(.wake, at: .seconds(60)) == [.fail(.noFix(satellitesInView: 7)), .stopSources])
  }

  @Test func noSatelliteForAMinuteEndsItEarly() {
    var machine = searching()
    #expect(machine.handle(.satellites(inView: 0), at: .seconds(1)) == [])
    #expect(machine.nextDeadline == .seconds(61))
    #expect(machine.handle(.satellites(inView: 0), at: .seconds(30)) == [])
    #expect(machine.handle(.wake, at: .seconds(61)) == [.fail(.noSatellites), .stopSources])
  }

  @Test func oneSatelliteBeginsTheMinuteAgain() {
    var machine = searching()
    #expect(machine.handle(.satellites(inView: 0), at: .seconds(1)) == [])
    #expect(machine.handle(.satellites(inView: 1), at: .seconds(60)) == [])
    #expect(machine.nextDeadline == .seconds(120))
    #expect(machine.handle(.satellites(inView: 0), at: .seconds(61)) == [])
    #expect(machine.handle(.wake, at: .seconds(120)) == [.fail(.noFix(satellitesInView: 0)), .stopSources])
  }

  @Test func receiverThatDoesNotSayIsNotCalledDeaf() {
    var machine = searching()
    #expect(machine.handle(.satellites(inView: nil), at: .seconds(1)) == [])
    #expect(machine.nextDeadline == .seconds(120))
  }

  @Test(arguments: [FixQualityFlag.frozen, .jammed, .implausible])
  func suspectFixIsNeverTheAnswer(qualityFlag: FixQualityFlag) {
    var machine = searching(OneShotOptions(desiredRadius68: Meters(10)))
    let fix = PositionFix.at(1, radius: 1, qualityFlag: qualityFlag)
    #expect(machine.handle(.fix(fix, isTracked: true), at: .seconds(1)) == [])
    #expect(machine.nextDeadline == .seconds(120))
    #expect(machine.handle(.wake, at: .seconds(120)) == [.fail(.noUsableFix(qualityFlag)), .stopSources])
  }

  @Test func onlyFixesThatAreTooOld() {
    var machine = searching()
    #expect(machine.handle(.fix(.at(-5, radius: 1), isTracked: true), at: .seconds(1)) == [])
    #expect(machine.handle(.wake, at: .seconds(120)) == [.fail(.noUsableFix(nil)), .stopSources])
  }

  @Test(arguments: [0, -1, .nan, .infinity])
  func aFixWithAnInvalidRadiusIsNoFix(radius: Double) {
    var machine = searching()
    #expect(machine.handle(.fix(.at(1, radius: radius), isTracked: true), at: .seconds(1)) == [])
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
  func timeoutThatIsOverEndsImmediately(timeout: Duration) {
    var machine = OneShot(OneShotOptions(timeout: timeout))
    #expect(
      machine.handle(.start(lastFix: nil, isTracked: false), at: .start) == [.fail(.noFix(satellitesInView: nil))])
  }

  // MARK: Cancellation

  @Test func cancelStopsTheSourcesAndNothingFollows() {
    var machine = searching()
    #expect(machine.handle(.cancel, at: .seconds(1)) == [.stopSources])
    #expect(machine.handle(.fix(.at(2, radius: 1), isTracked: true), at: .seconds(2)) == [])
    #expect(machine.handle(.cancel, at: .seconds(3)) == [])
    #expect(machine.handle(.wake, at: .seconds(500)) == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func cancelBeforeTheStartHolds() {
    var machine = OneShot(OneShotOptions())
    #expect(machine.handle(.cancel, at: .start) == [])
    #expect(machine.handle(.start(lastFix: .at(0, radius: 1), isTracked: true), at: .start) == [])
  }

  @Test func nothingHappensBeforeTheStartAndNoSecondStart() {
    var machine = OneShot(OneShotOptions())
    #expect(machine.handle(.fix(.at(0, radius: 1), isTracked: true), at: .start) == [])
    #expect(machine.handle(.wake, at: .seconds(999)) == [])
    #expect(machine.nextDeadline == nil)
    var other = searching()
    #expect(other.handle(.start(lastFix: .at(0, radius: 1), isTracked: true), at: .seconds(1)) == [])
  }
}
