import Geodesy
import Regions
import TestSupport
import Testing

/// A region, and its events step by step.
@Suite struct MonitorTests {
  private let middle = Coordinate(50, 8)

  private func region(_ name: String = "home", radius: Double = 100, entry: Bool = true, exit: Bool = true) throws
    -> Region
  {
    try Region(
      identifier: name, shape: .circle(try CircleShape(center: middle, radius: Meters(radius))), notifiesOnEntry: entry,
      notifiesOnExit: exit)
  }

  private func monitor(_ region: Region, _ state: RegionState = .unknown) -> RegionMonitor {
    var monitor = RegionMonitor()
    _ = monitor.handle(.add(region, assuming: state), at: PositionFix.at(0, middle).receivedAt)
    return monitor
  }

  /// A fix this many meters north of the center.
  private func fix(
    _ seconds: Double, north: Double, radius: Double = 4, speed: Double? = nil, course: Double = 0,
    qualityFlag: FixQualityFlag? = nil
  ) -> PositionFix {
    .at(
      seconds, middle.moved(east: 0, north: north), radius: radius, speed: speed, course: speed.map { _ in course },
      qualityFlag: qualityFlag)
  }

  private func send(_ monitor: inout RegionMonitor, _ fix: PositionFix) -> [RegionMonitor.Action] {
    monitor.handle(.fix(fix), at: fix.receivedAt)
  }

  /// The crossings that are reported with one fix per second, by their second.
  private func crossings(
    of monitor: inout RegionMonitor, _ seconds: ClosedRange<Int>,
    _ fixes: (Int) -> (made: PositionFix, received: PositionFix?)
  ) -> [Int: RegionCrossing] {
    var reported: [Int: RegionCrossing] = [:]
    for second in seconds {
      let (made, received) = fixes(second)
      for action in monitor.handle(.fix(made, received: received), at: made.receivedAt) {
        if case .crossed(let crossing) = action { reported[second] = crossing }
      }
    }
    return reported
  }

  @Test func beingInsideAtTheBeginningIsNoEntry() throws {
    var monitor = monitor(try region())
    let now = PositionFix.at(0, middle).receivedAt
    #expect(monitor.handle(.requestState("home"), at: now) == [.state("home", .unknown)])
    #expect(send(&monitor, fix(0, north: 0)) == [.determined("home", .inside)])
    #expect(send(&monitor, fix(1, north: 1)) == [])
    #expect(monitor.handle(.requestState("home"), at: now) == [.state("home", .inside)])
    #expect(monitor.handle(.requestState("nowhere"), at: now) == [.state("nowhere", nil)])
  }

  /// Between one and two radii from the border, a first fix is not enough; the fixes of some seconds are.
  @Test func nearTheBorderOneFixAloneSaysNothing() throws {
    var monitor = monitor(try region())
    for second in 0..<5 { #expect(send(&monitor, fix(Double(second), north: 70, radius: 20, speed: 0)) == []) }
    #expect(monitor.isUnsettled)
    #expect(send(&monitor, fix(5, north: 70, radius: 20, speed: 0)) == [.determined("home", .inside)])
    var other = self.monitor(try region())
    #expect(send(&other, fix(0, north: 50, radius: 20, speed: 0)) == [.determined("home", .inside)])
  }

  /// At 10 m/s across the border at 100 m, which one fix per second shows 4 m beyond it; the reported time is that of the border.
  @Test func outAndInAgain() throws {
    var monitor = monitor(try region())
    var reported: [(Double, RegionCrossing)] = []
    for second in 0...40 {
      let isOut = second <= 20
      let north = isOut ? Double(second) * 10 - 0.5 : 400 - Double(second) * 10 - 0.5
      // At the turning point, the speed is zero.
      let speed = second == 20 ? 0.0 : 10
      for action in send(&monitor, fix(Double(second), north: north, speed: speed, course: isOut ? 0 : 180)) {
        if case .crossed(let crossing) = action { reported.append((Double(second), crossing)) }
      }
    }
    #expect(reported.map(\.1.state) == [.outside, .inside])
    // 100 m + 4 m of margin are reached at 10.45 s and 29.55 s.
    #expect(reported.map(\.0) == [11, 31])
    let times = reported.compactMap(\.1.time).map { ($0 - PositionFix.beginning).inSeconds }
    #expect(times.count == 2)
    for (time, truth) in zip(times, [10.05, 29.95]) { #expect(abs(time - truth) < 0.05) }
  }

  /// A receiver that always reports zero speed, at 15 m/s through 300 m on either side: the crossing is reported after 20 s on
  /// the other side.
  @Test func aSpeedThatKnowsNothingIsNotAcceptedForever() throws {
    var monitor = monitor(try region(radius: 300))
    let reported = crossings(of: &monitor, 0...100) { second in
      (fix(Double(second), north: Double(second) * 15 - 601, radius: 3, speed: 0), nil)
    }
    // Across the borders at 20.1 s and 60.1 s.
    #expect(reported.mapValues(\.state) == [41: .inside, 81: .outside])
  }

  /// The estimator knows the speed even if the receiver reports none.
  @Test func aReceiverWithoutASpeedHasTheTracks() throws {
    var monitor = monitor(try region())
    let reported = crossings(of: &monitor, 0...20) { second in
      let north = Double(second) * 10 - 0.5
      return (fix(Double(second), north: north, speed: 10), fix(Double(second), north: north))
    }
    #expect(reported.mapValues(\.state) == [11: .outside])
    let time = try #require(reported[11]?.time)
    #expect(abs((time - PositionFix.beginning).inSeconds - 10.05) < 0.05)
  }

  /// A position by Wi-Fi with a large radius, and then satellite fixes: the earlier position is not averaged with them.
  @Test func satellitesAfterWiFiAreReportedAsAlways() throws {
    var monitor = monitor(try region())
    #expect(send(&monitor, fix(0, north: 40, radius: 60)) == [])
    let reported = crossings(of: &monitor, 10...30) { second in
      let made = fix(Double(second), north: Double(second) * 10 - 100.5, speed: 10)
      return (made, made)
    }
    #expect(reported.mapValues(\.state) == [21: .outside])
    let time = try #require(reported[21]?.time)
    #expect(abs((time - PositionFix.beginning).inSeconds - 20.05) < 0.05)
  }

  @Test func aFixOfWideRadiusCausesNoEvent() throws {
    var monitor = monitor(try region())
    #expect(send(&monitor, fix(0, north: 0)) == [.determined("home", .inside)])
    for second in 1...100 { #expect(send(&monitor, fix(Double(second), north: 400, radius: 300)) == []) }
  }

  @Test(arguments: [FixQualityFlag.frozen, .jammed, .implausible]) func aFlaggedFixCausesNoEvent(
    _ qualityFlag: FixQualityFlag
  ) throws {
    var monitor = monitor(try region())
    #expect(send(&monitor, fix(0, north: 0, qualityFlag: qualityFlag)) == [])
    #expect(send(&monitor, fix(1, north: 0)) == [.determined("home", .inside)])
    for second in 2...100 { #expect(send(&monitor, fix(Double(second), north: 500, qualityFlag: qualityFlag)) == []) }
  }

  /// A jump of half a kilometer that does not match the speed, and that is over after ten seconds; and one that stays.
  @Test func aJumpIsNoWay() throws {
    var monitor = monitor(try region())
    for second in 0..<10 { _ = send(&monitor, fix(Double(second), north: 0, speed: 1)) }
    for second in 10..<20 { #expect(send(&monitor, fix(Double(second), north: 500, speed: 1)) == []) }
    for second in 20..<30 { #expect(send(&monitor, fix(Double(second), north: 0, speed: 1)) == []) }
    var states: [RegionState] = []
    for second in 30..<60 {
      for case .crossed(let crossing) in send(&monitor, fix(Double(second), north: 500, speed: 1)) {
        states.append(crossing.state)
      }
    }
    #expect(states == [.outside])
  }

  /// Parked on the border for hours, while the position wanders by up to two radii to either side.
  @Test func whatStandsCrossesNothing() throws {
    var monitor = monitor(try region())
    #expect(send(&monitor, fix(0, north: 80, speed: 0)) == [.determined("home", .inside)])
    var random = SplitMix64(seed: 5)
    var wander = 0.0
    for second in 1..<10_000 {
      wander = min(8, max(-8, 0.98 * wander + Double.random(in: -1...1, using: &random)))
      #expect(send(&monitor, fix(Double(second), north: 100 + wander, speed: 0.1)) == [])
    }
  }

  @Test func noticesSayWhatIsWanted() throws {
    var monitor = monitor(try region(entry: false), .inside)
    let left = send(&monitor, fix(0, north: 300))
    #expect(left == [.crossed(RegionCrossing(identifier: "home", state: .outside, time: nil, isWanted: true))])
    _ = send(&monitor, fix(100, north: 0))
    let entered = send(&monitor, fix(101, north: 0))
    guard case .crossed(let crossing)? = entered.first else {
      Issue.record("\(entered)")
      return
    }
    #expect(!crossing.isWanted && crossing.state == .inside && crossing.time != nil)
  }

  @Test func theSameIdentifierReplaces() throws {
    var monitor = monitor(try region())
    let now = PositionFix.at(0, middle).receivedAt
    _ = send(&monitor, fix(0, north: 0))
    // The same border: the known state stays.
    _ = monitor.handle(.add(try region(entry: false)), at: now)
    #expect(monitor.handle(.requestState("home"), at: now) == [.state("home", .inside)])
    #expect(monitor.watched.map(\.region) == [try region(entry: false)])
    // Another border: the state is unknown.
    _ = monitor.handle(.add(try region(radius: 50)), at: now)
    #expect(monitor.count == 1)
    #expect(send(&monitor, fix(1, north: 70)) == [.determined("home", .outside)])
    _ = monitor.handle(.remove("home"), at: now)
    #expect(monitor.count == 0 && !monitor.isUnsettled)
    #expect(monitor.handle(.requestState("home"), at: now) == [.state("home", nil)])
  }

  /// Identifiers are compared byte by byte: é is not e with a combining accent.
  @Test func identifiersThatLookAlike() throws {
    var monitor = monitor(try region("\u{E9}"))
    let now = PositionFix.at(0, middle).receivedAt
    _ = monitor.handle(.add(try region("e\u{301}")), at: now)
    #expect(monitor.count == 2)
  }

  @Test func freeWayIsTheDistanceToTheBorder() throws {
    var monitor = monitor(try region())
    #expect(monitor.distanceToNearestBorder == nil)
    let first = fix(0, north: 4100)
    _ = send(&monitor, first)
    #expect(abs(try #require(monitor.distanceToNearestBorder).value - 4000) < 4)
    // The distance is unknown for a region that was added since the last fix.
    _ = monitor.handle(.add(try region("other")), at: first.receivedAt)
    #expect(monitor.distanceToNearestBorder == nil)
  }

  /// A clock that was ahead and has been corrected; a fix that came twice.
  @Test func timeThatGoesBack() throws {
    var monitor = monitor(try region())
    _ = send(&monitor, fix(1000, north: 0))
    #expect(send(&monitor, fix(1000, north: 500)) == [])
    #expect(send(&monitor, fix(995, north: 500)) == [])
    let left = send(&monitor, fix(500, north: 500))
    #expect(left == [.crossed(RegionCrossing(identifier: "home", state: .outside, time: nil, isWanted: true))])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func anInvalidRadiusCausesNoEvent(_ radius: Double) throws {
    var monitor = monitor(try region())
    #expect(send(&monitor, fix(0, north: 0, radius: radius)) == [])
  }

  /// Along a drawn track around a drawn house: enters at 2, leaves at 6.
  @Test(arguments: Drawing.origins) func aDrawnWay(_ name: String, _ origin: Coordinate) throws {
    let drawing = Drawing(
      """
        A-------------------B
        |                   |
        |     4      5      |  6       7
        |                   |
        |     3             |
        D-------------------C
              2

              1
      """, at: origin)
    var monitor = RegionMonitor()
    let house = try Region(identifier: name, shape: .polygon(try PolygonShape(corners: drawing.corners)))
    _ = monitor.handle(.add(house), at: PositionFix.at(0, origin).receivedAt)
    var reported: [String] = []
    for (number, place) in drawing.way.enumerated() {
      // Ten seconds between the positions, without speeds: each position is sent twice.
      for second in [0.0, 1] {
        for action in send(&monitor, .at(Double(number) * 10 + second, place, radius: 2)) {
          switch action {
          case .crossed(let crossing): reported.append("\(crossing.state) at \(number + 1)")
          case .determined(_, let state): reported.append("\(state) from \(number + 1)")
          case .state, .undecided: break
          }
        }
      }
    }
    #expect(reported == ["outside from 1", "inside at 3", "outside at 6"], "\(name)")
  }
}
