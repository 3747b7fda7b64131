import Foundation
import Geodesy
import LocationIPC
import Testing
import TrackFormats
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
    let unknown = SampleFix.with { fix in
      fix.heightAboveEllipsoid = nil
      fix.heightAboveMeanSeaLevel = nil
    }
    #expect(try parsed(GeoJSONFormat.line(unknown)).geometry?["coordinates"] as? [Double] == [11.516666667, 48.1173])
    let held = SampleFix.with { $0.kind = .twoDimensional }
    #expect(try parsed(GeoJSONFormat.line(held)).geometry?["coordinates"] as? [Double] == [11.516666667, 48.1173])
  }

  /// A height that the receiver reported only above sea level is written above the ellipsoid, with the name of the geoid that
  /// converted it; a height above the ellipsoid that the receiver itself reported is not changed.
  @Test func theGeoidIsInBetween() throws {
    let located = SampleFix.with { $0.heightAboveEllipsoid = nil }
    let (geometry, properties) = try parsed(GeoJSONFormat.line(located))
    let undulation = try #require(Geoid.undulation(at: located.fix.coordinate)).value
    let height = try #require((geometry?["coordinates"] as? [Double])?.last)
    #expect((height - 545.4 - undulation).magnitude < 0.001)
    #expect(properties["geoid"] as? String == "EGM96")
    #expect(properties["altitude"] as? Double == 545.4)
    #expect(properties["ellipsoidalAltitude"] == nil)
    #expect(try parsed(GeoJSONFormat.line(SampleFix.full)).properties["geoid"] == nil)
  }

  @Test func recordsWithoutAPositionAreUnlocated() throws {
    let located = SampleFix.with { $0.coordinate = SampleFix.coordinate(.nan, 0) }
    #expect(try parsed(GeoJSONFormat.line(located)).geometry == nil)
    let event = try parsed(StreamWriter(.format(.geojson)).line(StreamEvent(.lost, at: nil)))
    #expect(event.geometry == nil)
    #expect(event.properties["event"] as? String == "lost")
  }

  /// RFC 7946 §3.3: the output of a stream is one document, including its events, which readers ignore.
  @Test func aStreamIsOneCollection() throws {
    var writer = StreamWriter(.format(.geojson))
    let fix = Array(writer.line(SampleFix.full))
    let lines = [fix, writer.line(StreamEvent(.lost, at: nil)), fix]
    let document = writer.opening + lines.joined(separator: writer.separator) + writer.closing
    let collection = try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
    #expect(collection["type"] as? String == "FeatureCollection")
    let features = try #require(collection["features"] as? [[String: Any]])
    #expect(features.map { $0["geometry"] is [String: Any] } == [true, false, true])
  }

  private func parsed(_ line: [UInt8]) throws -> (geometry: [String: Any]?, properties: [String: Any]) {
    let feature = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    #expect(feature["type"] as? String == "Feature")
    return (feature["geometry"] as? [String: Any], try #require(feature["properties"] as? [String: Any]))
  }
}
