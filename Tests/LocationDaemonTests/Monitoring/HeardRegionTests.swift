import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdRecords
import Regions
import TestSupport
import Testing

/// The events that a program has acknowledged for its regions are known to its next run.
@Suite struct HeardRegionTests {
  private static let list = "program"

  private static func region(radius: Double = 300) throws -> Region {
    let middle = Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 7))
    return try Region(identifier: "home", shape: .circle(CircleShape(center: middle, radius: Meters(radius))))
  }

  private static func fix(at time: Double, north: Double) -> PositionFix {
    PositionFix(
      time: WeekSensor.epoch + .seconds(Int(time)), timeValidity: .confirmed, receivedAt: MonitoringBed.instant(time),
      coordinate: Coordinate(latitude: Angle(degrees: 46 + north), longitude: Angle(degrees: 7)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
  }

  private func read(_ bed: MonitoringBed) throws -> MonitoredRegion {
    guard case .monitoring(_, .regions(let regions, nil))? = bed.ask(.read(list: Self.list, from: 0)) else {
      return try #require(nil, "no answer")
    }
    return try #require(regions.first)
  }

  private func events(_ bed: MonitoringBed) -> [MonitoringEvent] {
    bed.answers.compactMap { if case .monitoring(_, .event(let event, _)) = $0 { event } else { nil } }
  }

  @Test func acknowledgedStatesAreReadWithTheRegion() throws {
    let folder = MonitoringBed.Folder()
    var bed = MonitoringBed(folder)
    bed.ask(.follow(list: Self.list, receives: true))
    bed.ask(.add(list: Self.list, [MonitoredRegion(try Self.region())], outlives: true))
    #expect(try read(bed).acknowledgedState == nil)
    for second in 0..<60 { bed.update(Self.fix(at: Double(second), north: 0), at: Double(second)) }
    let event = try #require(events(bed).first)
    #expect(event.kind == .determined(.inside))
    #expect(try read(bed).state == .inside && read(bed).acknowledgedState == nil, "told is not heard")
    bed.ask(.acknowledge(list: Self.list, event: event.id))
    #expect(try read(bed).acknowledgedState == .inside && read(bed).receivedAt == event.time)
    // Acknowledgments of no event, and of one that does not exist.
    bed.ask(.acknowledge(list: Self.list, event: 0))
    bed.ask(.acknowledge(list: Self.list, event: .max))
    bed = MonitoringBed(folder, at: 60)
    #expect(try read(bed).acknowledgedState == .inside && read(bed).receivedAt == event.time)
    // Another region with this name.
    bed.ask(.add(list: Self.list, [MonitoredRegion(try Self.region(radius: 200))], outlives: true))
    #expect(try read(bed).acknowledgedState == .unknown)
    bed.ask(.add(list: Self.list, [MonitoredRegion(try Self.region(radius: 100), state: .outside)], outlives: true))
    #expect(try read(bed).acknowledgedState == .outside)
    // Adding the same region again changes nothing.
    bed.ask(.add(list: Self.list, [MonitoredRegion(try Self.region(radius: 100))], outlives: true))
    #expect(try read(bed).acknowledgedState == .outside && read(bed).state == .outside)
  }

  @Test func anEmptyListGoesWithItsProgram() throws {
    let bed = MonitoringBed()
    func names() -> [String] {
      guard case .monitoring(_, .lists(let lists))? = bed.ask(.lists) else { return [] }
      return lists.map(\.name)
    }
    bed.ask(.follow(list: Self.list, receives: true))
    #expect(names() == [Self.list])
    bed.send(.left(MonitoringBed.program))
    #expect(names().isEmpty)
    bed.ask(.follow(list: Self.list, receives: true))
    bed.ask(.add(list: Self.list, [MonitoredRegion(try Self.region())], outlives: true))
    bed.send(.left(MonitoringBed.program))
    #expect(names() == [Self.list], "it has a region")
  }
}
