import Geodesy
import Testing
import TrackFormats

@Suite struct TrackDocumentTests {
  @Test func emptyTracksAreWholeDocuments() {
    #expect(SampleTrack.text(.nmea, []).isEmpty)
    #expect(
      SampleTrack.text(.csv, []) == """
        timestamp,latitude,longitude,ellipsoidalAltitude,geoidSeparation,altitude,horizontalAccuracy,verticalAccuracy,\
        course,courseAccuracy,speed,speedAccuracy,fix,satellitesUsed,technologies,device,receiver,timeConfirmed,suspect,\
        simulated,segment,interruption,geoid,imported\r\n
        """)
    #expect(SampleTrack.text(.geojson, []) == "{\"schema\":1,\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
    #expect(!SampleTrack.text(.gpx, [.interruption(.gap)]).contains("<trk>"))
    #expect(!SampleTrack.text(.kml, []).contains("Placemark"))
  }

  /// The geoid there according to the grid of 15′: −0.854 m.
  @Test func oneFixAsGPX() {
    #expect(
      SampleTrack.text(.gpx, [.fix(SampleTrack.fix(48.1173, 180) { $0.heightAboveMeanSeaLevel = nil })]) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="locationctl" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:ctl="urn:x-locationctl:track:1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
          <trk>
            <trkseg>
              <trkpt lat="48.1173000" lon="-180.0000000">
                <ele>594.237</ele>
                <time>2026-03-01T12:34:56.789Z</time>
                <geoidheight>-0.837</geoidheight>
                <src>/dev/ttyACM0</src>
                <fix>3d</fix>
                <sat>9</sat>
                <extensions>
                  <gpxtpx:TrackPointExtension>
                    <gpxtpx:speed>11.525</gpxtpx:speed>
                    <gpxtpx:course>84.40</gpxtpx:course>
                  </gpxtpx:TrackPointExtension>
                  <ctl:horizontalAccuracy>2.50</ctl:horizontalAccuracy>
                  <ctl:verticalAccuracy>4.25</ctl:verticalAccuracy>
                  <ctl:course>84.40</ctl:course>
                  <ctl:speed>11.525</ctl:speed>
                  <ctl:fix>3d</ctl:fix>
                  <ctl:technologies>gnss</ctl:technologies>
                  <ctl:timeConfirmed>true</ctl:timeConfirmed>
                  <ctl:geoid>EGM96</ctl:geoid>
                </extensions>
              </trkpt>
            </trkseg>
          </trk>
        </gpx>

        """)
  }

  /// The name of a log may contain characters that are reserved in XML.
  @Test func theNameOfATrack() {
    func text(_ format: TrackFormat) -> String {
      var (bytes, document) = ([UInt8](), TrackDocument(format, name: "to & fro"))
      document.write(.fix(SampleTrack.fix(48.1173, 11.5)), to: &bytes)
      document.finish(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      text(.gpx).contains(
        "<metadata>\n    <name>to &amp; fro</name>\n  </metadata>\n  <trk>\n    <name>to &amp; fro</name>"))
    #expect(text(.kml).contains("<Document>\n    <name>to &amp; fro</name>"))
  }

  @Test func recordsOfCSV() {
    let track: [TrackEntry] = [
      .interruption(.started),
      .fix(
        SampleTrack.fix(48.1173, 11.516666667) { fix in
          fix.device = "=1+\"a\",b\r\n"
          fix.technologies = [.gnss, .wifi]
        }), .interruption(.gap), .fix(SampleTrack.fix(0, 0) { $0.kind = .twoDimensional }),
    ]
    let lines = SampleTrack.text(.csv, track).split(separator: "\r\n")
    #expect(lines.count == 3)
    #expect(
      lines[1]
        == "2026-03-01T12:34:56.789Z,48.1173000,11.516666667,593.40,48.00,545.40,2.50,4.25,84.40,,11.525,,3d,9,gnss wifi,"
        + "\"'=1+\"\"a\"\",b\u{FFFD}\u{FFFD}\",,true,,,1,started,,")
    #expect(
      lines[2]
        == "2026-03-01T12:34:56.789Z,0.0000000,0.0000000,,,,2.50,,84.40,,11.525,,2d,9,gnss,/dev/ttyACM0,,true,,,2,gap,,"
    )
  }

  @Test func aSimulatedFixIsMarkedInCSVAndNMEA() {
    let track = [TrackEntry.fix(SampleTrack.fix(48, 11) { $0.isSimulated = true })]
    #expect(SampleTrack.text(.csv, track).contains(",true,,true,1,,"))
    let lines = SampleTrack.text(.nmea, track).split(separator: "\r\n")
    #expect(lines.count == 2 && lines[0].contains(",E,8,09,") && lines[1].contains(",S*"))
  }

  @Test func segmentsOfNMEAAreParted() {
    let track: [TrackEntry] = [
      .interruption(.started), .fix(SampleTrack.fix(1, 2)), .interruption(.gap), .interruption(.resumed),
      .fix(SampleTrack.fix(1, 2)),
    ]
    let lines = SampleTrack.text(.nmea, track).split(separator: "\r\n").map { $0.prefix { $0 != "," } }
    #expect(lines == ["$GPGGA", "$GPRMC", "$GPGGA", "$GPRMC", "$GPGGA", "$GPRMC"])
    #expect(SampleTrack.text(.nmea, track).contains("$GPRMC,,V,,,,,,,,,,N*53\r\n"))
  }

  @Test func countsWhatItWrites() {
    for format in TrackFormat.allCases {
      var document = TrackDocument(format)
      var bytes: [UInt8] = []
      for entry in SampleTrack.everything { document.write(entry, to: &bytes) }
      #expect(document.fixes == 20)
      #expect(document.fixesLeftOut == 3)
    }
  }

  /// Many entries (a million in an optimized build), written as they come: no piece is larger than a run.
  @Test(arguments: TrackFormat.allCases) func memoryIsBounded(format: TrackFormat) {
    var document = TrackDocument(format)
    var bytes: [UInt8] = []
    var (largest, total) = (0, 0)
    let entry = TrackEntry.fix(SampleTrack.fix(48.1173, 11.516666667))
    for _ in 0..<(Self.isOptimised ? 1_000_000 : 30_000) {
      document.write(entry, to: &bytes)
      largest = max(largest, bytes.count)
      total += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    #expect(largest < 1000 * TrackDocument.maximumRun)
    #expect(total > 10 * largest)
  }

  private static var isOptimised: Bool {
    var result = true
    assert(
      {
        result = false; return true
      }())
    return result
  }

  /// The extent is written in place of spaces, so that the document stays as long as it was.
  @Test(arguments: [true, false]) func metadataOfGPX(hasName: Bool) throws {
    var document = TrackDocument(
      .gpx, name: hasName ? "a <b>" : nil, created: SampleTrack.start, leavesRoom: true)
    var bytes: [UInt8] = []
    for entry in SampleTrack.drive(10) { document.write(entry, to: &bytes) }
    document.finish(to: &bytes)
    let correction = try #require(document.correction)
    let place = correction.offset..<correction.offset + correction.bytes.count
    #expect(bytes[place].allSatisfy { $0 == UInt8(ascii: " ") })
    bytes.replaceSubrange(place, with: correction.bytes)
    // The element is at the end of the room: no line ends with spaces.
    #expect(!String(decoding: bytes, as: UTF8.self).contains(" \n"))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    let expected =
      (hasName ? ["<name>a &lt;b&gt;</name>"] : []) + [
        "<time>2026-03-01T12:34:56.789Z</time>",
        "<bounds minlat=\"47.0000000\" minlon=\"7.999911111\" maxlat=\"47.000111111\" maxlon=\"8.0000000\"/>",
      ]
    let begin = try #require(lines.firstIndex(of: "<metadata>"))
    let end = try #require(lines.firstIndex(of: "</metadata>"))
    #expect(Array(lines[(begin + 1)..<end]) == expected)
    // An extent across the meridian of 180°, and none.
    for track in [[], [TrackEntry.fix(SampleTrack.fix(0, 179.9)), .fix(SampleTrack.fix(0, -179.9))]] {
      var document = TrackDocument(.gpx, leavesRoom: true)
      for entry in track { document.write(entry, to: &bytes) }
      document.finish(to: &bytes)
      #expect(document.correction == nil)
    }
  }
}
