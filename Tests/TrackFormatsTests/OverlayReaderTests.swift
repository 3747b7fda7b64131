import Geodesy
import Testing
import TrackFormats

/// Files that are laid over a map.
@Suite struct OverlayReaderTests {
  private func read(_ text: String) throws(OverlayError) -> OverlayReader { try OverlayReader(Array(text.utf8)) }

  private func at(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(checkingLatitude: latitude, longitude: longitude))
  }

  @Test func geoJSONHasPointsLinesAndAreasWithHoles() throws {
    let reader = try read(
      """
      {"type":"FeatureCollection","features":[
       {"type":"Feature","properties":{"name":"Spring","type":"Point"},"geometry":{"type":"Point","coordinates":[9.5,47.1,600]}},
       {"geometry":{"coordinates":[[9,47],[9.1,47.1]],"type":"LineString"},"properties":{"name":"Path"},"type":"Feature"},
       {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[9,47],[10,47],[10,48],[9,47]],[[9.5,47.1],[9.6,47.1],[9.6,47.2],[9.5,47.1]]]},"properties":null},
       {"type":"Feature","properties":{"title":"All"},"geometry":{"type":"GeometryCollection","geometries":[
         {"type":"MultiPoint","coordinates":[[1,2],[3,4]]},{"type":"MultiLineString","coordinates":[[[1,1],[2,2]],[[3,3],[4,4]]]},
         {"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]}]}}
      ]}
      """)
    #expect(reader.skipped == 0)
    #expect(reader.shapes.map(\.name) == ["Spring", "Path", nil] + [String](repeating: "All", count: 6))
    #expect(reader.shapes[0].geometry == .point(try at(47.1, 9.5)))
    #expect(reader.shapes[1].geometry == .line([try at(47, 9), try at(47.1, 9.1)]))
    guard case .polygon(let rings) = reader.shapes[2].geometry else {
      Issue.record("no polygon")
      return
    }
    #expect(rings.map(\.count) == [3, 3])
    #expect(reader.shapes[8].geometry == .polygon([[try at(5, 5), try at(5, 6), try at(6, 6)]]))
  }

  @Test func kmlHasPlacemarks() throws {
    let reader = try read(
      """
      <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
      <name>File</name>
      <Placemark><name>Hut</name><Point><coordinates>9.5,47.1,1800</coordinates></Point></Placemark>
      <Placemark><name>Way</name><LineString><coordinates>
        9,47 9.1,47.1
        9.2,47.2,5</coordinates></LineString></Placemark>
      <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs>
        <innerBoundaryIs><LinearRing><coordinates>0.5,0.2 0.6,0.2 0.6,0.3 0.5,0.2</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>
      <Placemark><name>Run</name><gx:Track><when>2026-01-01T00:00:00Z</when><gx:coord>9 47 3</gx:coord><gx:coord>9.1 47 3</gx:coord></gx:Track></Placemark>
      </Document></kml>
      """)
    #expect(reader.shapes.map(\.name) == ["Hut", "Way", nil, "Run"])
    #expect(reader.shapes.map(\.isTrack) == [false, false, false, true])
    #expect(reader.shapes[1].geometry == .line([try at(47, 9), try at(47.1, 9.1), try at(47.2, 9.2)]))
    guard case .polygon(let rings) = reader.shapes[2].geometry else {
      Issue.record("no polygon")
      return
    }
    #expect(rings.map(\.count) == [3, 3])
  }

  @Test func gpxHasWaypointsRoutesAndTracks() throws {
    let reader = try read(
      """
      <gpx version="1.1"><wpt lat="47.1" lon="9.5"><name>Start &amp; end</name></wpt>
      <rte><name>Plan</name><rtept lat="47" lon="9"/><rtept lat="47.1" lon="9"><name>Turn</name></rtept></rte>
      <trk><name>Done</name><trkseg><trkpt lat="47" lon="9"/><trkpt lat="47.1" lon="9"/></trkseg><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>
      """)
    #expect(reader.shapes.map(\.name) == ["Start & end", "Plan", "Done", "Done"])
    #expect(reader.shapes.map(\.isTrack) == [false, false, true, true])
  }

  @Test func shapesThatAreNotValidAreLeftOut() throws {
    let reader = try read(
      """
      {"type":"FeatureCollection","features":[
       {"type":"Feature","geometry":{"type":"Point","coordinates":[9.5,97.1]}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":["9",47]}},
       {"type":"Feature","geometry":{"type":"LineString","coordinates":[9,47]}},
       {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[9,47],[9,48]]]}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":[[[[[[1]]]]]]}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":[1e999,1]}},
       {"type":"Feature","geometry":{"type":"Point","coordinates":[190,-3]}}]}
      """)
    #expect(reader.skipped == 6)
    #expect(reader.shapes.map(\.geometry) == [.point(try at(-3, -170))])
  }

  @Test func foreignFilesHaveAReason() {
    func reason(_ text: String) -> OverlayError? {
      do throws(OverlayError) {
        _ = try read(text)
        return nil
      } catch {
        return error
      }
    }
    #expect(reason("") == .unknownFormat)
    #expect(reason("hello") == .unknownFormat)
    #expect(reason("PK\u{3}\u{4}x") == .packed)
    #expect(reason("<svg/>") == .otherRoot("svg"))
    #expect(reason("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>") == .otherXML)
    #expect(reason("<?xml version=\"1.0\" encoding=\"UTF-16\"?><gpx/>") == .otherXML)
    #expect(reason("<gpx><wpt>") == .cutOff)
    #expect(reason("<gpx><wpt") == .malformed(TextPosition(line: 1, byte: 9)))
    #expect(reason("{\"type\":") == .cutOff)
    if case .malformed(let place)? = reason("{\"type\":\n]") {
      #expect(place.line == 2)
    } else {
      Issue.record("\(String(describing: reason("{\"type\":\n]")))")
    }
    if case .malformed? = reason(String(repeating: "[", count: 100_000)) {
    } else {
      Issue.record("deep nesting is read")
    }
  }

  @Test func theNumberOfShapesIsBounded() {
    let point = "{\"type\":\"Point\",\"coordinates\":[1,2]}\n"
    #expect(throws: OverlayError.tooLarge) {
      try OverlayReader(Array(String(repeating: point, count: OverlayReader.mostShapes + 1).utf8))
    }
  }

  /// Every prefix and many changes of a file end with shapes or with an error.
  @Test func damagedFilesEnd() {
    let files = [
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"A\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[9,47],[10,47],[10,48],[9,47]]]}}",
      "<kml><Placemark><name>A</name><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>",
      "<gpx><wpt lat=\"1\" lon=\"2\"><name>A</name></wpt><trk><trkseg><trkpt lat=\"47\" lon=\"9\"/></trkseg></trk></gpx>",
    ]
    var random = SystemRandomNumberGenerator()
    for file in files {
      let bytes = Array(file.utf8)
      for count in bytes.indices { _ = try? OverlayReader(Array(bytes[..<count])) }
      for _ in 0..<3000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = try? OverlayReader(changed)
      }
    }
  }
}
