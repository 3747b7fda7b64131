import Foundation
import Geodesy
import Testing
import TrackFormats

@Suite struct GeotagTests {
  /// A photograph in an empty folder, and a track that was at 47 N, 8 E from 12:00 to 12:10 UTC, with one fix per minute.
  private struct Scene: ~Copyable {
    let folder: URL
    var track: String { folder.appendingPathComponent("track.gpx").path }

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      var document = TrackDocument(.gpx)
      var bytes: [UInt8] = []
      for minute in 0...10 {
        var fix = SampleFix.bare.fix
        // 2026-03-01T12:00:00Z.
        fix.time = GNSSTime(nanosecondsSince1970: 1_772_366_400_000_000_000) + .seconds(60 * minute)
        fix.coordinate = SampleFix.coordinate(47 + Double(minute) * 0.001, 8)
        fix.heightAboveMeanSeaLevel = Meters(500 + Double(minute))
        document.write(.fix(fix), to: &bytes)
      }
      document.finish(to: &bytes)
      try Data(bytes).write(to: URL(fileURLWithPath: track))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a photograph taken at this time, and returns its path.
    func photograph(_ name: String, at time: String, offset: String? = nil) throws -> String {
      let path = folder.appendingPathComponent(name).path
      try Data(Self.jpeg(time, offset)).write(to: URL(fileURLWithPath: path))
      return path
    }

    /// A JPEG with only a time in its EXIF, in the byte order that this machine does not use, and without image data.
    private static func jpeg(_ time: String, _ offset: String?) -> [UInt8] {
      var values = Array(time.utf8) + [0]
      let count: UInt8 = offset == nil ? 1 : 2
      let start = 8 + 18 + 6 + 12 * count
      var exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
      exif += [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
      exif += [0, count, 0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, start]
      if let offset {
        exif += [0x90, 0x11, 0, 2, 0, 0, 0, 7, 0, 0, 0, start + 20]
        values += Array(offset.utf8) + [0]
      }
      exif += [0, 0, 0, 0] + values
      let length = exif.count + 8
      return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("Exif\0\0".utf8) + exif
        + [0xFF, 0xDA, 0, 2, 0, 0xFF, 0xD9]
    }
  }

  @Test func writesThePlaceBetweenTwoFixes() throws {
    let scene = try Scene()
    let path = try scene.photograph("a.jpg", at: "2026:03:01 14:03:30", offset: "+02:00")
    let before = try FileManager.default.attributesOfItem(atPath: path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
    let run = try ProgramRun(["geotag", path, "--track", scene.track])
    #expect(run.status == 0, "\(run.errors)")
    let line = try object(run.output)
    #expect(line["file"] as? String == path)
    #expect(line["timestamp"] as? String == "2026-03-01T12:03:30.000Z")
    #expect(((line["latitude"] as? Double ?? 0) - 47.0035).magnitude < 1e-8)
    #expect(line["altitude"] as? Double == 503.5)
    let after = try FileManager.default.attributesOfItem(atPath: path)
    #expect(after[.posixPermissions] as? Int == 0o640)
    #expect((after[.modificationDate] as? Date)?.timeIntervalSince1970 == 1_000_000_000)
    #expect((after[.size] as? Int ?? 0) > (before[.size] as? Int ?? 0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).count == 2)

    // A second run skips the photograph, because it has a position now, and does not change it.
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    let again = try ProgramRun(["geotag", path, "--track", scene.track])
    #expect(again.status == 0)
    #expect(try object(again.output)["skipped"] as? String == "hasPosition")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    let replaced = try ProgramRun(["geotag", path, "--overwrite", "--shift", "30", "--track", scene.track])
    #expect(try object(replaced.output)["latitude"] as? Double == 47.004)
  }

  @Test(arguments: [
    (["--timezone", "+02:00"], "2026-03-01T12:03:30.000Z"), (["--timezone", "America/New_York"], nil),
    (["--timezone", "Asia/Kolkata", "--shift", "12600"], "2026-03-01T12:03:30.000Z"),
    (["--shift", "-7200"], "2026-03-01T12:03:30.000Z"),
  ]) func zones(arguments: [String], time: String?) throws {
    let scene = try Scene()
    let path = try scene.photograph("a.jpg", at: "2026:03:01 14:03:30")
    let run = try ProgramRun(
      ["geotag", path, "--dry-run", "--track", scene.track] + arguments, environment: ["TZ": "UTC"])
    #expect(try object(run.output)["timestamp"] as? String == time)
    #expect(run.status == (time == nil ? 75 : 0))
  }

  /// The offset of summer time is distinguished from that of winter time by the date.
  @Test func theLocalZoneHasItsSummer() throws {
    let scene = try Scene()
    let path = try scene.photograph("a.jpg", at: "2026:07:01 14:03:30")
    let run = try ProgramRun(
      ["geotag", path, "--dry-run", "--track", scene.track], environment: ["TZ": "Europe/Zurich"])
    #expect(run.errors.contains("2026-07-01T12:03:30.000Z"))
    #expect(run.status == 75)
  }

  @Test func whatCannotBeTaggedIsLeftAsItIs() throws {
    let scene = try Scene()
    let good = try scene.photograph("good.jpg", at: "2026:03:01 12:03:30", offset: "+00:00")
    let late = try scene.photograph("late.jpg", at: "2026:03:01 13:03:30", offset: "+00:00")
    let text = scene.folder.appendingPathComponent("text.jpg").path
    try Data("not a JPEG photograph".utf8).write(to: URL(fileURLWithPath: text))
    let files = [text, late, scene.folder.path, "/nowhere.jpg", good]
    let kept = try [text, late].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let run = try ProgramRun(["geotag", "--track", scene.track] + files)
    #expect(run.status == 65)
    let lines = try run.output.split(separator: "\n").map { try object(String($0)) }
    #expect(
      lines.map { $0["skipped"] as? String } == ["notJPEG", "notInTrack", "unreadable", "unreadable", nil])
    // One sentence for each file.
    #expect(run.errors.split(separator: "\n").count == 4)
    #expect(try [text, late].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == kept)
  }

  @Test func badUsage() throws {
    let scene = try Scene()
    #expect(try ProgramRun(["geotag", "x.jpg"]).status == 64)
    #expect(try ProgramRun(["geotag", "--track", scene.track]).status == 64)
    let zone = try ProgramRun(["geotag", "x.jpg", "--track", scene.track, "--timezone", "../../etc/passwd"])
    #expect(zone.status == 64)
    #expect(try ProgramRun(["geotag", "x.jpg", "--track", "/nowhere.gpx"]).status == 65)
    #expect(try ProgramRun(["geotag", "x.jpg", "--track", "/dev/null"]).status == 65)
  }

  private func object(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}
