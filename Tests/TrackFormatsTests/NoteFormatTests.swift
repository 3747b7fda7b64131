import Foundation
import Geodesy
import Testing
import TrackFormats

/// Notes in each format of a track.
@Suite struct NoteFormatTests {
  private func note(_ text: String, after seconds: Double) throws -> TrackNote {
    var note = try #require(
      TrackNote(
        text, time: SampleTrack.start + .seconds(seconds),
        coordinate: Coordinate(latitude: Angle(degrees: 47.5), longitude: Angle(degrees: 8.25)),
        horizontalRadius68: Meters(4)))
    (note.heightAboveMeanSeaLevel, note.heightAboveEllipsoid) = (Meters(400), Meters(448))
    return note
  }

  private func text(_ format: TrackFormat, _ notes: [TrackNote], _ entries: [TrackEntry]) -> String {
    var document = TrackDocument(format, notes: notes)
    var bytes: [UInt8] = []
    for entry in entries { document.write(entry, to: &bytes) }
    document.finish(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func gpxHasWaypointsBeforeTheTrack() throws {
    let document = text(.gpx, [try note("a <b> & \"c\"", after: 1)], SampleTrack.drive(2))
    #expect(
      document.contains(
        """
          <wpt lat="47.5000000" lon="8.2500000">
            <ele>400.00</ele>
            <time>2026-03-01T12:34:57.789Z</time>
            <name>a &lt;b&gt; &amp; &quot;c&quot;</name>
          </wpt>
          <trk>
        """), "\(document)")
  }

  @Test func kmlHasPlacemarks() throws {
    let document = text(.kml, [try note("tea", after: 1)], SampleTrack.drive(2))
    #expect(
      document.contains("<name>tea</name>")
        && document.contains("<coordinates>8.2500000,47.5000000,400.00</coordinates>"))
  }

  @Test func geoJSONHasPoints() throws {
    for entries in [SampleTrack.drive(2), []] {
      let document = text(.geojson, [try note("tea", after: 1), try note("\"x\"", after: 0)], entries)
      let object = try #require(JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
      let features = try #require(object["features"] as? [[String: Any]])
      #expect(features.count == (entries.isEmpty ? 2 : 3))
      let properties = try #require(features[0]["properties"] as? [String: Any])
      #expect(properties["note"] as? String == "\"x\"", "the order is that of the times")
      let geometry = try #require(features[1]["geometry"] as? [String: Any])
      #expect(geometry["type"] as? String == "Point" && geometry["coordinates"] as? [Double] == [8.25, 47.5, 448])
    }
  }

  /// A track without notes is unchanged; with notes, each is a record in the order of the times.
  @Test func csvHasRecords() throws {
    let plain = text(.csv, [], SampleTrack.drive(3))
    #expect(!plain.contains("note"))
    let document = text(.csv, [try note("tea, \"hot\"", after: 1), try note("last", after: 99)], SampleTrack.drive(3))
    let lines = document.split(separator: "\r\n")
    try #require(lines.count == 6)
    let columns = lines[0].split(separator: ",").count
    #expect(lines[0].hasSuffix(",geoid,imported,note"))
    #expect(
      lines[2].hasSuffix(",\"tea, \"\"hot\"\"\"")
        && lines[2].hasPrefix("2026-03-01T12:34:57.789Z,47.5000000,8.2500000,448.00"))
    #expect(lines[5].hasSuffix(",last"))
    for line in [lines[1], lines[3], lines[5]] {
      #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == columns)
    }
  }

  @Test func nmeaHasNoNotes() throws {
    #expect(text(.nmea, [try note("tea", after: 1)], SampleTrack.drive(2)) == text(.nmea, [], SampleTrack.drive(2)))
  }
}
