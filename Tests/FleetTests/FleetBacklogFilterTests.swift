import Fleet
import FleetDestinations
import Geodesy
import LocationPolicy
import Regions
import Testing

/// What of the backlog is still sent after the settings or the grant have become narrower.
@Suite struct FleetBacklogFilterTests {
  private static func filter(_ change: (inout FleetSettings) -> Void = { _ in }) -> FleetBacklogFilter {
    var settings = FleetSettings()
    change(&settings)
    return FleetBacklogFilter(settings)
  }

  private static let exact = FleetOutboxTests.record(100)
  private static let event = FleetOutboxTests.record(100, isEvent: true)
  private static let later = GNSSTime(nanosecondsSince1970: 200_000_000_000)

  private static func fix(of record: FleetRecord) throws -> PositionFix {
    guard case .fix(let fix) = record.content else { throw Absent() }
    return fix
  }

  private struct Absent: Error {}

  @Test func withoutAChangeEverythingIsSent() {
    for record in [Self.exact, Self.event] {
      #expect(Self.filter().allows(record, at: Self.later) && Self.filter().allows(record, at: nil))
    }
  }

  @Test func aRegionThatIsHiddenNowHidesWhatWasRecordedBefore() throws {
    let place = try Self.fix(of: Self.exact).coordinate
    let here = HiddenRegion(name: "home", shape: .circle(try CircleShape(center: place, radius: Meters(300))))
    let elsewhere = Geodesic.direct(from: place, course: Angle(degrees: 90), distance: Meters(301)).coordinate
    let there = HiddenRegion(name: "work", shape: .circle(try CircleShape(center: elsewhere, radius: Meters(300))))
    for record in [Self.exact, Self.event] {
      #expect(!Self.filter { $0.hidden = [there, here] }.allows(record, at: Self.later))
      #expect(Self.filter { $0.hidden = [there] }.allows(record, at: Self.later))
    }
  }

  @Test func exactPositionsAreNotSentOnceOnlyTheApproximateOneIsGrantedOrWanted() throws {
    var reduction = ReducedPosition(key: (1, 2))
    var reduced = Self.exact
    reduced.content = .fix(reduction.reduce(try Self.fix(of: Self.exact)))
    var narrowed = Self.filter()
    narrowed.isGrantReduced = true
    for filter in [Self.filter { $0.isReduced = true }, narrowed] {
      #expect(!filter.allows(Self.exact, at: Self.later) && !filter.allows(Self.event, at: Self.later))
      #expect(filter.allows(reduced, at: Self.later))
    }
    // An estimate of the fusion is exact, too.
    let fix = try Self.fix(of: Self.exact)
    let estimate = PositionFix(
      time: fix.time, timeValidity: fix.timeValidity, receivedAt: fix.receivedAt, coordinate: fix.coordinate,
      horizontalRadius68: fix.horizontalRadius68, kind: .estimated, technologies: [])
    var other = Self.exact
    other.content = .fix(estimate)
    #expect(!narrowed.allows(other, at: Self.later))
    narrowed.isGrantReduced = false
    #expect(narrowed.allows(Self.exact, at: Self.later))
  }

  @Test func whatIsOlderThanTheRetentionIsNotSent() {
    let filter = Self.filter { $0.retention = .days(2) }
    let day = 86_400
    #expect(filter.allows(Self.exact, at: Self.exact.time + .seconds(2 * day)))
    #expect(!filter.allows(Self.exact, at: Self.exact.time + .seconds(2 * day + 1)))
    #expect(!filter.allows(Self.event, at: Self.event.time + .seconds(2 * day + 1)))
    // How old it is, is not known without a clock.
    #expect(filter.needsTime && !filter.allows(Self.exact, at: nil) && !Self.filter().needsTime)
  }
}
