import Foundation
import Geodesy
import Testing
import TrackFormats

/// Python with the packages that `.ci/pytools` fetches.
private let python = ".build/pytools/bin/python3"

/// What gpxpy (https://pypi.org/project/gpxpy/), the parser of many viewers, reads from GPX.
@Suite(.enabled(if: ToolRun.isInstalled(python), "gpxpy is not there: '.ci/pytools' fetches it from PyPI"))
struct GPXPyTests {
  private func read(_ track: [TrackEntry], created: GNSSTime? = nil) throws -> [String: Any] {
    let program = """
      import gpxpy, json, sys
      gpx = gpxpy.parse(open(sys.argv[1], encoding="utf-8"))
      def extension(point, name):
          return [float(e.text) for x in point.extensions for e in x.iter() if e.tag.endswith("}" + name)][0]
      segments = [s for t in gpx.tracks for s in t.segments]
      points = [p for s in segments for p in s.points]
      print(json.dumps({
          "name": gpx.name, "time": gpx.time and gpx.time.isoformat(), "tracks": [t.name for t in gpx.tracks],
          "segments": [len(s.points) for s in segments],
          "points": [[p.latitude, p.longitude, p.elevation, p.time.timestamp()] for p in points],
          "speeds": [extension(p, "speed") for p in points], "courses": [extension(p, "course") for p in points],
          "solutions": [p.type_of_gpx_fix for p in points], "satellites": [p.satellites for p in points]}))
      """
    let document = SampleTrack.document(.gpx, track, name: "Lake & trip", created: created)
    let run = try ToolRun(python, ["-c", program, "%"], on: document)
    try #require(run.status == 0, "\(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test func tracks() throws {
    let drive = SampleTrack.drive(20) + [.interruption(.gap)] + SampleTrack.drive(10)
    let found = try read(drive, created: SampleTrack.start)
    #expect(found["name"] as? String == "Lake & trip" && found["tracks"] as? [String] == ["Lake & trip"])
    #expect((found["time"] as? String)?.hasPrefix("2026-03-01T12:34:56.789") == true)
    #expect(found["segments"] as? [Int] == [20, 10])
    #expect((found["speeds"] as? [Double])?.allSatisfy { $0 == 11.525 } == true)
    #expect((found["courses"] as? [Double])?.allSatisfy { $0 == 84.4 } == true)
    #expect((found["solutions"] as? [String])?.allSatisfy { $0 == "3d" } == true)
    #expect((found["satellites"] as? [Int])?.allSatisfy { $0 == 9 } == true)
    let points = try #require(found["points"] as? [[Double]])
    let fixes = drive.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    try #require(points.count == fixes.count)
    for (point, fix) in zip(points, fixes) {
      #expect((point[0] - fix.coordinate.latitude.degrees).magnitude <= 1e-7)
      #expect((point[1] - fix.coordinate.longitude.degrees).magnitude <= 1e-7)
      #expect((point[2] - 545.4).magnitude < 0.01)
      #expect((point[3] - Double(fix.time.nanosecondsSince1970) / 1e9).magnitude < 0.002)
    }
  }
}
