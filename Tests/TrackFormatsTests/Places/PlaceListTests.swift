import Geodesy
import Testing
import TrackFormats

@Suite struct PlaceListTests {
  private func read(_ text: String) throws(PlaceListError) -> [String] {
    try PlaceList.read(Array(text.utf8)).places.map { place in
      "\(place.name ?? "-"): \(CoordinateNotation.decimal.text(place.coordinate, precision: 3) ?? "?")"
    }
  }

  @Test func lines() throws {
    let found = try read(
      "\u{FEFF}# places\n47.1,8.2\r\n\r\n47.3,8.4,Home\n 47.5 , 8.6 , The \u{e9}, and more\n\"47.7\",8.8,\"a, \"\"b\"\"\"\n"
        + "31UFU2881104221,Dam\nJO22ki\n52°22'23.2\"N 4°53'31.9\"E\nN52.5 E4.5, Mill\n52°30'N,4°30'E,Mill")
    #expect(
      found == [
        "-: 47.100,8.200", "Home: 47.300,8.400", "The \u{e9},and more: 47.500,8.600", "a, \"b\": 47.700,8.800",
        "Dam: 52.373,4.892", "-: 52.354,4.875", "-: 52.373,4.892", "Mill: 52.500,4.500", "Mill: 52.500,4.500",
      ])
  }

  @Test func tables() throws {
    #expect(
      try read("id,Name,LON,Lat\n1,Home,8.2,47.1\n\n2,\"a, b\",8.4,47.3\n")
        == ["Home: 47.100,8.200", "a, b: 47.300,8.400"])
    #expect(try read("latitude,longitude\n47.1,8.2") == ["-: 47.100,8.200"])
    #expect(throws: PlaceListError.header) { try read("lat,name\n47.1,a") }
    #expect(throws: PlaceListError.line(3)) { try read("lat,lon\n47.1,8.2\n47.1\n") }
    #expect(throws: PlaceListError.line(2)) { try read("lat,lon\n97.1,8.2\n") }
  }

  @Test func waypoints() throws {
    let gpx = """
      <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>n</name></metadata>
      <wpt lat="47.1" lon="8.2"><ele>1</ele><name> The
      &#233; </name><link href="x"><name>no</name></link></wpt><wpt lat="-47.3" lon="-8.4"/>
      <trk><name>t</name><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>
      """
    #expect(try read(gpx) == ["The \u{e9}: 47.100,8.200", "-: -47.300,-8.400"])
    #expect(throws: PlaceListError.self) { try read(gpx.replacing("-47.3", with: "-97.3")) }
    #expect(throws: PlaceListError.self) { try read(String(gpx.prefix(200))) }
    #expect(throws: PlaceListError.self) { try read("<!DOCTYPE gpx><gpx/>") }
  }

  @Test func features() throws {
    let geoJSON = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[8.2,47.1,400]}},
      {"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[8.4,47.3]}},
      {"type":"Feature","properties":{"name":"L"},"geometry":{"type":"LineString","coordinates":[[8.4,47.3],[8.5,47.3]]}},
      {"type":"Feature","properties":{"name":"P"},"geometry":{"type":"Polygon","coordinates":[[[8,47],[8.2,47],[8.1,47.2],[8,47]]]}}]}
      """
    let (places, leftOut) = try PlaceList.read(Array(geoJSON.utf8))
    #expect(places.map(\.name) == ["A", "A", "P"])
    #expect(leftOut == 1)
    let kml = """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>K</name><Point>
      <coordinates>8.2,47.1</coordinates></Point></Placemark></Document></kml>
      """
    #expect(try read(kml) == ["K: 47.100,8.200"])
    #expect(throws: PlaceListError.self) { try read("{\"type\":") }
    #expect(throws: PlaceListError.self) { try read("<html/>") }
  }

  @Test(arguments: ["home", "47.1", "47.1,8.2\n91,0", "\u{0}\u{1}", "47.1,8.2\nlat,lon"]) func notPlaces(text: String) {
    #expect(throws: PlaceListError.self) { try read(text) }
  }

  @Test func nothing() throws {
    #expect(try read("") == [])
    #expect(try read("\n# a\n") == [])
  }
}
