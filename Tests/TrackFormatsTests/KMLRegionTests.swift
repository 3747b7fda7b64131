import Geodesy
import Regions
import Testing
import TrackFormats

@Suite struct KMLRegionTests {
  @Test func readsGoogleEarth() throws {
    let file = try ImportedRegions(RegionTexts.googleEarth)
    #expect(file.names == ["Garden & <shed>", "Pin"])
    #expect(
      file.polygons.map(\.corners) == [
        [place(47.37, 8.54), place(47.37, 8.55), place(47.38, 8.55), place(47.38, 8.54)]
      ])
    #expect(file.circles == [try CircleShape(center: place(47.375, 8.545), radius: Meters(80))])
    #expect(file.remarks.holes == 1)
    #expect(file.remarks.features == 3)
    #expect(
      file.remarks.firstLeftOut == SkippedRegion(feature: 3, line: 30, name: "Path", reason: .otherShape("LineString")))
  }

  @Test func readsOGR() throws {
    let file = try ImportedRegions(RegionTexts.ogr, defaultRadius: Meters(10))
    #expect(file.names == ["42", "42 2", "42 3"])
    #expect(file.polygons.count == 2)
    #expect(file.circles.count == 1)
    #expect(file.remarks.leftOut == 0)
    #expect(try ImportedRegions(RegionTexts.ogr).remarks.withoutRadius == 1)
  }

  @Test(arguments: [
    "<Point/>", "<Point><coordinates/></Point>", "<Point><coordinates>1,2 3,4</coordinates></Point>",
    "<Point><coordinates>1, 2</coordinates></Point>", "<Point><coordinates>1,2,3,4</coordinates></Point>",
    "<Point><coordinates>nan,2</coordinates></Point>", "<Point><coordinates>0x1,2</coordinates></Point>", "<Polygon/>",
    "<Polygon><outerBoundaryIs><LinearRing><coordinates>1,2 x</coordinates></LinearRing></outerBoundaryIs></Polygon>",
    "<Polygon><outerBoundaryIs/></Polygon>",
  ]) func whatHasNoRightShapeIsLeftOut(geometry: String) throws {
    let file = try ImportedRegions(
      "<kml><Placemark>\(geometry)</Placemark><Placemark id='b'><Point><coordinates>+1,.5\n</coordinates></Point></Placemark></kml>",
      defaultRadius: Meters(1))
    #expect(file.circles.map(\.center) == [place(0.5, 1)])
    #expect(file.names == ["b"])
    #expect(file.remarks.unreadable == 1)
    #expect(file.remarks.leftOut == 1)
  }

  @Test func invalidRegionIsLeftOut() throws {
    let file = try ImportedRegions(
      """
      <kml>
      <Placemark><Point><coordinates>48,111</coordinates></Point></Placemark>
      <Placemark><name> </name></Placemark></kml>
      """, defaultRadius: Meters(1))
    #expect(file.remarks.refused == 1)
    #expect(file.remarks.withoutShape == 1)
    #expect(
      file.remarks.firstLeftOut
        == SkippedRegion(
          feature: 1, line: 2, name: "feature 1", reason: .refused(.place(latitude: 111, longitude: 48))))
    #expect(file.remarks.firstLeftOut?.seemsSwapped == true)
  }

  /// Longer than the text that the scanner keeps.
  @Test func readsLongBorders() throws {
    func text(_ count: Int) -> String {
      let corners = (0..<count).map { "\(Double($0) / 10_000),\($0 % 2),0" }
      return
        "<kml><Placemark><description><![CDATA[\(String(repeating: "x]]é", count: 5000))]]></description><Polygon><outerBoundaryIs><LinearRing><coordinates>\(corners.joined(separator: " "))</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>"
    }
    let file = try ImportedRegions(text(4096))
    #expect(file.polygons.map(\.corners.count) == [4096])
    #expect(file.polygons.first?.corners.last == place(1, 0.4095))
    #expect(try ImportedRegions(text(4097)).remarks.tooManyCorners == 1)
    #expect(try ImportedRegions(Array(text(4096).utf8), pieces: 1000) == file)
  }

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }
}
