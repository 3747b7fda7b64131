import Foundation
import Geodesy
import Testing

/// Simulated tracks, read by the real decoders, session and service, and by a program that is not part of this package.
@Suite struct SimulateTests {
  private struct Scene: ~Copyable {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Five minutes on a curved road, over midnight and, if it begins next to the date line, over the date line.
    func track(_ name: String = "track.gpx", from longitude: Double = 8.5, hasTimes: Bool = true) throws -> String {
      let formatter = ISO8601DateFormatter()
      // 2026-03-01T23:58:00Z.
      let start = Date(timeIntervalSince1970: 1_772_409_480)
      let points = (0...300).map { second in
        let east = (longitude + Double(second) * 2e-4).remainder(dividingBy: 360)
        let north = 47.2 + 1e-3 * sin(Double(second) / 30)
        let time = hasTimes ? "<time>\(formatter.string(from: start + Double(second)))</time>" : ""
        return "<trkpt lat=\"\(north)\" lon=\"\(east)\"><ele>450</ele>\(time)</trkpt>"
      }
      let text = "<gpx version=\"1.1\"><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
      return path(name)
    }
  }

  private func evaluate(_ log: String, _ truth: String) throws -> [String: Any] {
    let run = try ProgramRun(["evaluate", log, "--truth", truth])
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  /// With each protocol, the service receives every epoch, and the errors of the fixes are those that the simulator added.
  @Test(arguments: [
    ("log.nmea", "nmea", 8.5), ("log.nmea", "nmea", 179.97), ("log.ubx", "ubx", 8.5), ("log.capture", "nmea", 8.5),
    ("log.capture", "ubx", 179.97),
  ]) func theServiceReceivesIt(name: String, language: String, longitude: Double) throws {
    let scene = try Scene()
    let (log, truth) = (scene.path(name), scene.path("truth.csv"))
    let run = try ProgramRun([
      "simulate", scene.track(from: longitude), "--output", log, "--truth", truth, "--protocol", language, "--seed",
      "7",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.isEmpty)
    let result = try evaluate(log, truth)
    #expect((299...301).contains(result["n"] as? Int ?? 0))
    #expect(result["withoutTruth"] as? Int == 0)
    let raw = try #require(result["raw"] as? [String: Any])
    // √2 · 1.2 m, computed from few independent errors.
    #expect((0.6...3.4).contains(raw["rms"] as? Double ?? 0))
    #expect((raw["max"] as? Double ?? 99) < 8)
  }

  /// The example run of the package, from its script to the positions.
  @Test func theCityRunIsPlayed() throws {
    let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/locationd/Packaging/examples")
    let track = examples.appending(path: "city-run.gpx").path
    let script = Process()
    script.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    script.arguments = ["python3", examples.appending(path: "make-city-run").path]
    let output = Pipe()
    script.standardOutput = output
    try script.run()
    let made = output.fileHandleForReading.readDataToEndOfFile()
    script.waitUntilExit()
    #expect(try made == Data(contentsOf: URL(fileURLWithPath: track)), "the script makes another one")

    let scene = try Scene()
    let (log, truth) = (scene.path("run.nmea"), scene.path("truth.csv"))
    let run = try ProgramRun(["simulate", track, "--output", log, "--truth", truth, "--canyon", "300-600"])
    #expect(run.status == 0, "\(run.errors)")
    let replayed = try ProgramRun(["replay", log])
    #expect(replayed.status == 0, "\(replayed.errors)")
    let fixes = try replayed.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    // Half an hour with one fix per second, at the speed of a runner who waits at red lights.
    #expect((1700...1800).contains(fixes.count))
    #expect(fixes.allSatisfy { $0["simulated"] as? Bool == true })
    let speeds = fixes.compactMap { $0["speed"] as? Double }.sorted()
    #expect((2.5...3.5).contains(speeds[speeds.count / 2]) && speeds[0] < 0.5 && (speeds.last ?? 99) < 6)
    for (key, middle) in [("latitude", -48.877), ("longitude", -123.385)] {
      #expect(fixes.allSatisfy { abs(($0[key] as? Double ?? 99) - middle) < 0.02 }, "invented, and in the open sea")
    }
    #expect(try evaluate(log, truth)["withoutTruth"] as? Int == 0)
  }

  @Test func standardOutputIsTheSame() throws {
    let scene = try Scene()
    let track = try scene.track()
    let arguments = ["simulate", track, "--canyon", "60-120", "--tunnel", "200-230", "--rate", "2", "--multipath", "3"]
    let run = try ProgramRun(arguments)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try ProgramRun(arguments + ["--output", scene.path("log.nmea")]).status == 0)
    #expect(try String(contentsOfFile: scene.path("log.nmea"), encoding: .utf8) == run.output)
    #expect(try ProgramRun(arguments + ["--seed", "2"]).output != run.output)
    // A file is replaced only if the user requested that.
    #expect(try ProgramRun(arguments + ["--output", scene.path("log.nmea")]).status == 73)
    #expect(try ProgramRun(arguments + ["--output", scene.path("log.nmea"), "--force"]).status == 0)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsbabel"), "needs gpsbabel"))
  func anotherReaderFindsTheTrack() throws {
    let scene = try Scene()
    let log = scene.path("log.nmea")
    #expect(try ProgramRun(["simulate", scene.track(from: 179.97), "--output", log, "--noise", "0"]).status == 0)
    let run = try ProgramRun(["-t", "-i", "nmea", "-f", log, "-o", "unicsv,utc=0", "-F", "-"], of: "/usr/bin/gpsbabel")
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(whereSeparator: \.isNewline)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    try #require(lines.count == 302)
    let (latitude, longitude) = (
      try #require(lines[0].firstIndex(of: "Latitude")), try #require(lines[0].firstIndex(of: "Longitude"))
    )
    // If RMC comes first, as from u-blox receivers, gpsbabel assigns each position the time of the next position.
    for (second, line) in lines.dropFirst(2).enumerated() {
      let east = (179.97 + Double(second) * 2e-4).remainder(dividingBy: 360)
      let north = 47.2 + 1e-3 * sin(Double(second) / 30)
      // The minutes in these NMEA sentences have five decimals.
      #expect(abs((Double(line[latitude]) ?? 0) - north) < 2e-6)
      #expect(abs(((Double(line[longitude]) ?? 0) - east).remainder(dividingBy: 360)) < 2e-6)
    }
  }

  @Test func aDrawnTrackNeedsAPace() throws {
    let scene = try Scene()
    let track = try scene.track(hasTimes: false)
    let without = try ProgramRun(["simulate", track])
    #expect(without.status == 64)
    #expect(without.errors.contains("--speed"))
    let run = try ProgramRun(["simulate", track, "--speed", "15"])
    #expect(run.status == 0, "\(run.errors)")
    // 300 · 15.2 m of road at 15 m/s, with one sentence of each kind per second.
    #expect((300...340).contains(run.output.components(separatedBy: "GNRMC").count))
  }

  @Test(
    arguments: [
      (["--canyon", "5"], 64), (["--tunnel", "9-3"], 64), (["--noise", "-1"], 64), (["--rate", "0"], 64),
      (["--speed", "1e-9"], 64),
      (["--protocol", "sirf"], 64), (["--seed", "-1"], 64), (["--output", "x", "--truth", "x"], 64),
      (["--output", "/nowhere/x"], 73),
    ] as [([String], Int32)]) func badUsageIsReported(arguments: [String], status: Int32) throws
  {
    let scene = try Scene()
    let run = try ProgramRun(["simulate", scene.track()] + arguments)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: ["", "<gpx/>", "<gpx><trk><trkseg/></trk></gpx>", "no XML", "<kml/>"])
  func invalidTrackIsReported(text: String) throws {
    let scene = try Scene()
    let path = scene.path("bad.gpx")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let run = try ProgramRun(["simulate", path])
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
    #expect(try ProgramRun(["simulate", path + "x"]).status == 65)
  }
}
