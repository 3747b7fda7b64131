import Geodesy
import LocationPolicy
import Testing

@Suite struct DeferralTests {
  private func driving(_ seconds: Double) -> PositionFix {
    .at(seconds, radius: 3, speed: 10, latitude: 50 + 10 * seconds / 111_229)
  }

  private func deferring(distance: Double? = nil, timeout: Duration? = nil) -> Deferral {
    var machine = Deferral(isInForeground: false)
    let limits = DeferralLimits(distance: distance.map { Meters($0) }, timeout: timeout)
    #expect(machine.handle(.allow(limits, .init()), at: .start) == [])
    return machine
  }

  @Test func withoutACallFixesGoThrough() {
    var machine = Deferral(isInForeground: false)
    #expect(machine.handle(.fix(driving(1)), at: .seconds(1)) == [.pass(driving(1))])
    for input: Deferral.Input in [.disallow, .release, .wake, .conditions(.init())] {
      #expect(machine.handle(input, at: .seconds(2)) == [])
    }
    #expect(machine.nextDeadline == nil)
  }

  @Test func endsAtTheDistance() {
    var machine = deferring(distance: 95)
    for second in (0..<10).map(Double.init) {
      #expect(machine.handle(.fix(driving(second)), at: .seconds(second)) == [.hold(driving(second))])
    }
    let last = machine.handle(.fix(driving(10)), at: .seconds(10))
    #expect(last == [.hold(driving(10)), .deliver, .finish(nil)])
    #expect(machine.handle(.fix(driving(11)), at: .seconds(11)) == [.pass(driving(11))])
  }

  @Test func standingStillIsNoWay() {
    var machine = deferring(distance: 20)
    for second in 0..<500 {
      let fix = PositionFix.at(
        Double(second), radius: 3, speed: 0.2, latitude: 50 + (second % 2 == 0 ? 0 : 4) / 111_229)
      #expect(machine.handle(.fix(fix), at: .seconds(Double(second))) == [.hold(fix)])
    }
  }

  @Test func aSuspectFixIsNoWay() {
    var machine = deferring(distance: 95)
    _ = machine.handle(.fix(driving(0)), at: .seconds(0))
    var jump = driving(1000)
    jump.qualityFlag = .implausible
    #expect(machine.handle(.fix(jump), at: .seconds(1)) == [.hold(jump)])
  }

  @Test func endsAtTheTime() {
    var machine = deferring(timeout: .seconds(60))
    #expect(machine.nextDeadline == .seconds(60))
    #expect(machine.handle(.fix(driving(30)), at: .seconds(30)) == [.hold(driving(30))])
    #expect(machine.handle(.wake, at: .seconds(59)) == [])
    #expect(machine.handle(.wake, at: .seconds(60)) == [.deliver, .finish(nil)])
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.wake, at: .seconds(61)) == [])
    var late = deferring(timeout: .seconds(60))
    #expect(late.handle(.fix(driving(61)), at: .seconds(61)) == [.hold(driving(61)), .deliver, .finish(nil)])
  }

  /// A call that asks only for what is held.
  @Test func endsAtOnceWithoutDistanceOrTime() {
    var machine = Deferral(isInForeground: false)
    #expect(machine.handle(.allow(.ended, .init()), at: .start) == [.finish(nil)])
    #expect(machine.handle(.allow(DeferralLimits(distance: Meters(0)), .init()), at: .start) == [.finish(nil)])
    var running = deferring(timeout: .seconds(60))
    #expect(running.handle(.allow(.ended, .init()), at: .seconds(1)) == [.deliver, .finish(.canceled), .finish(nil)])
    #expect(running.handle(.fix(driving(2)), at: .seconds(2)) == [.pass(driving(2))])
  }

  @Test func aReleaseIsNoEnd() {
    var machine = deferring(timeout: .seconds(60))
    #expect(machine.handle(.release, at: .seconds(1)) == [.deliver])
    #expect(machine.handle(.fix(driving(2)), at: .seconds(2)) == [.hold(driving(2))])
    #expect(machine.nextDeadline == .seconds(60))
  }

  @Test func inTheForegroundNothingIsHeld() {
    var machine = deferring(timeout: .seconds(600))
    #expect(machine.handle(.fix(driving(1)), at: .seconds(1)) == [.hold(driving(1))])
    #expect(machine.handle(.foreground(true), at: .seconds(2)) == [.deliver])
    #expect(machine.handle(.fix(driving(3)), at: .seconds(3)) == [.pass(driving(3))])
    #expect(machine.handle(.foreground(false), at: .seconds(4)) == [])
    #expect(machine.handle(.fix(driving(5)), at: .seconds(5)) == [.hold(driving(5))])
    #expect(machine.handle(.wake, at: .seconds(600)) == [.deliver, .finish(nil)])
    // The way in the foreground counts, too.
    var walking = deferring(distance: 95)
    _ = walking.handle(.foreground(true), at: .start)
    for second in (0..<10).map(Double.init) {
      #expect(walking.handle(.fix(driving(second)), at: .seconds(second)) == [.pass(driving(second))])
    }
    #expect(walking.handle(.fix(driving(10)), at: .seconds(10)) == [.pass(driving(10)), .deliver, .finish(nil)])
  }

  @Test func aSecondCallCancelsTheFirst() {
    var machine = deferring(timeout: .seconds(60))
    _ = machine.handle(.fix(driving(1)), at: .seconds(1))
    let second = Deferral.Input.allow(DeferralLimits(timeout: .seconds(10)), .init())
    #expect(machine.handle(second, at: .seconds(2)) == [.deliver, .finish(.canceled)])
    #expect(machine.nextDeadline == .seconds(12))
    #expect(machine.handle(.disallow, at: .seconds(3)) == [.deliver, .finish(.canceled)])
    #expect(machine.handle(.disallow, at: .seconds(3)) == [])
  }

  /// The failure for each set of conditions: all sixteen.
  @Test func conditionsAreChecked() {
    for bits in 0..<16 {
      var conditions = DeferralConditions()
      conditions.hasReceiver = bits & 1 == 0
      conditions.isUpdating = bits & 2 == 0
      conditions.wantsBestAccuracy = bits & 4 == 0
      conditions.hasDistanceFilter = bits & 8 != 0
      let expected: DeferralFailure? =
        if bits & 1 != 0 { .failed } else if bits & 2 != 0 { .notUpdating } else if bits & 4 != 0 {
          .accuracyTooLow
        } else if bits & 8 != 0 { .distanceFiltered } else { nil }
      var machine = Deferral(isInForeground: false)
      let actions = machine.handle(.allow(DeferralLimits(), conditions), at: .start)
      #expect(actions == (expected.map { [.finish($0)] } ?? []))
      // The same during a deferral: what is held is delivered first.
      var running = deferring()
      _ = running.handle(.fix(driving(1)), at: .seconds(1))
      let later = running.handle(.conditions(conditions), at: .seconds(2))
      #expect(later == (expected.map { [.deliver, .finish($0)] } ?? []))
    }
  }

  @Test func theOptionsOfAStreamAreTheConditions() {
    #expect(DeferralConditions(UpdateOptions()).failure == nil)
    #expect(DeferralConditions(UpdateOptions(), hasReceiver: false).failure == .failed)
    #expect(DeferralConditions(UpdateOptions(desiredRadius68: Meters(20))).failure == .accuracyTooLow)
    #expect(DeferralConditions(UpdateOptions(sufficientRadius68: Meters(10))).failure == .accuracyTooLow)
    #expect(DeferralConditions(UpdateOptions(distanceFilter: Meters(10))).failure == .distanceFiltered)
  }
}
