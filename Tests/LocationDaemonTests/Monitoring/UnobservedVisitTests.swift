import Geodesy
import LocationIPC
import LocationPolicy
import LocationdRecords
import TestSupport
import Testing

/// Visits of a list that has no permission for a while, or whose machine is off, with the service and its store.
@Suite struct UnobservedVisitTests {
  private static let list = "program"

  /// A fix `north` meters north of a position.
  private static func fix(at time: Double, north: Double, speed: Double) -> PositionFix {
    var fix = PositionFix(
      time: WeekSensor.epoch + .seconds(Int(time)), timeValidity: .confirmed, receivedAt: MonitoringBed.instant(time),
      coordinate: Coordinate(latitude: Angle(degrees: 46 + north / 111_229), longitude: Angle(degrees: 7)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = speed
    return fix
  }

  private func drive(_ bed: MonitoringBed, from begin: Double, north: Double) {
    for step in stride(from: 0.0, through: 300, by: 10) {
      bed.update(Self.fix(at: begin + step, north: north + 10 * (step - 300), speed: 10), at: begin + step)
    }
  }

  private func stay(_ bed: MonitoringBed, from begin: Double, north: Double) {
    for step in stride(from: 0.0, through: 900, by: 10) {
      bed.update(Self.fix(at: begin + step, north: north, speed: 0), at: begin + step)
    }
  }

  private func visits(_ bed: MonitoringBed, from: GNSSTime? = nil) -> [Visit] {
    guard case .monitoring(_, .visits(let visits))? = bed.ask(.visits(list: Self.list, from: from)) else { return [] }
    return visits
  }

  private func events(_ bed: MonitoringBed) -> [MonitoringEvent] {
    bed.answers.compactMap { if case .monitoring(_, .event(let event, _)) = $0 { event } else { nil } }
  }

  private func begin(_ bed: MonitoringBed) {
    bed.ask(.follow(list: Self.list, receives: true))
    bed.ask(.setVisits(list: Self.list, isOn: true, MonitoringLaunch(), outlives: true))
  }

  private func expectUnknownTimes(_ bed: MonitoringBed) throws {
    let (seen, reported) = (visits(bed), events(bed))
    #expect(seen.count == 2 && seen.first?.arrival != nil)
    #expect(seen.first?.departure == nil && seen.first?.hasEnded == true)
    #expect(seen.last?.arrival == nil && seen.last?.hasEnded == false)
    let departure = try #require(reported.first { if case .departed = $0.kind { true } else { false } })
    #expect(departure.time == nil && departure.fix != nil)
    // A visit whose end is unknown may have lasted until then.
    #expect(visits(bed, from: WeekSensor.epoch + .seconds(90_000)).count == 2)
  }

  @Test func offFromOnePlaceToAnother() throws {
    let folder = MonitoringBed.Folder()
    var bed = MonitoringBed(folder)
    begin(bed)
    drive(bed, from: 0, north: 0)
    stay(bed, from: 310, north: 0)
    bed.send(.end)
    bed = MonitoringBed(folder, at: 36_000)
    bed.ask(.follow(list: Self.list, receives: true))
    stay(bed, from: 36_010, north: 20_000)
    try expectUnknownTimes(bed)
  }

  @Test func notAllowedFromOnePlaceToAnother() throws {
    let bed = MonitoringBed()
    begin(bed)
    drive(bed, from: 0, north: 0)
    stay(bed, from: 310, north: 0)
    bed.allow([])
    drive(bed, from: 30_000, north: 20_000)
    bed.allow(.all)
    stay(bed, from: 36_010, north: 20_000)
    try expectUnknownTimes(bed)
  }

  /// A significant change has the time of the position that shows it, whatever happened before.
  @Test func aSignificantChangeHasTheTimeOfItsPosition() throws {
    let folder = MonitoringBed.Folder()
    var bed = MonitoringBed(folder)
    bed.ask(.follow(list: Self.list, receives: true))
    bed.ask(.setSignificantChanges(list: Self.list, isOn: true, MonitoringLaunch(), outlives: true))
    drive(bed, from: 0, north: 0)
    bed.send(.end)
    bed = MonitoringBed(folder, at: 36_000)
    bed.ask(.follow(list: Self.list, receives: true))
    stay(bed, from: 36_010, north: 20_000)
    let moved = try #require(events(bed).last)
    #expect(moved.kind == .moved && moved.time == moved.fix?.time)
    #expect(moved.time.map { $0 >= WeekSensor.epoch + .seconds(36_010) } == true)
  }
}
