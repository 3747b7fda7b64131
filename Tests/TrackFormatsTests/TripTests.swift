import Geodesy
import LocationPolicy
import Testing
import TrackFormats

/// Trips of a track on the equator, where 0.001° are 111.319 m.
@Suite struct TripTests {
  private func fix(_ longitude: Double, _ seconds: Double, speed: Double) -> TrackEntry {
    .fix(
      SampleTrack.fix(0, longitude, after: seconds) {
        $0.speedMetersPerSecond = speed
        $0.receivedAt = Instant(nanoseconds: Int64(seconds * 1e9))
      })
  }

  /// A drive at 11.13 m/s, one fix each ten seconds.
  private func drive(from longitude: Double, at seconds: Double, count: Int) -> [TrackEntry] {
    (0...count).map { fix(longitude + 0.001 * Double($0), seconds + 10 * Double($0), speed: 11.13) }
  }

  private func trips(_ entries: [TrackEntry], visits: [Visit] = []) -> [Trip] {
    var finder = StayFinder()
    for case .fix(let fix) in entries { finder.add(fix) }
    finder.finish()
    var builder = TripBuilder(StayFinder.merged(finder.stops, visits))
    return (entries.flatMap { builder.add($0) } + builder.finish()).compactMap { event in
      if case .ended(let trip?) = event { trip } else { nil }
    }
  }

  private func seconds(_ time: GNSSTime?) -> Double { time.map { ($0 - SampleTrack.start).inSeconds } ?? .nan }

  /// Stays as a log records them: only their first and their last fix.
  @Test func aStayOfTwoFixesSeparatesTrips() throws {
    let entries =
      [.interruption(.started)] + drive(from: 10, at: 0, count: 100) + [
        fix(10.1, 1010, speed: 0), fix(10.1, 4000, speed: 0),
      ]
      + drive(from: 10.101, at: 4010, count: 50) + [fix(10.151, 4520, speed: 0), fix(10.151, 6000, speed: 0)]
    let found = trips(entries)
    try #require(found.count == 2)
    #expect((found[0].summary.distance.value - 11_131.9).magnitude < 120)
    #expect(seconds(found[0].summary.begin) == 0 && (seconds(found[0].summary.end) - 1000).magnitude < 60)
    #expect((seconds(found[1].summary.begin) - 4000).magnitude < 60)
    #expect((seconds(found[1].summary.end) - 4510).magnitude < 60)
    #expect((found[1].summary.distance.value - 5677).magnitude < 120)
    // The reported 11.13 m/s, or the mean speed, whichever is greater.
    let mean = try #require(found[0].summary.meanMovingSpeed)
    #expect(found[0].summary.maximumSpeed == max(11.13, mean) && mean < 11.16)
    #expect(found[0].destination == found[1].origin && found[0].destination != nil)
  }

  /// A short stop, as at a level crossing, and a tunnel do not end a trip. Nothing is known about the tunnel, so it has neither length nor
  /// time, as in the figures of the log.
  @Test func aShortStopAndAShortGapBelongToTheTrip() throws {
    let stop = (1...12).map { fix(10.05, 500 + 10 * Double($0), speed: 0) }
    let entries =
      drive(from: 10, at: 0, count: 50) + stop + drive(from: 10.051, at: 630, count: 20) + [.interruption(.gap)]
      + drive(from: 10.081, at: 930, count: 20)
    let found = trips(entries)
    try #require(found.count == 1)
    #expect((found[0].summary.distance.value - 91 * 111.319).magnitude < 1)
    #expect(found[0].summary.standing == .seconds(120) && found[0].duration == .seconds(1130))
    #expect(found[0].summary.moving == .seconds(910))
    var log = TrackSummary()
    for entry in entries { log.add(entry) }
    #expect(found[0].summary == log)
  }

  @Test func aLongGapElsewhereEndsATrip() throws {
    let found = trips(
      drive(from: 10, at: 0, count: 50) + [.interruption(.resumed)] + drive(from: 11, at: 9000, count: 50))
    #expect(found.count == 2)
    #expect(found.allSatisfy { ($0.summary.distance.value - 5566).magnitude < 1 })
  }

  @Test func whatIsTooShortIsNoTrip() {
    let walk = (0...60).map { fix(10 + 0.00001 * Double($0 % 5), 10 * Double($0), speed: 0.3) }
    #expect(trips(walk).isEmpty)
    #expect(trips([]).isEmpty && trips([.interruption(.started)]).isEmpty)
  }

  /// A visit replaces the rules: it separates the trips at its own times.
  @Test func visitsSeparateTrips() throws {
    let entries = drive(from: 10, at: 0, count: 100)
    let coordinate = Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: 10.05))
    let visit = Visit(
      coordinate: coordinate, horizontalRadius68: Meters(10), arrival: SampleTrack.start + .seconds(450),
      departure: SampleTrack.start + .seconds(550))
    let found = trips(entries, visits: [visit])
    try #require(found.count == 2)
    #expect(seconds(found[0].summary.end) == 450 && seconds(found[1].summary.begin) == 550)
    let open = Visit(
      coordinate: coordinate, horizontalRadius68: Meters(10), arrival: SampleTrack.start + .seconds(450))
    #expect(trips(entries, visits: [open]).count == 1)
    // Of a visit without a departure, only the arrival is known.
    let lost = Visit(
      coordinate: coordinate, horizontalRadius68: Meters(10), arrival: SampleTrack.start + .seconds(455), hasEnded: true
    )
    #expect(trips(entries, visits: [lost]).count == 2)
  }

  @Test func aClockThatStepsBackIsIgnored() {
    let entries = drive(from: 10, at: 0, count: 50) + drive(from: 10, at: -100, count: 20)
    #expect(trips(entries).count == 1)
  }

  @Test func aMileageLogHasOneRecordPerTrip() throws {
    let found = trips(drive(from: 10, at: 0, count: 50))
    let trip = NumberedTrip(number: 1, trip: try #require(found.first), beginPlace: "a, \"b\"", endPlace: "=x\u{1B}")
    let text = String(decoding: NumberedTrip.csv([trip]), as: UTF8.self)
    #expect(
      text == """
        number,begin,end,duration,distance,moving,standing,meanSpeed,maximumSpeed,fixes,beginLatitude,beginLongitude,\
        beginPlace,endLatitude,endLongitude,endPlace\r
        1,2026-03-01T12:34:56.789Z,2026-03-01T12:43:16.789Z,500,5566.0,500,0,11.13,11.13,51,0.0000000,10.0000000,\
        "a, ""b""\",0.0000000,10.0500000,'=x\u{FFFD}\r

        """)
    #expect(NumberedTrip.csv([]).split(separator: 0x0A).count == 1)
    let json = String(decoding: trip.jsonLine, as: UTF8.self)
    #expect(
      json.hasPrefix("{\"schema\":1,\"number\":1,\"begin\":\"2026-03-01T12:34:56.789Z\"")
        && json.contains("\"distance\":5566.0"))
  }
}
