import Geodesy
import LocationIPC
import LocationPolicy
import LocationdRecords
import Regions
import TestSupport
import Testing

/// Regions that may become unknown, with the service's own state machines and its store, in virtual time.
@Suite struct TimedRegionTests {
  private static let list = "locationctl"
  private static let middle = Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 7))
  private let unknown = CommandToken.random()

  private func anchor(after: Int, isShown: Bool = false) throws -> MonitoredRegion {
    let region = try Region(
      identifier: "anchor", shape: .circle(CircleShape(center: Self.middle, radius: Meters(40))))
    return MonitoredRegion(
      region, launch: MonitoringLaunch(onUnknown: unknown, isShown: isShown),
      timing: try #require(RegionTiming(dwellSeconds: nil, unknownAfterSeconds: after)))
  }

  /// Delivers positions of a receiver in those of the seconds in which a position is requested.
  private func receive(_ bed: MonitoringBed, _ seconds: Range<Int>) {
    for second in seconds {
      bed.live(until: Double(second))
      guard bed.checkingSince != nil else { continue }
      var fix = PositionFix(
        time: WeekSensor.epoch + .seconds(second), timeValidity: .confirmed,
        receivedAt: MonitoringBed.instant(Double(second)), coordinate: Self.middle, horizontalRadius68: Meters(4),
        kind: .threeDimensional, technologies: .gnss)
      fix.speedMetersPerSecond = 0
      bed.update(fix, at: Double(second))
    }
  }

  private func listed(_ bed: MonitoringBed) -> MonitoredRegion? {
    guard case .monitoring(_, .regions(let regions, nil))? = bed.ask(.read(list: Self.list, from: 0)) else {
      return nil
    }
    return regions.first
  }

  /// At anchor for half an hour, with a receiver for the first ten minutes only. The timing is kept over a restart.
  @Test(arguments: [60, 600]) func aReceiverThatIsGoneHasItsCommandRun(after: Int) throws {
    let folder = MonitoringBed.Folder()
    var bed = MonitoringBed(folder)
    bed.ask(.add(list: Self.list, [try anchor(after: after)], outlives: true))
    receive(bed, 0..<601)
    #expect(bed.launches.isEmpty && listed(bed)?.state == .inside)
    // With a limit of one minute, the receiver can never rest; with ten minutes, it can.
    #expect(after > 60 ? bed.lookedUntilNow < 500 : bed.lookedUntilNow == 600)
    bed.live(until: 1800)
    #expect(bed.launches.map(\.event.kind) == [.determined(.unknown)])
    #expect(bed.launches.map(\.command) == [unknown])
    #expect(bed.launches.allSatisfy { $0.event.fix == nil && $0.event.subject == .region("anchor") })
    #expect(listed(bed)?.state == .unknown && listed(bed)?.timing.unknownAfterSeconds == after)
    // Positions are requested until a receiver delivers them again.
    #expect(bed.checkingSince != nil)
    receive(bed, 1800..<1810)
    #expect(listed(bed)?.state == .inside && bed.launches.count == 1)
    bed.send(.end)
    bed = MonitoringBed(folder, at: 1810)
    #expect(listed(bed)?.timing.unknownAfterSeconds == after && listed(bed)?.launch.onUnknown == unknown)
    bed.live(until: 3600)
    #expect(bed.launches.count == 1, "nobody watched after the restart either")
  }

  /// If monitoring is not permitted at all, the user learns that the regions are not monitored.
  @Test func whatMayNotBeWatchedIsUnknown() throws {
    let bed = MonitoringBed()
    bed.allowed = []
    bed.ask(.add(list: Self.list, [try anchor(after: 60, isShown: true)], outlives: true))
    bed.live(until: 300)
    #expect(bed.launches.map(\.event.kind) == [.determined(.unknown), .determined(.unknown)])
  }

  @Test func thereAreOnlySoMany() throws {
    let bed = MonitoringBed()
    func add(_ numbers: Range<Int>, _ timing: RegionTiming) throws -> ServiceEvent? {
      bed.ask(
        .add(
          list: Self.list,
          try numbers.map {
            MonitoredRegion(
              try Region(identifier: "\($0)", shape: .circle(CircleShape(center: Self.middle, radius: Meters(50)))),
              timing: timing)
          }, outlives: true))
    }
    func isDone(_ event: ServiceEvent?) -> Bool { if case .done = event { true } else { false } }
    let timing = try #require(RegionTiming(dwellSeconds: 60, unknownAfterSeconds: nil))
    for start in stride(from: 0, to: 1000, by: 200) { #expect(isDone(try add(start..<start + 200, timing))) }
    guard case .failed(_, .monitoring(.tooManyTimedRegions(limit: 1000)))? = try add(1000..<1001, timing) else {
      return #expect(Bool(false), "one more")
    }
    // Existing regions may still be changed, and others may be added without a timing.
    #expect(isDone(try add(0..<200, timing)))
    #expect(isDone(try add(1000..<1200, RegionTiming())))
  }
}
