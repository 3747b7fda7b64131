import Geodesy
import LocationIPC
import LocationPolicy
import Testing
import TrackFormats
import locationctl

/// Times on a terminal are local with their zone, in pipes UTC. The zone is that of the environment.
@Suite struct TimeTextTests {
  private let terminal = Presentation(usesColor: false, usesUnicode: true, width: 80, showsLocalTime: true)
  private let time = SampleFix.full.fix.time

  @Test func aPipeHasUTC() {
    #expect(TimeText.moment(time, .pipe) == "2026-03-01T12:34:56.789Z")
    #expect(TimeText.clock(time, .pipe) == "12:34:56.789")
    #expect(TimeText.seconds(time, .pipe) == "12:34:56 UTC")
    #expect(TimeText.minute(time, .pipe)?.text == "2026-03-01 12:34")
  }

  @Test func aTerminalHasTheZone() throws {
    let moment = try #require(TimeText.moment(time, terminal))
    #expect(moment.wholeMatch(of: /2026-0[23]-\d\d \d\d:\d\d:56 [-+A-Za-z0-9]+/) != nil, "\(moment)")
    let clock = try #require(TimeText.clock(time, terminal))
    #expect(clock.wholeMatch(of: /\d\d:\d\d:56\.789 [-+A-Za-z0-9]+/) != nil, "\(clock)")
  }

  @Test func aTableOfVisits() {
    let place = SampleFix.coordinate(48.1173, 11.5)
    let over = Visit(coordinate: place, horizontalRadius68: Meters(20), arrival: time, departure: time + .seconds(7200))
    let current = Visit(coordinate: place, horizontalRadius68: Meters(20), arrival: nil)
    #expect(
      text(VisitTable.bytes([over, current], .pipe)) == """
        ARRIVAL               DEPARTURE             STAY  WHERE
        2026-03-01 12:34 UTC  2026-03-01 14:34 UTC  2 h   48.11730, 11.50000 ± 20 m
        not observed          still there           -     48.11730, 11.50000 ± 20 m

        """)
  }
}
