import Geodesy
import LocationPolicy
import TestSupport
import Testing

/// One place, meter by meter: north of latitude 50°, where a degree is 111,229 m.
@Suite struct VisitTests {
  private typealias Action = VisitDetector.Action
  private var machine = VisitDetector()

  private static func fix(_ north: Double, at seconds: Double, radius: Double = 5, speed: Double? = 0) -> PositionFix {
    .at(seconds, radius: radius, speed: speed, latitude: 50 + north / 111_229)
  }

  private mutating func receive(_ north: Double, at seconds: Double, radius: Double = 5, speed: Double? = 0) -> [Action]
  {
    machine.handle(.fix(Self.fix(north, at: seconds, radius: radius, speed: speed)), at: .seconds(seconds))
  }

  private static func time(_ seconds: Double) -> GNSSTime { fix(0, at: seconds).time }

  /// Moves at 2 m/s, is at the door at `seconds`, and stays until `end`.
  private mutating func arrive(at seconds: Double, until end: Double) -> [Action] {
    var actions: [Action] = []
    for step in stride(from: -300.0, to: 0, by: 10) { actions += receive(2 * step, at: seconds + step, speed: 2) }
    for step in stride(from: 0, through: end - seconds, by: 10) { actions += receive(0, at: seconds + step) }
    return actions
  }

  @Test mutating func aStayIsReportedWhenItIsSureAndAtItsTrueTime() throws {
    _ = machine.handle(.start(resuming: nil), at: .start)
    var reported = arrive(at: 1000, until: 1380)
    #expect(reported == [])
    reported = receive(0, at: 1430)
    guard case .arrived(let visit)? = reported.first else {
      Issue.record("\(reported)")
      return
    }
    let arrival = try #require(visit.arrival)
    // Within the time that the last meters to the door take.
    #expect(abs((arrival - Self.time(1000)).inSeconds) <= 10 && visit.departure == nil)
    #expect(visit.horizontalRadius68 <= Meters(20))
  }

  @Test mutating func aDepartureIsReportedOnceItIsSure() throws {
    _ = machine.handle(.start(resuming: nil), at: .start)
    #expect(arrive(at: 1000, until: 2000).count == 1)
    var reported: [Action] = []
    for step in stride(from: 10.0, through: 400, by: 10) where reported.isEmpty {
      reported = receive(1.4 * step, at: 2000 + step, speed: 1.4)
    }
    guard case .departed(let visit)? = reported.first else {
      Issue.record("\(reported)")
      return
    }
    let departure = try #require(visit.departure)
    #expect(abs((departure - Self.time(2000)).inSeconds) <= 20 && visit.arrival != nil)
    #expect(machine.stay == nil)
  }

  @Test mutating func anEarlierStayHasNoArrivalTime() {
    _ = machine.handle(.start(resuming: nil), at: .start)
    var reported: [Action] = []
    for seconds in stride(from: 0.0, through: 600, by: 10) { reported += receive(0, at: seconds) }
    guard case .arrived(let visit)? = reported.first else {
      Issue.record("\(reported)")
      return
    }
    #expect(visit.arrival == nil && reported.count == 1)
  }

  /// Traffic lights, a traffic jam, waiting for a bus.
  @Test mutating func aStopIsNoVisit() {
    _ = machine.handle(.start(resuming: nil), at: .start)
    var (place, seconds) = (0.0, 0.0)
    for pause in [60.0, 90, 330, 240, 300] {
      for _ in 0..<30 {
        #expect(receive(place, at: seconds, speed: 8) == [])
        place += 80
        seconds += 10
      }
      for _ in stride(from: 0, to: pause, by: 10) {
        #expect(receive(place, at: seconds) == [])
        seconds += 10
      }
    }
  }

  /// Inside a house, nothing is received; afterwards, the machine is still there.
  @Test mutating func silenceCountsAsAStay() throws {
    _ = machine.handle(.start(resuming: nil), at: .start)
    for step in stride(from: -300.0, through: 0, by: 10) { _ = receive(2 * step, at: 1000 + step, speed: 2) }
    let reported = receive(20, at: 9000)
    guard case .arrived(let visit)? = reported.first else {
      Issue.record("\(reported)")
      return
    }
    #expect(abs((try #require(visit.arrival) - Self.time(1000)).inSeconds) <= 10)
  }

  @Test mutating func silenceAfterStandstillMeansArrival() {
    _ = machine.handle(.start(resuming: nil), at: .start)
    for step in stride(from: -300.0, through: 0, by: 10) {
      _ = receive(2 * step, at: 1000 + step, speed: step < 0 ? 2 : 0)
    }
    #expect(machine.nextDeadline == .seconds(1600))
    #expect(machine.handle(.wake, at: .seconds(1599)) == [])
    #expect(machine.handle(.wake, at: .seconds(1600)).count == 1)
    #expect(machine.nextDeadline == nil)
  }

  /// A tunnel is not a stay.
  @Test mutating func silenceAfterMovementMeansTravel() {
    _ = machine.handle(.start(resuming: nil), at: .start)
    for step in stride(from: 0.0, through: 300, by: 10) { _ = receive(20 * step, at: step, speed: 20) }
    #expect(machine.nextDeadline == nil)
    #expect(receive(20_000, at: 1500, speed: 20) == [])
  }

  @Test mutating func aHintMakesItSureSooner() {
    _ = machine.handle(.start(resuming: nil), at: .start)
    #expect(arrive(at: 1000, until: 1130) == [])
    #expect(machine.handle(.hint, at: .seconds(1131)).count == 1)
  }

  /// The machine is stopped and resumed, as after a power failure: nothing is reported twice, and nothing is lost.
  @Test mutating func aStayOutlastsTheProgram() throws {
    _ = machine.handle(.start(resuming: nil), at: .start)
    #expect(arrive(at: 1000, until: 2000).count == 1)
    let stay = try #require(machine.stay)
    var next = VisitDetector()
    _ = next.handle(.start(resuming: stay), at: .seconds(5000))
    #expect(next.handle(.fix(Self.fix(5, at: 5010)), at: .seconds(5010)) == [])
    var reported: [Action] = []
    for step in stride(from: 10.0, through: 400, by: 10) where reported.isEmpty {
      let fix = Self.fix(5 * step, at: 5010 + step, speed: 5)
      reported = next.handle(.fix(fix), at: fix.receivedAt)
    }
    guard case .departed(let visit)? = reported.first else {
      Issue.record("\(reported)")
      return
    }
    #expect(visit.arrival == stay.arrival)
    #expect(abs((try #require(visit.departure) - Self.time(5010)).inSeconds) <= 20)
  }

  /// The machine is off from 06:20 at one place to 16:00 at another: neither the departure nor the arrival was
  /// observed.
  @Test mutating func whatHappenedWhileItWasOffHasNoTimes() throws {
    _ = machine.handle(.start(resuming: nil), at: .start)
    #expect(arrive(at: 1000, until: 2000).count == 1)
    let stay = try #require(machine.stay)
    machine = VisitDetector()
    _ = machine.handle(.start(resuming: stay), at: .seconds(36_000))
    var reported: [Action] = []
    for step in stride(from: 10.0, through: 900, by: 10) { reported += receive(12_000, at: 36_000 + step) }
    guard reported.count == 2, case .departed(let left) = reported[0], case .arrived(let there) = reported[1] else {
      Issue.record("\(reported)")
      return
    }
    #expect(left.arrival == stay.arrival && left.departure == nil && left.hasEnded)
    #expect(there.arrival == nil && !there.hasEnded)
    // The next departure is observed, and has a time.
    var end: [Action] = []
    for step in stride(from: 10.0, through: 400, by: 10) where end.isEmpty {
      end = receive(12_000 + 5 * step, at: 36_900 + step, speed: 5)
    }
    guard case .departed(let seen)? = end.first else {
      Issue.record("\(end)")
      return
    }
    #expect(abs((try #require(seen.departure) - Self.time(36_900)).inSeconds) <= 20 && seen.arrival == nil)
  }

  /// The permission is revoked on the way, and granted again at the place.
  @Test mutating func whatHappenedWithoutPermissionHasNoTimes() {
    _ = machine.handle(.start(resuming: nil), at: .start)
    for step in stride(from: 0.0, through: 300, by: 10) { _ = receive(20 * step, at: step, speed: 20) }
    _ = machine.handle(.unobserved, at: .seconds(9000))
    var reported: [Action] = []
    for step in stride(from: 0.0, through: 600, by: 10) { reported += receive(9000, at: 9000 + step) }
    guard case .arrived(let visit)? = reported.first else {
      Issue.record("\(reported)")
      return
    }
    #expect(visit.arrival == nil && reported.count == 1)
  }

  /// The machine is off for the night at one place; if it is observed there again, the stay has its times.
  @Test mutating func aStayIsDetectedAfterTheDwellTime() throws {
    _ = machine.handle(.start(resuming: nil), at: .start)
    #expect(arrive(at: 1000, until: 2000).count == 1)
    _ = machine.handle(.unobserved, at: .seconds(30_000))
    var reported = receive(0, at: 30_000)
    for step in stride(from: 10.0, through: 400, by: 10) where reported.isEmpty {
      reported = receive(5 * step, at: 30_000 + step, speed: 5)
    }
    guard case .departed(let visit)? = reported.first else {
      Issue.record("\(reported)")
      return
    }
    #expect(abs((try #require(visit.departure) - Self.time(30_000)).inSeconds) <= 20 && visit.arrival != nil)
  }

  /// After ten hours without a position, the time of the departure is not estimated from the distance.
  @Test mutating func aGuessOfHoursIsIgnored() throws {
    _ = machine.handle(.start(resuming: nil), at: .start)
    #expect(arrive(at: 1000, until: 2000).count == 1)
    var reported: [Action] = []
    for step in stride(from: 0.0, through: 400, by: 10) where reported.isEmpty {
      reported = receive(50_000 + 20 * step, at: 38_000 + step, speed: 0.5)
    }
    guard case .departed(let visit)? = reported.first else {
      Issue.record("\(reported)")
      return
    }
    #expect(visit.departure == nil && visit.hasEnded)
  }

  /// Single positions far away, coarse positions and suspect ones.
  @Test mutating func badFixesEndNothing() {
    _ = machine.handle(.start(resuming: nil), at: .start)
    #expect(arrive(at: 1000, until: 2000).count == 1)
    for (index, seconds) in stride(from: 2010.0, through: 4000, by: 10).enumerated() {
      let reported =
        switch index % 4 {
        case 0: receive(900, at: seconds)
        case 1: receive(2000, at: seconds, radius: 1500)
        case 2: machine.handle(.fix(.at(seconds, radius: 5, latitude: 51, qualityFlag: .frozen)), at: .seconds(seconds))
        default: receive(0, at: seconds)
        }
      #expect(reported == [])
    }
  }
}
