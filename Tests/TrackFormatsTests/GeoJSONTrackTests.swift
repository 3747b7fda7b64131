import Foundation
import Geodesy
import Testing
import TrackFormats

@Suite struct GeoJSONTrackTests {
  @Test func aSegmentIsALineWithATimeForEachPosition() throws {
    let track: [TrackEntry] = [
      .interruption(.started), .fix(SampleTrack.fix(48.1173, 11.516666667)),
      .fix(SampleTrack.fix(48.1174, 11.5, after: 1) { $0.speedMetersPerSecond = nil }), .interruption(.gap),
      .fix(SampleTrack.fix(49, 12, after: 60) { $0.kind = .twoDimensional }),
    ]
    let features = try features(track)
    try #require(features.count == 2)
    #expect(features[0].type == "LineString")
    #expect(
      features[0].coordinates as? [[Double]] == [[11.516666667, 48.1173, 593.4], [11.5, 48.1174, 593.4]])
    #expect(
      features[0].properties["coordTimes"] as? [String] == ["2026-03-01T12:34:56.789Z", "2026-03-01T12:34:57.789Z"])
    #expect(features[0].properties["speed"] as? [Double?] == [11.525, nil])
    #expect(features[0].properties["interruption"] as? String == "started")
    #expect(features[0].properties["segment"] as? Int == 1)
    // A single fix is not a line; with a height that was only held from earlier, it has no height.
    #expect(features[1].type == "Point")
    #expect(features[1].coordinates as? [Double] == [12, 49])
    #expect(features[1].properties["timestamp"] as? String == "2026-03-01T12:35:56.789Z")
  }

  @Test func simulatedFixesAreMarked() throws {
    let track: [TrackEntry] = [
      .fix(SampleTrack.fix(48, 11)), .fix(SampleTrack.fix(48, 11.1, after: 1) { $0.isSimulated = true }),
    ]
    #expect(SampleTrack.text(.geojson, track).contains("\"simulated\":[null,true]"))
    #expect(try features(track).first?.properties["simulated"] != nil)
    // A track without a simulated fix has no such list.
    #expect(try features(Array(track.prefix(1))).allSatisfy { $0.properties["simulated"] == nil })
  }

  /// RFC 7946 §3.1.9, in both directions across the line.
  @Test func linesAreCutOnTheDateLine() throws {
    let track: [TrackEntry] = [
      .fix(SampleTrack.fix(-16, 179)), .fix(SampleTrack.fix(-17, -179, after: 1)),
      .fix(SampleTrack.fix(-16, 177, after: 2)),
    ]
    let features = try features(track)
    #expect(
      features.map { ($0.coordinates as? [[Double]])?.map { Array($0.prefix(2)) } } == [
        [[179, -16], [180, -16.5]], [[-180, -16.5], [-179, -17], [-180, -16.75]], [[180, -16.75], [177, -16]],
      ])
    #expect(features.map { $0.properties["segment"] as? Int } == [1, 1, 1])
    // There is no fix at a cut.
    #expect(features[1].properties["coordTimes"] as? [String?] == [nil, "2026-03-01T12:34:57.789Z", nil])
    #expect(features[1].properties["horizontalAccuracy"] as? [Double?] == [nil, 2.5, nil])
    for feature in features {
      let longitudes = (feature.coordinates as? [[Double]] ?? []).map { $0[0] }
      for (a, b) in zip(longitudes, longitudes.dropFirst()) { #expect((a - b).magnitude <= 180) }
    }
  }

  @Test func onTheDateLineItselfNothingIsLost() throws {
    let features = try features([
      .fix(SampleTrack.fix(0, 179.9)), .fix(SampleTrack.fix(0, 180, after: 1)),
      .fix(SampleTrack.fix(0, -180, after: 2)),
      .fix(SampleTrack.fix(0, -179.9, after: 3)),
    ])
    let times = features.flatMap { $0.properties["coordTimes"] as? [String?] ?? [] }.compactMap(\.self)
    #expect(times.count == 4)
    for feature in features {
      let longitudes = (feature.coordinates as? [[Double]] ?? []).map { $0[0] }
      for (a, b) in zip(longitudes, longitudes.dropFirst()) { #expect((a - b).magnitude <= 180) }
    }
  }

  @Test func longLinesGoOnWhereTheyEnded() throws {
    let features = try features(SampleTrack.drive(5000))
    try #require(features.count == 3)
    let lines = features.map { $0.coordinates as? [[Double]] ?? [] }
    #expect(lines.map(\.count) == [2048, 2048, 906])
    #expect(lines[0].last == lines[1].first)
    #expect(lines[1].last == lines[2].first)
    #expect(
      features.allSatisfy { ($0.properties["coordTimes"] as? [String])?.count == ($0.coordinates as? [Any])?.count })
  }

  @Test func everythingIsJSON() throws {
    #expect(try features([]).isEmpty)
    #expect(try features([.interruption(.gap)]).isEmpty)
    let features = try features(SampleTrack.everything)
    #expect(features.allSatisfy { $0.type == "LineString" || $0.type == "Point" })
    #expect(features.contains { $0.properties["geoid"] as? String == "EGM96" })
  }

  private struct Feature {
    let type: String
    let coordinates: Any?
    let properties: [String: Any]
  }

  private func features(_ track: [TrackEntry]) throws -> [Feature] {
    let object = try JSONSerialization.jsonObject(with: Data(SampleTrack.document(.geojson, track)))
    let collection = try #require(object as? [String: Any])
    #expect(collection["type"] as? String == "FeatureCollection")
    return try #require(collection["features"] as? [[String: Any]]).map { feature in
      #expect(feature["type"] as? String == "Feature")
      let geometry = try #require(feature["geometry"] as? [String: Any])
      return Feature(
        type: try #require(geometry["type"] as? String), coordinates: geometry["coordinates"],
        properties: (try #require(feature["properties"] as? [String: Any])).mapValues(Self.withoutNull))
    }
  }

  private static func withoutNull(_ value: Any) -> Any {
    guard let list = value as? [Any] else { return value }
    if list.contains(where: { $0 is String }) { return list.map { $0 as? String } }
    return list.map { $0 as? Double }
  }
}
