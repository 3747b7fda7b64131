import Geodesy
import Testing
import TrackFormats

@Suite struct GPXReaderTests {
  @Test func readsWhatWasWritten() throws {
    let track = SampleTrack.drive(50) + [.interruption(.gap)] + [.fix(SampleTrack.fix(10, 20, after: 500))]
    let result = try read(SampleTrack.text(.gpx, track))
    #expect(result.timeline.count == 51)
    for case .fix(let fix) in track {
      let sample = try #require(result.timeline.sample(at: fix.time, within: .zero))
      #expect((sample.coordinate.latitude.degrees - fix.coordinate.latitude.degrees).magnitude <= 1e-9)
      #expect((sample.coordinate.longitude.degrees - fix.coordinate.longitude.degrees).magnitude <= 1e-9)
      #expect(sample.heightAboveMeanSeaLevel == Meters(545.4))
      #expect(sample.horizontalRadius68 == Meters(2.5))
    }
    // The two segments are not connected.
    #expect(result.timeline.sample(at: SampleTrack.start + .seconds(300), within: .seconds(100)) == nil)
  }

  /// GPX of other programs: a namespace prefix, single quotes, entities, comments, CDATA, a time zone, other points.
  @Test func readsOthers() throws {
    let result = try read(
      """
      \u{FEFF}<?xml version='1.0'?><!-- <trkpt> --><g:gpx xmlns:g='http://www.topografix.com/GPX/1/0' version='1.0'>
      <g:wpt lat='1' lon='2'><g:time>2026-03-01T00:00:00Z</g:time></g:wpt>
      <g:trk><g:name>a &amp; b &#x26; <![CDATA[<trkseg>]]></g:name><g:trkseg>
      <g:trkpt lat='48.5' lon='-11.25'><g:ele> 5e2 </g:ele><g:time>
        2026-03-01T13:34:56.5+01:00</g:time><g:extensions><x><time>no time</time><ele>7</ele></x></g:extensions></g:trkpt>
      <g:trkpt lat='48.6' lon='-11.25'/>
      <g:trkpt lon="-11.25" lat="48.7"><g:time>2026-03-01T12:34:58</g:time></g:trkpt>
      </g:trkseg></g:trk></g:gpx>
      """)
    #expect(result.timeline.count == 2)
    #expect(result.pointsWithoutTime == 1)
    let first = try #require(
      result.timeline.sample(at: GNSSTime(nanosecondsSince1970: 1_772_368_496_500_000_000), within: .zero))
    #expect(first.coordinate == Coordinate(latitude: Angle(degrees: 48.5), longitude: Angle(degrees: -11.25)))
    #expect(first.heightAboveMeanSeaLevel == Meters(500))
    #expect(result.timeline.range?.upperBound == GNSSTime(nanosecondsSince1970: 1_772_368_498_000_000_000))
  }

  @Test(arguments: [
    ("", GPXError.notGPX), ("<kml/>", .notGPX), ("$GPGGA,", .notXML(at: 0)), ("<gpx>", .notXML(at: 5)),
    ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>", .documentType),
    ("<gpx><trkpt lat='91' lon='0'/></gpx>", .badPoint(at: 30)), ("<gpx><trkpt lat='1'/></gpx>", .badPoint(at: 21)),
    ("<gpx><trkpt lat='1' lon='2'><time>noon</time></trkpt></gpx>", .badTime(at: 45)),
    ("<gpx>&x;</gpx>", .notXML(at: 5)), ("<gpx></trk>", .notXML(at: 5)),
  ]) func invalidTrackIsRefused(text: String, error: GPXError) {
    #expect(throws: error) { try read(text) }
  }

  @Test func everyCutIsRefusedOrRead() {
    let bytes = SampleTrack.document(.gpx, SampleTrack.everything)
    for end in stride(from: 0, to: bytes.count - 1, by: 11) {
      var result = GPXReader.Result()
      #expect(throws: GPXError.self) { try GPXReader.read(Array(bytes[..<end]), into: &result) }
    }
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(throws: GPXError.self) { try read("<gpx>" + deep) }
  }

  private func read(_ text: String) throws -> GPXReader.Result {
    var result = GPXReader.Result()
    try GPXReader.read(Array(text.utf8), into: &result)
    return result
  }
}
