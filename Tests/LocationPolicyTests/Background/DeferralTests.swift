import Geodesy
import LocationPolicy
import Testing

@Suite struct DeferralTests {
  private func driving(_ seconds: Double) -> PositionFix {
    .at(seconds, radius: 3, speed: 10, latitude: 50 + 10 * seconds / 111_229)
  }

  private func deferring(distance: Double? = nil, timeout: Duration? = nil) -> Deferral {
    var machine = Deferral(isInForeground: false)
    #expect(machine.handle(.allow(distance: distance.map { Meters($0) }, timeout: timeout, .init()), at: .start) == [])
    return machine
  }

  @Test func withoutACallFixesGoThrough() {
    var machine = Deferral(isInForeground: false)
    #expect(machine.handle(.fix(driving(1)), at: .seconds(1)) == [.deliver([driving(1)])])
    #expect(machine.handle(.disallow, at: .seconds(2)) == [])
    #expect(machine.handle(.othersServed, at: .seconds(2)) == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func deliversAtTheDistance() {
    var machine = deferring(distance: 95)
    for second in 0..<10 { #expect(machine.handle(.fix(driving(Double(second))), at: .seconds(Double(second))) == []) }
    let held = (0...10).map { driving(Double($0)) }
    #expect(machine.handle(.fix(held[10]), at: .seconds(10)) == [.deliver(held), .finish(nil)])
    #expect(machine.handle(.fix(driving(11)), at: .seconds(11)) == [.deliver([driving(11)])])
  }

  @Test func standingStillIsNoWay() {
    var machine = deferring(distance: 20)
    for second in 0..<500 {
      let fix = PositionFix.at(
        Double(second), radius: 3, speed: 0.2, latitude: 50 + (second % 2 == 0 ? 0 : 4) / 111_229)
      #expect(machine.handle(.fix(fix), at: .seconds(Double(second))) == [])
    }
  }

  @Test func deliversAtTheTime() {
    var machine = deferring(timeout: .seconds(60))
    #expect(machine.nextDeadline == .seconds(60))
    #expect(machine.handle(.fix(driving(30)), at: .seconds(30)) == [])
    #expect(machine.handle(.wake, at: .seconds(59)) == [])
    #expect(machine.handle(.wake, at: .seconds(60)) == [.deliver([driving(30)]), .finish(nil)])
    #expect(machine.nextDeadline == nil)
    var empty = deferring(timeout: .seconds(60))
    #expect(empty.handle(.wake, at: .seconds(60)) == [.finish(nil)])
    var late = deferring(timeout: .seconds(60))
    #expect(late.handle(.fix(driving(61)), at: .seconds(61)) == [.deliver([driving(61)]), .finish(nil)])
  }

  @Test func fullAndOthersDeliverEarlyWithoutAnEnd() {
    var machine = deferring(timeout: .seconds(7200))
    var delivered = 0
    for second in 0..<Deferral.capacity * 2 {
      for action in machine.handle(.fix(driving(Double(second))), at: .seconds(Double(second))) {
        guard case .deliver(let fixes) = action else {
          Issue.record("\(action)")
          return
        }
        #expect(fixes.count == Deferral.capacity)
        #expect(fixes.first == driving(Double(delivered)))
        delivered += fixes.count
      }
    }
    #expect(delivered == 2 * Deferral.capacity)
    _ = machine.handle(.fix(driving(1300)), at: .seconds(1300))
    #expect(machine.handle(.othersServed, at: .seconds(1301)) == [.deliver([driving(1300)])])
    #expect(machine.handle(.othersServed, at: .seconds(1301)) == [])
    #expect(machine.nextDeadline == .seconds(7200))
  }

  @Test func inTheForegroundNothingIsHeld() {
    var machine = deferring(timeout: .seconds(600))
    _ = machine.handle(.fix(driving(1)), at: .seconds(1))
    #expect(machine.handle(.foreground(true), at: .seconds(2)) == [.deliver([driving(1)])])
    #expect(machine.handle(.fix(driving(3)), at: .seconds(3)) == [.deliver([driving(3)])])
    #expect(machine.handle(.foreground(false), at: .seconds(4)) == [])
    #expect(machine.handle(.fix(driving(5)), at: .seconds(5)) == [])
    #expect(machine.handle(.wake, at: .seconds(600)) == [.deliver([driving(5)]), .finish(nil)])
  }

  @Test func aSecondCallCancelsTheFirst() {
    var machine = deferring(timeout: .seconds(60))
    _ = machine.handle(.fix(driving(1)), at: .seconds(1))
    #expect(
      machine.handle(.allow(distance: nil, timeout: .seconds(10), .init()), at: .seconds(2)) == [
        .deliver([driving(1)]), .finish(.canceled),
      ])
    #expect(machine.nextDeadline == .seconds(12))
    #expect(machine.handle(.disallow, at: .seconds(3)) == [.finish(.canceled)])
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
        } else if bits
          & 8 != 0
        { .distanceFiltered } else { nil }
      var machine = Deferral(isInForeground: false)
      let actions = machine.handle(.allow(distance: nil, timeout: nil, conditions), at: .start)
      #expect(actions == (expected.map { [.finish($0)] } ?? []))
      // The same during a deferral: the deferred fixes are delivered first.
      var running = deferring()
      _ = running.handle(.fix(driving(1)), at: .seconds(1))
      let later = running.handle(.conditions(conditions), at: .seconds(2))
      #expect(later == (expected.map { [.deliver([driving(1)]), .finish($0)] } ?? []))
    }
  }
}
