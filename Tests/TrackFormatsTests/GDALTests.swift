import Foundation
import Geodesy
import Testing
import TrackFormats

/// What QGIS and other programs with GDAL read from this package's files.
@Suite(.enabled(if: ToolRun.isInstalled("/usr/bin/ogr2ogr"), "needs ogr2ogr (gdal-bin): 'make peers' installs it"))
struct GDALTests {
  private struct Features {
    let list: [[String: Any]]

    var coordinates: [[Double]] {
      list.flatMap { Self.positions(($0["geometry"] as? [String: Any])?["coordinates"] as Any) }
    }

    func values(_ key: String) -> [Any?] { list.map { ($0["properties"] as? [String: Any])?[key] } }

    private static func positions(_ value: Any) -> [[Double]] {
      if let position = value as? [Double], !position.isEmpty { return [position] }
      return (value as? [Any])?.flatMap { positions($0) } ?? []
    }
  }

  /// The features that GDAL reads, as it writes them in GeoJSON.
  private func read(_ format: TrackFormat, _ track: [TrackEntry], _ layer: String...) throws -> Features {
    let run = try ToolRun(
      "/usr/bin/ogr2ogr", ["-f", "GeoJSON", "/vsistdout/", "%"] + layer,
      on: SampleTrack.document(format, track, name: "Lake & trip"))
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let collection = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    return Features(list: try #require(collection["features"] as? [[String: Any]]))
  }

  private let drive = SampleTrack.drive(200) + [.interruption(.gap)] + SampleTrack.drive(100)

  private func expectPositions(_ found: [[Double]], height: Double) throws {
    let fixes = drive.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    try #require(found.count == fixes.count)
    for (position, fix) in zip(found, fixes) {
      #expect((position[0] - fix.coordinate.longitude.degrees).magnitude <= 1e-7)
      #expect((position[1] - fix.coordinate.latitude.degrees).magnitude <= 1e-7)
      #expect(position.count == 3 && (position[2] - height).magnitude < 0.01)
    }
  }

  @Test func pointsOfGPX() throws {
    let points = try read(.gpx, drive, "track_points")
    #expect(points.list.count == 300)
    #expect(points.values("ele").allSatisfy { $0 as? Double == 545.4 })
    #expect(points.values("sat").allSatisfy { $0 as? Int == 9 })
    #expect(points.values("fix").allSatisfy { $0 as? String == "3d" })
    #expect(points.values("track_seg_id").compactMap { $0 as? Int }.max() == 1)
    #expect(points.values("ctl_horizontalAccuracy").allSatisfy { $0 as? Double == 2.5 })
    let speeds = points.values("gpxtpx_TrackPointExtension").compactMap { $0 as? String }
    #expect(speeds.count == 300 && speeds.allSatisfy { $0.contains("11.525") && $0.contains("84.40") })
    #expect(
      (points.values("time").first as? String)?.hasPrefix("2026-03-01T12:34:56.789") == true
        || (points.values("time").first as? String)?.hasPrefix("2026/03/01 12:34:56.789") == true)
  }

  @Test func trackOfGPX() throws {
    let tracks = try read(.gpx, drive, "tracks")
    #expect(tracks.list.count == 1 && tracks.values("name").first as? String == "Lake & trip")
    #expect(tracks.coordinates.count == 300)
  }

  @Test func geoJSON() throws {
    let lines = try read(.geojson, drive)
    #expect(lines.values("segment").compactMap { $0 as? Int } == [1, 2])
    try expectPositions(lines.coordinates, height: 593.4)
    #expect((lines.values("coordTimes").first as? [String])?.count == 200)
  }

  @Test func kml() throws {
    let lines = try read(.kml, drive)
    try expectPositions(lines.coordinates, height: 545.4)
    #expect(lines.list.count == 2)
  }

  @Test func extremes() throws {
    for format in [TrackFormat.gpx, .kml, .geojson] {
      let found =
        try format == .gpx ? read(format, SampleTrack.everything, "track_points") : read(format, SampleTrack.everything)
      #expect(!found.list.isEmpty)
    }
  }
}
