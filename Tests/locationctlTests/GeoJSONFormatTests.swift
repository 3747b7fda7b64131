import Foundation
import Geodesy
import LocationIPC
import Testing
import locationctl

@Suite struct GeoJSONFormatTests {
  @Test func longitudeComesFirstAndTheHeightIsTheEllipsoids() throws {
    let (geometry, properties) = try parsed(GeoJSONFormat.line(SampleFix.full))
    #expect(geometry?["type"] as? String == "Point")
    #expect(geometry?["coordinates"] as? [Double] == [11.516666667, 48.1173, 593.4])
    #expect(properties["altitude"] as? Double == 545.4)
    #expect(properties["latitude"] == nil)
  }

  @Test func aHeightThatIsUnknownIsAbsent() throws {
    let located = SampleFix.with { $0.heightAboveEllipsoid = nil }
    #expect(try parsed(GeoJSONFormat.line(located)).geometry?["coordinates"] as? [Double] == [11.516666667, 48.1173])
  }

  @Test func whatHasNoPositionIsUnlocated() throws {
    let located = SampleFix.with { $0.coordinate = SampleFix.coordinate(.nan, 0) }
    #expect(try parsed(GeoJSONFormat.line(located)).geometry == nil)
    let event = try parsed(StreamWriter(.format(.geojson)).line(StreamEvent(.lost, at: nil)))
    #expect(event.geometry == nil)
    #expect(event.properties["event"] as? String == "lost")
  }

  private func parsed(_ line: [UInt8]) throws -> (geometry: [String: Any]?, properties: [String: Any]) {
    let feature = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    #expect(feature["type"] as? String == "Feature")
    return (feature["geometry"] as? [String: Any], try #require(feature["properties"] as? [String: Any]))
  }
}
