import Foundation
import Geodesy
import LocationPolicy
import Testing
import TrackFormats

/// What is read from other programs' files: each format in an example that was written by hand.
@Suite struct TrackImportTests: ImportedFileReading {
  // MARK: GPX

  @Test func aGPXFileOfVersion11WithExtensions() throws {
    let file = try read(ImportSample.gpx)
    #expect(file.format == .gpx)
    // A waypoint, which is not connected to anything, and two segments.
    #expect(file.items.map { $0 == .interruption } == [false, true, false, false, true, false])
    try #require(fixes(file.items).count == 4)
    #expect(fixes(file.items).allSatisfy { $0.isImported })
    #expect(place(fixes(file.items)[0]) == [47.9, 8.9])
    let found = Array(fixes(file.items).dropFirst())
    #expect(place(found[0]) == [47.1, 8.2])
    #expect(found[0].time == (try time("2024-05-01T08:00:00Z")))
    #expect(found[0].heightAboveMeanSeaLevel == Meters(400.5))
    #expect(found[0].heightAboveEllipsoid == Meters(447.5))
    #expect(found[0].speedMetersPerSecond == 3.5)
    #expect(found[0].course == Angle(degrees: 0))
    #expect(found[0].satellitesUsed == 9)
    #expect(found[0].kind == .threeDimensional)
    // hdop is no accuracy, and is kept.
    #expect(found[0].hdop == 0.9 && found[1].hdop == nil)
    #expect(found[0].knownHorizontalRadius68 == nil)
    #expect(found[1].knownHorizontalRadius68 == Meters(4.5))
    #expect(found[1].technologies == .gnss)
    #expect(found[1].knownKind == nil)
    #expect(file.summary.skipped == [.noTime: 2, .noPosition: 1])
    #expect(file.summary.begin == (try time("2024-05-01T08:00:00Z")))
    #expect(file.summary.end == (try time("2024-05-01T10:00:00Z")))
  }

  @Test func aGPXFileOfVersion10HasSpeedAndCourseInThePoint() throws {
    let file = try read(
      """
      <?xml version="1.0"?><gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>
      <trkpt lat="-33.5" lon="151.25"><ele>12</ele><time>2009-10-17T18:37:26.5Z</time><course>84.5</course><speed>2.25</speed>
      <src>gps</src><sat>7</sat><hdop>1.2</hdop></trkpt></trkseg></trk></gpx>
      """)
    let fix = try #require(fixes(file.items).first)
    #expect(fix.course == Angle(degrees: 84.5) && fix.speedMetersPerSecond == 2.25 && fix.satellitesUsed == 7)
    #expect(fix.heightAboveMeanSeaLevel == Meters(12) && fix.heightAboveEllipsoid == nil)
    #expect(fix.technologies == .gnss && fix.hdop == 1.2)
  }

  @Test func aRouteWithoutTimesIsRefused() {
    #expect(throws: TrackImportError.noTimes) {
      try read("<gpx><rte><rtept lat=\"1\" lon=\"2\"/><rtept lat=\"1\" lon=\"3\"/></rte></gpx>")
    }
  }

  // MARK: KML

  @Test func aKMLFileWithATrackAndPlacemarks() throws {
    let file = try read(ImportSample.kml)
    #expect(file.format == .kml)
    let found = fixes(file.items)
    try #require(found.count == 4)
    #expect(place(found[0]) == [47.1, 8.2])
    #expect(found[0].heightAboveMeanSeaLevel == Meters(400))
    #expect(found[0].knownHorizontalRadius68 == Meters(5))
    #expect(found[1].knownHorizontalRadius68 == nil)
    // A track that is clamped to the ground has no height.
    #expect(found[2].heightAboveMeanSeaLevel == nil)
    #expect(found[3].time == (try time("2024-05-01T11:00:00Z")))
    #expect(found[3].heightAboveMeanSeaLevel == Meters(410))
    // The empty position, the placemark without a time, and the line.
    #expect(file.summary.skipped == [.noPosition: 1, .noTime: 2])
  }

  @Test func aLineWithoutTimesIsRefused() {
    #expect(throws: TrackImportError.noTimes) {
      try read(
        """
        <kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><LineString><coordinates>8,47 8.1,47.1</coordinates></LineString>
        </Placemark></kml>
        """)
    }
  }

  @Test func aTrackMayBeLongerThanWhatIsKept() throws {
    let count = 120_000
    let start = try time("2024-05-01T00:00:00Z")
    var text = "<kml><Placemark><Track>"
    for second in 0..<count { text += "<when>\(Timestamp(start + .seconds(second))?.iso8601 ?? "")</when>" }
    for second in 0..<count { text += "<coord>8.5 \(47 + Double(second) / 1e6) 0</coord>" }
    let found = fixes(try read(text + "</Track></Placemark></kml>", pieces: 65_536).items)
    #expect(found.count == count)
    #expect(found.last?.time == start + .seconds(count - 1))
  }

  // MARK: GeoJSON

  @Test func aGeoJSONFileWithLinesAndPoints() throws {
    let file = try read(ImportSample.geoJSON)
    let found = fixes(file.items)
    try #require(found.count == 7)
    #expect(place(found[0]) == [47.1, 8.2])
    #expect(found[0].heightAboveEllipsoid == Meters(447))
    #expect(found[1].time == (try time("2024-05-01T08:00:01Z")))
    #expect(found[1].knownHorizontalRadius68 == Meters(3))
    #expect(found[0].knownHorizontalRadius68 == nil)
    // A MultiLineString: two lines that are not connected.
    #expect(place(found[4]) == [47.5, 8.6])
    #expect(found[6].time == (try time("2024-05-01T12:00:00Z")))
    #expect(found[6].speedMetersPerSecond == 1.5)
    let parts = file.items.split(separator: .interruption).map { $0.count }
    #expect(parts == [2, 2, 2, 1])
    #expect(file.summary.skipped == [.noTime: 1])
  }

  @Test func aFeatureAndAGeometryAloneAreDocuments() throws {
    let feature = try read(
      #"{"geometry":{"coordinates":[8.5,47],"type":"Point"},"properties":{"timestamp":1714550400},"type":"Feature"}"#)
    #expect(fixes(feature.items).map(\.time) == [try time("2024-05-01T08:00:00Z")])
    #expect(throws: TrackImportError.noTimes) { try read(#"{"type":"LineString","coordinates":[[8.5,47],[8.6,47]]}"#) }
  }

  // MARK: NMEA

  @Test func sentencesOfOneTimeAreOneFix() throws {
    let file = try read(ImportSample.nmea)
    #expect(file.format == .nmea)
    let found = fixes(file.items)
    try #require(found.count == 3)
    #expect(found[0].time == (try time("2024-05-01T23:59:59Z")))
    #expect((found[0].coordinate.latitude.degrees - 47.5).magnitude < 1e-9)
    #expect(found[0].heightAboveMeanSeaLevel == Meters(400) && found[0].heightAboveEllipsoid == Meters(447))
    #expect(found[0].speedMetersPerSecond.map { ($0 - 10 * 1852 / 3600).magnitude < 1e-6 } == true)
    #expect(found[0].course == Angle(degrees: 90))
    // GST: 3 and 4 m of standard deviation.
    #expect(found[0].knownHorizontalRadius68.map { ($0.value - 1.515 * 12.5.squareRoot()).magnitude < 1e-6 } == true)
    #expect(found[1].knownHorizontalRadius68 == nil)
    // After midnight, before the next date.
    #expect(found[1].time == (try time("2024-05-02T00:00:00Z")))
    #expect(file.summary.skipped == [.noFix: 1])
    #expect(file.items.contains(.interruption))
  }

  // MARK: CSV and OwnTracks

  @Test func theCSVOfGPSLogger() throws {
    let file = try read(
      """
      time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop,geoidheight,ageofdgpsdata,dgpsid,activity,battery,annotation
      2024-05-01T08:00:00.000Z,47.1,8.2,447.5,7.5,219.93,0.946,9,gps,0.9,,,47.0,,,,62,
      2024-05-01T08:00:10.000Z,47.2,8.3,,,,,0,network,,,,,,,,62,"a, b"
      2024-05-01T08:00:20.000Z,,,,,,,,,,,,,,,,,
      """)
    #expect(file.format == .csv)
    let found = fixes(file.items)
    try #require(found.count == 2)
    #expect(found[0].heightAboveEllipsoid == Meters(447.5) && found[0].heightAboveMeanSeaLevel == Meters(400.5))
    #expect(found[0].knownHorizontalRadius68 == Meters(7.5) && found[0].course == Angle(degrees: 219.93))
    #expect(found[0].speedMetersPerSecond == 0.946 && found[0].technologies == .gnss)
    #expect(found[1].knownHorizontalRadius68 == nil && found[1].technologies == [])
    #expect(file.summary.skipped == [.noPosition: 1])
  }

  @Test func aTableWithoutTimesIsRefused() {
    #expect(throws: TrackImportError.missingColumn("time")) { try read("lat,lon\n47,8\n") }
    #expect(throws: TrackImportError.unknownFormat) { try read("name,street\nx,y\n") }
  }

  @Test func theRecorderOfOwnTracks() throws {
    let file = try read(
      """
      2024-05-01T08:00:00Z\t*                 \t{"_type":"location","lat":47.1,"lon":8.2,"tst":1714550400,"acc":12,"alt":400,"vac":3,"vel":36,"cog":90,"batt":80,"inregions":["home"],"conn":"w"}
      2024-05-01T08:00:05Z\tlwt               \t{"_type":"lwt","tst":1714550405}
      2024-05-01T08:00:10Z\t*                 \t{"_type":"location","lat":47.2,"lon":8.3,"tst":1714550410,"vel":-1,"cog":-1}
      2024-05-01T08:00:12Z\t*                 \t{"_type":"location","lat":47
      2024-05-01T18:00:00Z\t*                 \t{"_type":"location","lat":47.3,"lon":8.4,"tst":1714586400}
      """)
    #expect(file.format == .owntracks)
    let found = fixes(file.items)
    try #require(found.count == 3)
    #expect(found[0].time == (try time("2024-05-01T08:00:00Z")))
    #expect(found[0].heightAboveMeanSeaLevel == Meters(400) && found[0].verticalRadius68 == Meters(3))
    #expect(found[0].speedMetersPerSecond == 10 && found[0].course == Angle(degrees: 90))
    #expect(found[0].knownHorizontalRadius68 == Meters(12))
    #expect(found[1].speedMetersPerSecond == nil && found[1].course == nil)
    #expect(file.summary.skipped == [.notLocation: 1, .unreadable: 1])
    #expect(file.items.map { $0 == .interruption } == [false, false, true, false])
  }

  // MARK: Google

  @Test func theRecordsOfTakeout() throws {
    let file = try read(ImportSample.records)
    let found = fixes(file.items)
    try #require(found.count == 3)
    #expect(place(found[0]) == [41.4216106, 2.1684775])
    #expect(found[0].time == (try time("2022-01-12T17:18:24.190Z")))
    #expect(found[0].knownHorizontalRadius68 == Meters(20) && found[0].verticalRadius68 == Meters(10))
    #expect(found[0].heightAboveEllipsoid == Meters(150) && found[0].heightAboveMeanSeaLevel == nil)
    #expect(found[0].speedMetersPerSecond == 10 && found[0].course == Angle(degrees: 270))
    #expect(found[0].technologies == .wifi)
    // The times of nested activities are not those of the position.
    #expect(found[1].time == GNSSTime(nanosecondsSince1970: 1_515_565_441_334_000_000))
    #expect(file.summary.skipped == [.noPosition: 1])
  }

  @Test func theSemanticHistoryOfTakeout() throws {
    let file = try read(ImportSample.semantic)
    let stays = visits(file.items)
    try #require(stays.count == 1)
    #expect(stays[0].isImported && stays[0].hasEnded && stays[0].knownHorizontalRadius68 == nil)
    #expect(stays[0].arrival == (try time("2022-03-01T08:00:00Z")))
    #expect(stays[0].departure == (try time("2022-03-01T09:30:00Z")))
    #expect((stays[0].coordinate.latitude.degrees - 41.4).magnitude < 1e-9)
    // The start, a point with a time and the end; the waypoints have no times.
    let found = fixes(file.items)
    #expect(
      found.map(\.time) == (try ["2022-03-01T09:30:00Z", "2022-03-01T09:40:00Z", "2022-03-01T10:00:00Z"].map(time)))
    #expect(found[1].knownHorizontalRadius68 == Meters(10))
    #expect(file.summary.skipped == [:])
  }

  @Test func theTimelineOfAnAndroidPhone() throws {
    let file = try read(ImportSample.android)
    let stays = visits(file.items)
    // The visit of the second level is within the first.
    try #require(stays.count == 1)
    #expect((stays[0].coordinate.longitude.degrees - 8.5).magnitude < 1e-9)
    #expect(stays[0].departure == (try time("2024-05-01T09:00:00Z")))
    let found = fixes(file.items)
    try #require(found.count == 5)
    #expect(Set(found.map(\.time)).count == 5)
    let raw = try #require(found.last)
    #expect(raw.knownHorizontalRadius68 == Meters(13) && raw.heightAboveEllipsoid == Meters(480.5))
    #expect(raw.speedMetersPerSecond == 1.25 && raw.technologies == .gnss)
  }

  @Test func theTimelineOfAnIPhone() throws {
    let file = try read(ImportSample.iPhone)
    #expect(visits(file.items).count == 1)
    let found = fixes(file.items)
    #expect(
      found.map(\.time)
        == (try ["2024-05-01T08:10:00Z", "2024-05-01T08:25:30Z", "2024-05-01T09:00:00Z", "2024-05-01T09:20:00Z"].map(
          time)))
    #expect(place(found[0]) == [47.1, 8.2])
    #expect(file.summary.skipped == [.noPosition: 1])
  }

  @Test func otherJSONIsNotATimeline() {
    for text in [#"{"name":"x"}"#, "[1,2]", "[]", #"{"type":"FeatureCollection"}"#, #"[{"startTime":"x"}]"#] {
      #expect(throws: TrackImportError.otherJSON) { try read(text) }
    }
  }

  // MARK: All

  @Test(arguments: ImportSample.all)
  func bytesMayArriveInAnyPieces(sample: String) throws {
    let whole = try read(sample)
    for pieces in [1, 7, 61] {
      let cut = try read(sample, pieces: pieces)
      #expect(cut.items == whole.items && cut.summary == whole.summary)
    }
  }

  @Test(arguments: ImportSample.all)
  func aDamagedFileIsRefusedOrReadInPart(sample: String) {
    let bytes = Array(sample.utf8)
    for end in stride(from: 0, to: bytes.count, by: 13) { _ = try? read(Array(bytes[..<end])) }
    for index in stride(from: 0, to: bytes.count, by: 5) {
      var changed = bytes
      changed[index] ^= 0x15
      _ = try? read(changed)
    }
  }

  @Test func filesOfOtherKindsAreRefused() {
    #expect(throws: TrackImportError.packed(.zip)) { try read([0x50, 0x4B, 0x03, 0x04, 0, 0]) }
    #expect(throws: TrackImportError.packed(.gzip)) { try read([0x1F, 0x8B, 8, 0, 0, 0]) }
    #expect(throws: TrackImportError.otherRoot("html")) { try read("<html><body/></html>") }
    #expect(throws: TrackImportError.unknownFormat) { try read("") }
    #expect(throws: TrackImportError.unknownFormat) { try read("hello\nworld\n") }
    #expect(throws: TrackImportError.otherEncoding("ISO-8859-1")) {
      try read("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><gpx/>")
    }
    for text in ["<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>", "<gpx><trk>", "{\"locations\":[{", "<gpx></trk>", "{]"] {
      #expect(throws: TrackImportError.self) { try read(text) }
    }
  }

  @Test func timesOfAnUnsetClockAndOfTheFutureAreLeftOut() throws {
    var reader = TrackImport(latest: try time("2024-05-02T00:00:00Z"))
    let points = ["1970-01-01T00:00:09Z", "2024-05-01T00:00:00Z", "2044-05-01T00:00:00Z"].map {
      "<trkpt lat=\"1\" lon=\"2\"><time>\($0)</time></trkpt>"
    }
    let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    let items = try reader.receive(Array(text.utf8).span) + reader.finish()
    #expect(fixes(items).count == 1)
    #expect(reader.summary.skipped == [.wrongTime: 2])
  }
}
