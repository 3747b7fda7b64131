import Fleet
import FleetDestinations
import Geodesy
import LocationPolicy
import Regions
import Testing

/// What enters an outbox.
@Suite struct FleetIntakeTests {
  private static let monday = GNSSTime(nanosecondsSince1970: 1_795_420_800_000_000_000)  // 2026-11-23T08:00Z
  private static let home = Coordinate(latitude: Angle(degrees: 52), longitude: Angle(degrees: 0))

  /// A fix this far east of home, meters.
  private static func fix(east: Double, at seconds: Int, radius: Double = 3, speed: Double = 20) -> PositionFix {
    let place = Geodesic.direct(from: home, course: Angle(degrees: 90), distance: Meters(east)).coordinate
    var fix = PositionFix(
      time: monday + .seconds(seconds), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: Int64(seconds) * 1_000_000_000), coordinate: place,
      horizontalRadius68: Meters(radius), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = speed
    return fix
  }

  private static func intake(pause: FleetPause = .none, _ change: (inout FleetSettings) -> Void = { _ in })
    -> FleetIntake
  {
    var settings = FleetSettings()
    settings.interval = .seconds(10)
    change(&settings)
    return FleetIntake(settings, pause: pause)
  }

  private static func clock(_ seconds: Int = 0) -> FleetIntake.Clock {
    FleetIntake.Clock(time: monday + .seconds(seconds), offset: .zero)
  }

  private static func east(_ fix: PositionFix) -> Double {
    Geodesic.inverse(from: home, to: fix.coordinate).distance.value
  }

  @Test func theIntervalAndTheHeartbeatOfAParkedDevice() {
    var intake = Self.intake { $0.parkedInterval = .seconds(600) }
    var times: [Int] = []
    for second in 0..<2000 {
      let isMoving = second < 60
      let fix = Self.fix(east: Double(min(second, 60)) * 20, at: second, speed: isMoving ? 20 : 0)
      if !intake.add(fix, Self.clock(second)).isEmpty { times.append(second) }
    }
    #expect(times == [0, 10, 20, 30, 40, 50, 60, 660, 1260, 1860])
  }

  @Test func nothingFromInsideAHiddenRegionAndTripsEndAtItsBorder() throws {
    let circle = try CircleShape(center: Self.home, radius: Meters(300))
    var intake = Self.intake { $0.hidden = [HiddenRegion(name: "home", shape: .circle(circle))] }
    var shown: [Double] = []
    // Toward home, an hour there, and away again.
    for second in 0..<100 {
      shown += intake.add(Self.fix(east: Double(1000 - 10 * second), at: second), Self.clock(second)).map(Self.east)
    }
    for second in 100..<200 {
      shown += intake.add(Self.fix(east: Double(10 * (second - 100)), at: second), Self.clock(second)).map(Self.east)
    }
    #expect(shown.allSatisfy { $0 > 299.9 })
    // On the border in both directions, although the interval is not over.
    #expect(shown.count { abs($0 - 300) < 0.1 } == 2)
    let border = shown.firstIndex { abs($0 - 300) < 0.1 } ?? 0
    #expect(shown[..<border].allSatisfy { $0 > 300 } && abs(shown[border + 1] - 300) < 0.1)
    // An event at home neither.
    let crossing = FleetCrossing(
      region: "home", isEntry: true, time: Self.monday, addedAt: Self.monday, coordinate: Self.home, radius68: Meters(5)
    )
    var eventful = Self.intake { settings in
      settings.sendsEvents = true
      settings.hidden = [HiddenRegion(name: "home", shape: .circle(circle))]
    }
    #expect(!eventful.shows(.crossing(crossing), Self.clock()))
    eventful = Self.intake { $0.sendsEvents = true }
    #expect(eventful.shows(.crossing(crossing), Self.clock()))
    #expect(!Self.intake().shows(.crossing(crossing), Self.clock()))
  }

  @Test func nothingOfAPauseIsSentLater() {
    var intake = Self.intake(pause: .until(Self.monday + .seconds(100)))
    var seconds: [Int] = []
    for second in 0..<200 where !intake.add(Self.fix(east: Double(second) * 20, at: second), Self.clock(second)).isEmpty
    {
      seconds.append(second)
    }
    #expect(seconds.first == 100 && seconds.count == 10)
    #expect(intake.obstacle(Self.clock(50)) == .paused && intake.obstacle(Self.clock(100)) == nil)
    intake.set(.indefinitely)
    #expect(intake.add(Self.fix(east: 9000, at: 300), Self.clock(300)).isEmpty)
  }

  @Test func theScheduleCountsInLocalTime() {
    var intake = Self.intake { $0.schedule = FleetSchedule("Mo-Fr 07:00-08:30") }
    #expect(intake.add(Self.fix(east: 0, at: 0), Self.clock(0)).count == 1)
    #expect(intake.add(Self.fix(east: 900, at: 1800), Self.clock(1800)).isEmpty)
    #expect(intake.obstacle(Self.clock(1800)) == .resting)
    // An hour ahead of UTC it is over already.
    #expect(intake.obstacle(FleetIntake.Clock(time: Self.monday, offset: .seconds(3600))) == .resting)
    // Without a clock it is not known to be allowed.
    #expect(intake.obstacle(FleetIntake.Clock(time: nil, offset: .zero)) == .paused)
  }

  @Test func reducedAccuracyIsAPointOfTheGrid() throws {
    var intake = Self.intake { $0.isReduced = true }
    // The machine's reduced position.
    func all(of intake: inout FleetIntake) -> [PositionFix] {
      var reducer = ReducedPosition(key: (1, 2))
      return (0..<600).flatMap { second in
        let fix = Self.fix(east: Double(second), at: second)
        return intake.add(fix, reduced: reducer.reduce(fix), Self.clock(second))
      }
    }
    let shown = all(of: &intake)
    #expect(Set(shown.map(\.coordinate)).count == 1 && shown.allSatisfy { $0.horizontalRadius68.value >= 1000 })
    #expect(shown.allSatisfy { $0.speedMetersPerSecond == nil })
    // A point of the grid inside of a hidden region is not sent either, nor are events, which are exact.
    let point = try #require(shown.first?.coordinate)
    let circle = try CircleShape(center: point, radius: Meters(100))
    var hiding = Self.intake { settings in
      (settings.isReduced, settings.sendsEvents) = (true, true)
      settings.hidden = [HiddenRegion(name: "x", shape: .circle(circle))]
    }
    #expect(all(of: &hiding).isEmpty)
    let crossing = FleetCrossing(
      region: "a", isEntry: true, time: Self.monday, addedAt: Self.monday, coordinate: Self.home, radius68: Meters(5))
    #expect(!hiding.shows(.crossing(crossing), Self.clock()))
  }

  /// A reduced position is kept for a quarter of an hour: one that was made inside of a hidden region is not sent after it.
  @Test func noReducedPositionFromInsideAHiddenRegion() throws {
    let circle = try CircleShape(center: Self.home, radius: Meters(300))
    var intake = Self.intake { settings in
      settings.isReduced = true
      settings.hidden = [HiddenRegion(name: "home", shape: .circle(circle))]
    }
    var reducer = ReducedPosition(key: (1, 2))
    var first: Int?
    for second in stride(from: 0, to: 3600, by: 10) {
      // Ten minutes at home, then outside.
      let fix = Self.fix(east: second < 600 ? 0 : 400, at: second)
      let reduced = reducer.reduce(fix)
      let shown = intake.add(fix, reduced: reduced, Self.clock(second))
      guard !shown.isEmpty else { continue }
      first = first ?? second
      #expect(shown.allSatisfy { $0.receivedAt > Instant(nanoseconds: 590_000_000_000) })
    }
    // Made at 900 s or later, and not at 600 s, when the last one was still that of home.
    #expect(try #require(first) >= 900)
    // Without the machine's reduced position nothing is sent.
    var without = Self.intake { $0.isReduced = true }
    #expect(without.add(Self.fix(east: 0, at: 0), Self.clock()).isEmpty)
  }

  @Test func whatCannotBeTrustedIsNotSent() {
    var intake = Self.intake { $0.desiredRadius68 = Meters(50) }
    var fix = Self.fix(east: 0, at: 0)
    fix.qualityFlag = .jammed
    #expect(intake.add(fix, Self.clock()).isEmpty)
    fix = Self.fix(east: 0, at: 0)
    fix.isSimulated = true
    #expect(intake.add(fix, Self.clock()).isEmpty)
    #expect(intake.add(Self.fix(east: 0, at: 0, radius: 51), Self.clock()).isEmpty)
    // A clock that is not set, and a receiver that has not confirmed its time.
    fix = Self.fix(east: 0, at: 0)
    fix.timeValidity = .dateUnconfirmed
    let unset = FleetIntake.Clock(time: nil, offset: .zero)
    #expect(intake.add(fix, unset).isEmpty && intake.isClockUnsure && intake.unsure == 1)
    fix.timeValidity = .confirmed
    #expect(intake.add(fix, unset).count == 1 && !intake.isClockUnsure)
  }

  @Test func aLatePositionIsNotRecordedButAClockThatIsSetBackIs() {
    var intake = Self.intake()
    #expect(intake.add(Self.fix(east: 0, at: 1000), Self.clock(1000)).count == 1)
    var late = Self.fix(east: 900, at: 1001)
    late.time = Self.monday + .seconds(990)
    #expect(intake.add(late, Self.clock(1001)).isEmpty)
    var setBack = Self.fix(east: 1800, at: 1002)
    setBack.time = Self.monday + .seconds(100)
    #expect(intake.add(setBack, Self.clock(100)).count == 1)
    #expect(intake.add(Self.fix(east: 2700, at: 1003), Self.clock(1003)).count == 1)
  }

  @Test func withReducedAccuracyTheBorderOfAHiddenRegionIsNotShown() throws {
    let circle = try CircleShape(center: Self.home, radius: Meters(20))
    func records(hides: Bool) -> Int {
      var intake = Self.intake { settings in
        settings.isReduced = true
        if hides { settings.hidden = [HiddenRegion(name: "home", shape: .circle(circle))] }
      }
      return (0..<100).reduce(0) { sum, second in
        sum + intake.add(Self.fix(east: Double(10 * second - 500), at: second), Self.clock(second)).count
      }
    }
    #expect(records(hides: true) == records(hides: false))
  }

  @Test func thinningKeepsTheLineAndTheTime() {
    // Straight for 1,000 s at 1 Hz, then a turn.
    var fixes = (0..<1000).map { Self.fix(east: Double($0) * 10, at: $0) }
    let north = (0..<200).map { second in
      var fix = Self.fix(east: 9990, at: 1000 + second)
      fix.coordinate =
        Geodesic.direct(from: fix.coordinate, course: Angle(degrees: 0), distance: Meters(Double(second) * 10))
        .coordinate
      return fix
    }
    fixes += north
    let thinned = TrackThinning.thinned(fixes)
    #expect(thinned.count < 20 && thinned.first == fixes.first && thinned.last == fixes.last)
    for (before, after) in zip(thinned, thinned.dropFirst()) { #expect(after.time - before.time <= .seconds(300)) }
    // No fix that was left out is further than the tolerance from the line, measured on the ellipsoid.
    for fix in fixes {
      let nearest = zip(thinned, thinned.dropFirst()).filter { $0.time <= fix.time && fix.time <= $1.time }.map {
        line -> Double in
        let length = Geodesic.inverse(from: line.0.coordinate, to: line.1.coordinate)
        return (0...100).map { step -> Double in
          let place = Geodesic.direct(
            from: line.0.coordinate, course: length.initialCourse,
            distance: Meters(length.distance.value * Double(step) / 100)
          ).coordinate
          return Geodesic.inverse(from: place, to: fix.coordinate).distance.value
        }.min() ?? .infinity
      }.min()
      #expect(nearest.map { $0 < 45 } ?? false)
    }
    #expect(TrackThinning.thinned(Array(fixes.prefix(2))).count == 2)
  }
}
