import Geodesy
import Regions
import Testing
import TrackFormats

@Suite struct GeoJSONRegionTests {
  @Test func readsGeojsonIO() throws {
    let file = try ImportedRegions(RegionTexts.geojsonIO)
    #expect(file.names == ["Marienplatz", "7"])
    #expect(file.circles == [try CircleShape(center: place(48.1374, 11.5755), radius: Meters(250))])
    #expect(
      file.polygons.map(\.corners) == [
        [place(48.14, 11.58), place(48.14, 11.6), place(48.16, 11.6), place(48.16, 11.58)]
      ])
    #expect(file.remarks.leftOut == 0)
    #expect(file.remarks.features == 2)
  }

  @Test func readsQGIS() throws {
    let file = try ImportedRegions(RegionTexts.qgis)
    #expect(file.names == ["Köln 🌈 \"Süd\"", "Köln 🌈 \"Süd\" 2", "Dom"])
    #expect(file.polygons.map(\.corners.count) == [3, 3])
    #expect(file.polygons.first?.corners[1] == place(50.9, 6.970000000000001))
    #expect(file.circles.map(\.radius) == [Meters(150)])
    #expect(file.remarks.holes == 1)
    #expect(file.remarks.otherShapes == 1)
    #expect(file.remarks.withoutShape == 1)
    #expect(file.remarks.features == 4)
    #expect(
      file.remarks.firstLeftOut
        == SkippedRegion(feature: 2, line: 7, name: "way/17", reason: .otherShape("LineString")))
  }

  /// Members in any order, a byte order mark, one feature per line, a text sequence, a geometry without a feature.
  @Test(arguments: [
    #"{"features":[{"geometry":{"coordinates":[2,1],"type":"Point"},"properties":{"radius":9}}],"type":"FeatureCollection"}"#,
    "\u{FEFF} {\"properties\":{\"radius\":9.0},\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[2.0,1e0]}}",
    "\u{1E}{\"id\":null,\"type\":\"Feature\",\"properties\":{\"Radius\":9},\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1,8,7]}}\n",
    #"{"coordinates":[2,1],"type":"Point"}"#, #"{"type":"Point","coordinates":[362,10E-1]}"#,
  ]) func readsOtherForms(text: String) throws {
    let file = try ImportedRegions(text, defaultRadius: Meters(9))
    #expect(file.circles == [try CircleShape(center: place(1, 2), radius: Meters(9))])
    #expect(file.names == ["feature 1"])
  }

  @Test func readsFeaturesLineByLine() throws {
    let line = #"{"type":"Feature","properties":{"name":"a"},"geometry":{"type":"Point","coordinates":[2,1]}}"#
    let file = try ImportedRegions(line + "\n" + line + "\r\n\n" + line, defaultRadius: Meters(5))
    #expect(file.names == ["a", "a 2", "a 3"])
    #expect(file.remarks.renamed == 2)
    #expect(try ImportedRegions(line + "\n" + line).remarks.firstLeftOut?.line == 1)
    #expect(try ImportedRegions(line).remarks.withoutRadius == 1)
  }

  /// The most suitable of all names, whatever their order and spelling.
  @Test(arguments: [
    (#"{"id":"d","Title":"b","NAME":"a"}"#, "a"), (#"{"id":"d","identifier":"c","title":"b","name":""}"#, "b"),
    (#"{"id":12345678901234567890,"identifier":"c"}"#, "c"), (#"{"id":12345678901234567890}"#, "12345678901234567890"),
    (#"{"name":null,"title":true,"id":["x"],"identifier":{"name":"y"}}"#, "f"), ("null", "f"),
  ]) func takesTheBestName(properties: String, name: String) throws {
    let text =
      #"{"type":"Feature","id":"f","properties":\#(properties),"geometry":{"type":"Point","coordinates":[2,1]}}"#
    #expect(try ImportedRegions(text, defaultRadius: Meters(1)).names == [name])
  }

  /// A numbered name may be that of another feature already.
  @Test func namesStayApart() throws {
    let features = ["a", "a 2", "a", "a", "a 2", "a 3"].map {
      #"{"type":"Feature","id":"\#($0)","geometry":{"type":"Point","coordinates":[2,1]}}"#
    }
    let file = try ImportedRegions(features.joined(separator: "\n"), defaultRadius: Meters(1))
    #expect(file.names == ["a", "a 2", "a 3", "a 4", "a 2 2", "a 3 2"])
  }

  /// An invalid shape excludes its feature, and no other.
  @Test(arguments: [
    #"{"type":"Point","coordinates":[2]}"#, #"{"type":"Point","coordinates":[[2,1]]}"#,
    #"{"type":"Point","coordinates":[2,"1"]}"#, #"{"type":"Point","coordinates":[2,1,[3]]}"#,
    #"{"type":"Point","coordinates":5}"#, #"{"type":"Point","coordinates":{"x":1}}"#, #"{"type":"Point"}"#,
    #"{"type":"Polygon","coordinates":[[2,1],[3,1],[3,2]]}"#,
    #"{"type":"Polygon","coordinates":[[[2,1],[3,1],[null,2]]]}"#,
    #"{"type":"Polygon","coordinates":[[[2,1],[],[3,2]]]}"#, #"{"type":"Polygon","coordinates":[[[[[2,1]]]]]}"#,
    #"{"type":"Polygon","coordinates":[[[2,1],[[3,1]]]]}"#, #"{"type":7,"coordinates":[2,1]}"#,
    #"{"type":"Circle","coordinates":[2,1]}"#, "[2,1]", #""POINT(2 1)""#, "true",
  ]) func whatHasNoRightShapeIsLeftOut(geometry: String) throws {
    let file = try ImportedRegions(
      collection([geometry, #"{"type":"Point","coordinates":[2,1]}"#]), defaultRadius: Meters(1))
    #expect(file.names == ["feature 2"])
    #expect(file.remarks.unreadable == 1)
    #expect(file.remarks.leftOut == 1)
  }

  /// Input in the correct form that is not a valid region.
  @Test(arguments: [
    (#"{"type":"Point","coordinates":[48,91]}"#, RegionError.place(latitude: 91, longitude: 48), true),
    (#"{"type":"Point","coordinates":[1e999,1]}"#, .place(latitude: 1, longitude: .infinity), false),
    (#"{"type":"Point","coordinates":[691000,5334000]}"#, .place(latitude: 5_334_000, longitude: 691_000), false),
    (#"{"type":"Polygon","coordinates":[[[2,1],[3,1],[2,1]]]}"#, .corners(2, possible: 3...4096), false),
    (#"{"type":"Polygon","coordinates":[[[2,1],[3,1],[3,-100]]]}"#, .place(latitude: -100, longitude: 3), true),
  ]) func invalidRegionIsLeftOut(geometry: String, error: RegionError, seemsSwapped: Bool) throws {
    let file = try ImportedRegions(collection([geometry]), defaultRadius: Meters(1))
    #expect(file.regions.isEmpty)
    #expect(file.remarks.refused == 1)
    #expect(file.remarks.firstLeftOut?.reason == .refused(error))
    #expect(file.remarks.firstLeftOut?.seemsSwapped == seemsSwapped)
  }

  @Test(arguments: ["0", "-5", "1e999", "\"wide\"", "\"\"", "null", "[5]"]) func radii(radius: String) throws {
    let text = #"{"type":"Feature","properties":{"radius":\#(radius)},"geometry":{"type":"Point","coordinates":[2,1]}}"#
    let file = try ImportedRegions(text, defaultRadius: Meters(3))
    let isUnknown = ["\"\"", "null", "[5]"].contains(radius)
    #expect(file.circles.map(\.radius) == (isUnknown ? [Meters(3)] : []))
    #expect(file.remarks.refused == (["0", "-5", "1e999"].contains(radius) ? 1 : 0))
    #expect(file.remarks.unreadable == (radius == "\"wide\"" ? 1 : 0))
  }

  @Test func longBordersAreLeftOut() throws {
    func ring(_ count: Int) -> String {
      let corners = (0..<count).map { "[\(Double($0) / 10_000),\($0 % 2)]" }
      return "[[" + (corners + [corners[0]]).joined(separator: ",") + "]]"
    }
    let geometries = [4096, 4097, 5000].map { #"{"coordinates":\#(ring($0)),"type":"Polygon"}"# }
    let file = try ImportedRegions(collection(geometries))
    #expect(file.polygons.map(\.corners.count) == [4096])
    #expect(file.remarks.tooManyCorners == 2)
    #expect(file.remarks.firstLeftOut?.reason == .tooManyCorners(most: 4096))
    // In one feature, whose polygons are kept as far as there is room, with one remark for all others.
    let many = Array(repeating: ring(4000), count: 20).joined(separator: ",")
    let parts = try ImportedRegions(collection([#"{"type":"MultiPolygon","coordinates":[\#(many)]}"#]))
    #expect(parts.polygons.count == 16)
    #expect(parts.names.last == "feature 1 16")
    #expect(parts.remarks.tooManyCorners == 1)
    #expect(parts.remarks.firstLeftOut?.reason == .tooManyCorners(most: 65_536))
  }

  @Test func moreThanTheCallerTakesIsRefused() throws {
    let points = Array(repeating: #"{"type":"Point","coordinates":[2,1]}"#, count: 3)
    #expect(try ImportedRegions(collection(points), defaultRadius: Meters(1), mostRegions: 3).regions.count == 3)
    #expect(throws: RegionImportError.tooMany(most: 2, line: 1)) {
      try ImportedRegions(collection(points), defaultRadius: Meters(1), mostRegions: 2)
    }
  }

  private func collection(_ geometries: [String]) -> String {
    let features = geometries.map { #"{"type":"Feature","geometry":\#($0)}"# }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }
}
