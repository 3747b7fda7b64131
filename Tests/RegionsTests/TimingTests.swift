import Geodesy
import Regions
import TestSupport
import Testing

/// Regions that become unknown when no position decides, and entries that count after a dwell time, in virtual time.
@Suite struct TimingTests {
  private let middle = Coordinate(50, 8)

  private func region(_ name: String = "anchor", radius: Double = 40) throws -> Region {
    try Region(identifier: name, shape: .circle(try CircleShape(center: middle, radius: Meters(radius))))
  }

  private func instant(_ seconds: Double) -> Instant { PositionFix.at(seconds, middle).receivedAt }

  private func fix(
    _ seconds: Double, north: Double, radius: Double = 4, speed: Double? = nil, qualityFlag: FixQualityFlag? = nil
  ) -> PositionFix {
    .at(
      seconds, middle.moved(east: 0, north: north), radius: radius, speed: speed, course: speed.map { _ in 0 },
      qualityFlag: qualityFlag)
  }

  private func monitor(
    _ region: Region, _ state: RegionState = .unknown, dwell: Int? = nil, unknownAfter: Int? = nil
  ) throws -> RegionMonitor {
    var monitor = RegionMonitor()
    let timing = try #require(RegionTiming(dwellSeconds: dwell, unknownAfterSeconds: unknownAfter))
    _ = monitor.handle(.add(region, assuming: state), at: instant(0))
    _ = monitor.handle(.timing(timing, of: region.identifier), at: instant(0))
    return monitor
  }

  /// The monitor's reports, each with its second: each second has the fix of `fix`, if there is one, and a wake-up if
  /// one is due.
  private func play(
    _ monitor: inout RegionMonitor, _ seconds: ClosedRange<Int>, _ fix: (Int) -> PositionFix?
  ) -> [String] {
    var reported: [String] = []
    for second in seconds {
      var actions: [RegionMonitor.Action] = []
      if let due = monitor.nextDeadline, due <= instant(Double(second)) { actions += monitor.handle(.wake, at: due) }
      if let fix = fix(second) { actions += monitor.handle(.fix(fix), at: instant(Double(second))) }
      for action in actions {
        switch action {
        case .crossed(let crossing): reported.append("\(second) crossed \(crossing.state)")
        case .determined(_, let state): reported.append("\(second) \(state)")
        case .undecided: reported.append("\(second) undecided")
        case .state: break
        }
      }
    }
    return reported
  }

  @Test func aReceiverThatIsGoneMakesTheRegionUnknownOnce() throws {
    var monitor = try monitor(region(), unknownAfter: 60)
    let reported = play(&monitor, 0...400) { second in
      (101..<300).contains(second) ? nil : fix(Double(second), north: 5, speed: 0)
    }
    #expect(reported == ["0 inside", "160 undecided", "300 inside"])
    #expect(!monitor.isUndecided("anchor"))
  }

  @Test func aRegionThatWasNeverDecidedBecomesUnknown() throws {
    var monitor = try monitor(region(), unknownAfter: 60)
    #expect(play(&monitor, 0...300) { _ in nil } == ["60 undecided"])
    #expect(monitor.isUndecided("anchor") && monitor.nextDeadline == nil)
    // A device at rest within the uncertainty of the border remains unknown, too.
    #expect(play(&monitor, 301...330) { fix(Double($0), north: 38, speed: 0) } == [])
    #expect(play(&monitor, 331...340) { fix(Double($0), north: 0, speed: 0) } == ["331 inside"])
  }

  /// A radius larger than the region decides nothing near the region's border, but decides far away from it.
  @Test func aRadiusLargerThanTheRegionDecidesNothing() throws {
    var monitor = try monitor(region(), unknownAfter: 60)
    let reported = play(&monitor, 0...300) { second in
      fix(Double(second), north: 5, radius: second < 100 ? 4 : 80, speed: 0)
    }
    #expect(reported == ["0 inside", "159 undecided"])
    var far = try self.monitor(region(), unknownAfter: 60)
    #expect(play(&far, 0...300) { fix(Double($0), north: 1000, radius: 80, speed: 0) } == ["0 outside"])
  }

  @Test func suspectPositionsDecideNothing() throws {
    var monitor = try monitor(region(), unknownAfter: 30)
    let reported = play(&monitor, 0...100) { second in
      fix(Double(second), north: 5, speed: 0, qualityFlag: second < 10 ? nil : .frozen)
    }
    #expect(reported == ["0 inside", "39 undecided"])
  }

  /// A device that swings at the border of a region, with positions that are finer than the region, does not become
  /// unknown.
  @Test func theDoubtOfABorderIsNoLoss() throws {
    var monitor = try monitor(region(), unknownAfter: 30)
    let reported = play(&monitor, 0...600) { second in
      fix(Double(second), north: second < 5 ? 0 : 38 + Double(second % 4), speed: 0)
    }
    #expect(reported == ["0 inside"])
  }

  /// An exit is reported as a crossing even if it was not observed.
  @Test func aBorderThatWasCrossedUnwatchedIsReported() throws {
    var monitor = try monitor(region(), unknownAfter: 60)
    let reported = play(&monitor, 0...400) { second in
      second < 50
        ? fix(Double(second), north: 0, speed: 0)
        : second < 300 ? nil : fix(Double(second), north: 500, speed: 0)
    }
    #expect(reported.prefix(2) == ["0 inside", "109 undecided"])
    #expect(reported.count == 3 && reported.last?.hasSuffix("crossed outside") == true, "\(reported)")
  }

  @Test func theTimingGoesWithItsRegion() throws {
    var monitor = try monitor(region(), unknownAfter: 60)
    #expect(monitor.timedCount == 1 && monitor.nextDeadline == instant(60))
    // A region that is added again with another shape has no timing until one is set.
    _ = monitor.handle(.add(try region(radius: 50)), at: instant(10))
    #expect(monitor.timedCount == 0 && monitor.nextDeadline == nil && monitor.timing(of: "anchor").isEmpty)
    let timing = try #require(RegionTiming(dwellSeconds: nil, unknownAfterSeconds: 20))
    _ = monitor.handle(.timing(timing, of: "anchor"), at: instant(10))
    #expect(monitor.nextDeadline == instant(30) && monitor.decidingRadius == Meters(25))
    // Setting the same timing again does not restart its time.
    _ = monitor.handle(.timing(timing, of: "anchor"), at: instant(20))
    #expect(monitor.nextDeadline == instant(30))
    _ = monitor.handle(.timing(RegionTiming(), of: "anchor"), at: instant(20))
    #expect(monitor.nextDeadline == nil && monitor.timedCount == 0)
    _ = monitor.handle(.timing(timing, of: "nowhere"), at: instant(20))
    #expect(monitor.timedCount == 0)
  }

  @Test func positionsAreWantedInTime() throws {
    var monitor = try monitor(region(), unknownAfter: 300)
    #expect(monitor.timedCheck(patience: .seconds(60)) == instant(240))
    _ = play(&monitor, 0...100) { fix(Double($0), north: 0, speed: 0) }
    #expect(monitor.timedCheck(patience: .seconds(60)) == instant(340))
    _ = play(&monitor, 101...500) { _ in nil }
    // Once the region is unknown, a position is required at once.
    #expect(try #require(monitor.timedCheck(patience: .seconds(60))) <= instant(500))
  }

  @Test(arguments: [(0, nil), (nil, 0), (nil, 604_801), (-1, 5)] as [(Int?, Int?)])
  func impossibleTimesAreInvalid(dwell: Int?, unknownAfter: Int?) {
    #expect(RegionTiming(dwellSeconds: dwell, unknownAfterSeconds: unknownAfter) == nil)
  }

  // MARK: - Dwelling

  /// Northwards at 10 m/s into a circle of 300 m: the device crosses the southern border at 20 s, and stands in the middle from
  /// 50 s on.
  private func arriving(_ second: Int) -> PositionFix {
    let isMoving = second < 50
    return fix(Double(second), north: isMoving ? Double(second) * 10 - 500 : 0, radius: 3, speed: isMoving ? 10 : 0)
  }

  @Test func anEntryCountsAfterItsDwellTime() throws {
    var atOnce = try monitor(region(radius: 300), .outside)
    #expect(play(&atOnce, 0...500, arriving) == ["21 crossed inside"])
    var monitor = try monitor(region(radius: 300), .outside, dwell: 300)
    #expect(play(&monitor, 0...200, arriving) == [])
    #expect(monitor.watched("anchor")?.state == .outside)
    #expect(monitor.timedCheck(patience: .seconds(60)) == instant(321))
    var crossing: RegionCrossing?
    for second in 201...400 {
      for case .crossed(let reported) in monitor.handle(.fix(arriving(second)), at: instant(Double(second))) {
        #expect(second == 321 && crossing == nil)
        crossing = reported
      }
    }
    // The time of the crossing, not the time at which the entry began to count.
    let time = try #require(crossing?.time)
    #expect(abs((time - PositionFix.beginning).inSeconds - 20) < 0.2)
    #expect(monitor.watched("anchor")?.state == .inside)
  }

  @Test func passingThroughIsNoEntry() throws {
    var monitor = try monitor(region(radius: 300), .outside, dwell: 120)
    let reported = play(&monitor, 0...400) { fix(Double($0), north: Double($0) * 10 - 500, radius: 3, speed: 10) }
    #expect(reported == [], "60 s inside are neither an entry nor, so, a way out")
    #expect(monitor.timedCheck(patience: .zero) == nil)
  }

  @Test func beingThereAtTheBeginningTakesNoTime() throws {
    var monitor = try monitor(region(radius: 300), dwell: 120)
    let reported = play(&monitor, 0...400) { second in
      fix(Double(second), north: second < 100 ? 0 : Double(second - 100) * 10, radius: 3, speed: second < 100 ? 0 : 10)
    }
    #expect(reported == ["0 inside", "131 crossed outside"])
  }

  /// Without a position at its end the dwell time is not over, because the device may have left.
  @Test func anEntryCountsByAPosition() throws {
    var monitor = try monitor(region(radius: 300), .outside, dwell: 60, unknownAfter: 100)
    let reported = play(&monitor, 0...400) { (60..<300).contains($0) ? nil : arriving($0) }
    #expect(reported == ["159 undecided", "300 crossed inside"])
  }
}
