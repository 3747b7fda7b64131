import Geodesy
import LocationPolicy
import TestSupport
import Testing

/// 500 m, five minutes, and what causes no event.
@Suite struct SignificantChangeTests {
  private typealias Action = SignificantChange.Action
  private var machine = SignificantChange()

  /// A fix this many meters north of latitude 50°, where a degree is 111,229 m.
  private func fix(_ north: Double, at seconds: Double, radius: Double = 10, qualityFlag: FixQualityFlag? = nil)
    -> PositionFix
  {
    .at(seconds, radius: radius, latitude: 50 + north / 111_229, qualityFlag: qualityFlag)
  }

  private mutating func receive(_ fix: PositionFix) -> [Action] { machine.handle(.fix(fix), at: fix.receivedAt) }

  private mutating func begin() { _ = machine.handle(.start(latest: fix(0, at: 0)), at: .seconds(0)) }

  @Test mutating func theStartIsReported() {
    let old = fix(0, at: 0)
    let reported = machine.handle(.start(latest: old), at: .seconds(50))
    #expect(reported == [.deliver(old.grown(to: .seconds(50)), age: .seconds(50))])
    // After another start, the fix is delivered again.
    _ = machine.handle(.stop, at: .seconds(60))
    #expect(machine.demand == nil)
    #expect(machine.handle(.start(latest: old), at: .seconds(61)).count == 1)
  }

  @Test mutating func whereNothingIsKnownTheFirstFixIsReported() {
    #expect(machine.handle(.start(latest: nil), at: .seconds(0)) == [])
    #expect(receive(fix(0, at: 3, qualityFlag: .frozen)) == [])
    #expect(receive(fix(0, at: 4)).count == 1)
  }

  @Test mutating func fiveHundredMetres() {
    begin()
    #expect(receive(fix(495, at: 400)) == [])
    #expect(receive(fix(505, at: 401)) == [.deliver(fix(505, at: 401), age: .zero)])
    // The distance is measured from there.
    #expect(receive(fix(0, at: 800)).count == 1)
  }

  @Test mutating func fiveMinutes() {
    begin()
    #expect(receive(fix(600, at: 100)) == [] && machine.nextDeadline == .seconds(300))
    #expect(receive(fix(900, at: 200)) == [])
    let newest = fix(900, at: 200)
    #expect(machine.handle(.wake, at: .seconds(299)) == [])
    #expect(machine.handle(.wake, at: .seconds(300)) == [.deliver(newest.grown(to: .seconds(300)), age: .seconds(100))])
    #expect(machine.nextDeadline == nil)
  }

  @Test mutating func aQuickReturnIsNoDeparture() {
    begin()
    _ = receive(fix(900, at: 100))
    #expect(receive(fix(20, at: 200)) == [] && machine.nextDeadline == nil)
    #expect(receive(fix(20, at: 400)) == [])
  }

  /// A fix whose error may be as large as the distance, a suspect fix, and an earlier one.
  @Test mutating func badFixesCauseNoEvent() {
    begin()
    #expect(receive(fix(900, at: 400, radius: 600)) == [])
    #expect(receive(fix(900, at: 401, qualityFlag: .frozen)) == [])
    #expect(receive(fix(900, at: 402)).count == 1)
    #expect(machine.handle(.fix(fix(0, at: 399)), at: .seconds(1000)) == [])
  }

  /// A year of driving: events are never too near and never too frequent, and never too late.
  @Test mutating func anyWay() throws {
    var random = SplitMix64(seed: 9)
    begin()
    var (place, reported, reportedAt) = (0.0, 0.0, 0.0)
    for step in 1...50_000 {
      let now = Double(step) * 20
      place += Double.random(in: -200...200, using: &random)
      for case .deliver(let fix, _) in receive(fix(place, at: now)) {
        let there = (fix.coordinate.latitude.degrees - 50) * 111_229
        #expect(abs(there - reported) >= 495 && now - reportedAt >= 300)
        (reported, reportedAt) = (there, now)
      }
      #expect(abs(place - reported) < 505 || now - reportedAt < 300)
    }
  }
}
