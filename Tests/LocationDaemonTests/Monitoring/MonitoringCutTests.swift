import Fleet
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdRecords
import Regions
import TestSupport
import Testing

/// The power fails at every point between a fix, its event, the launch of its command and the report that the command is done.
@Suite struct MonitoringCutTests {
  private static let center = Coordinate(latitude: Angle(degrees: 47.3), longitude: Angle(degrees: 8.5))

  /// One fix per second along a line through the center of a circle of 100 m, at 10 m/s.
  private static func fix(_ second: Int) -> PositionFix {
    let offset = LocalFrame.Offset(eastMeters: Double(second) * 10 - 300, northMeters: 3)
    var fix = PositionFix(
      time: WeekSensor.epoch + .seconds(second), timeValidity: .confirmed,
      receivedAt: WeekSensor.start + .seconds(second),
      coordinate: LocalFrame(origin: center).coordinate(at: offset), horizontalRadius68: Meters(5),
      kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = 10
    return fix
  }

  /// The commands that were run, in their order, if the power fails before one step or not at all; and whether it failed.
  private func life(cutAt: Int?) throws -> (run: [MonitoringEvent], wasCut: Bool) {
    let folder = MonitoringBed.Folder()
    var bed = MonitoringBed(folder)
    bed.cutAt = cutAt
    var (run, wasCut): ([MonitoringEvent], Bool) = ([], false)
    func advance() {
      run += bed.launches.map(\.event)
      wasCut = true
      bed = MonitoringBed(folder, at: bed.time)
    }
    let region = try Region(
      identifier: "bridge", shape: .circle(CircleShape(center: Self.center, radius: Meters(100))))
    let wish = MonitoredRegion(region, state: .outside, launch: MonitoringLaunch(onEntry: .random(), onExit: .random()))
    // A client without an answer repeats its request.
    while bed.ask(.add(list: "cut", [wish], outlives: true)) == nil || bed.isCut { advance() }
    for second in 0..<60 {
      bed.update(Self.fix(second), at: Double(second))
      if bed.isCut { advance() }
    }
    bed.send(.end)
    return (run + bed.launches.map(\.event), wasCut)
  }

  @Test func nothingIsLostAndNothingReportedTwiceThatDoesNotSaySo() throws {
    let whole = try life(cutAt: nil).run
    #expect(whole.map(\.kind) == [.crossed(.inside), .crossed(.outside)])
    #expect(whole.map(\.attempt) == [1, 1])
    var (cuts, repetitions) = (0, 0)
    while true {
      let (run, wasCut) = try life(cutAt: cuts)
      guard wasCut else { break }
      // By event ID: the commands that were run for the event, and the attempt number in each.
      let byEvent = Dictionary(grouping: run, by: \.id)
      #expect(
        Set(run.map(\.kind)) == [.crossed(.inside), .crossed(.outside)] && byEvent.count == 2,
        "before step \(cuts): \(run.map(\.kind))")
      for (_, tellings) in byEvent {
        #expect(
          tellings.map(\.attempt) == Array(1...tellings.count) || tellings.first?.attempt ?? 0 > 1, "step \(cuts)")
        #expect(Set(tellings.map(\.attempt)).count == tellings.count, "told twice alike, before step \(cuts)")
        repetitions += tellings.count - 1
      }
      cuts += 1
    }
    #expect(cuts > 60)
    #expect(repetitions > 0, "between a command and its end there is a step")
  }

  /// The crossings in the outbox of a destination, if the power fails before one step or not at all; and whether it failed.
  private func outbox(cutAt: Int?) throws -> (entries: [Bool], wasCut: Bool) {
    let folder = MonitoringBed.Folder()
    try MonitoringBed.addDestination(in: folder)
    var bed = MonitoringBed(folder, hasDestinations: true)
    bed.cutAt = cutAt
    var wasCut = false
    func advance() {
      wasCut = true
      bed.endDestinations()
      bed = MonitoringBed(folder, at: bed.time, hasDestinations: true)
    }
    let region = try Region(
      identifier: "bridge", shape: .circle(CircleShape(center: Self.center, radius: Meters(100))))
    // No program, command or notification wants its events.
    let watched = MonitoredRegion(region, state: .outside)
    while bed.ask(.add(list: "locationctl", [watched], outlives: true)) == nil || bed.isCut { advance() }
    for second in 0..<60 {
      bed.update(Self.fix(second), at: Double(second))
      if bed.isCut { advance() }
    }
    bed.send(.end)
    bed.endDestinations()
    let entries = try MonitoringBed.sentEvents(in: folder).map { event -> Bool in
      guard case .crossing(let crossing) = event else { return false }
      return crossing.isEntry
    }
    return (entries, wasCut)
  }

  @Test func eachCrossingIsOnceInTheOutboxOfADestination() throws {
    #expect(try outbox(cutAt: nil).entries == [true, false])
    var cuts = 0
    while true {
      let (entries, wasCut) = try outbox(cutAt: cuts)
      guard wasCut else { break }
      #expect(entries == [true, false], "before step \(cuts)")
      cuts += 1
    }
    #expect(cuts > 60)
  }
}
