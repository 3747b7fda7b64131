import Foundation
import Geodesy
import LocationReplay
import Testing

/// `locationctl replay` as a whole program, on generated logs.
@Suite struct ReplayedLogTests {
  private func withLog<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).log")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
  }

  private func sentence(_ content: String) -> [UInt8] {
    Array("$\(content)*\(String(format: "%02X", content.utf8.reduce(0 as UInt8, ^)))\r\n".utf8)
  }

  /// An epoch of two sentences, `second` seconds after noon.
  private func epoch(_ second: Int, latitudeMinutes: Double, knots: Double = 0) -> [UInt8] {
    let time = String(format: "12%02d%02d.00", second / 60, second % 60)
    let position = String(format: "48%08.5f,N,01130.00000,E", latitudeMinutes)
    return sentence("GPRMC,\(time),A,\(position),\(knots),,010326,,,A")
      + sentence("GPGGA,\(time),\(position),1,08,1.0,500.0,M,46.0,M,,")
  }

  /// One walk as recorded by two receivers of different makes: the first one for some seconds, then the second one.
  private func restartedReceiver(
    _ first: Dialect, seconds: Int, then second: Dialect, upTo end: Int
  ) throws -> [UInt8] {
    let start = GNSSTime(nanosecondsSince1970: 1_772_366_400_000_000_000)
    let points = (0..<end).map { second in
      RoutePoint(
        time: start + .seconds(second),
        position: SimulatedPosition(latitude: 48.1 + Double(second) * 1e-5, longitude: 11.5, height: 500))
    }
    var log: [UInt8] = []
    for (dialect, range) in [(first, 0..<seconds), (second, seconds..<end)] {
      let route = try #require(SimulatedRoute(segments: [Array(points[range])]))
      var simulation = RouteSimulation(route, dialect: dialect, rateHertz: 1)
      while let epoch = simulation.next() { log += epoch.bytes }
    }
    return log
  }

  /// Steps of 1.8 km per second with a matching speed: `--raw` contains what the receiver reported, even if the service
  /// does not believe it.
  @Test func rawIsWhatTheReceiverSaidAlsoAcrossJumps() throws {
    let log = (0..<60).flatMap { second in
      let isAway = (20..<40).contains(second)
      return epoch(second, latitudeMinutes: isAway ? Double(second) - 19 : 0, knots: isAway ? 1300 : 0)
    }
    try withLog(log) { path in
      let run = try ProgramRun(["replay", "--raw", path, "--template", "%{timestamp} %{suspect}"])
      #expect(run.status == 0 && run.errors == "")
      let lines = run.output.split(separator: "\n")
      #expect(lines.count == 60)
      #expect(lines.contains { $0.hasSuffix("implausible") })
    }
  }

  /// A receiver is restarted with another protocol, such as UBX first and NMEA sentences afterwards.
  @Test(arguments: [(Dialect.ublox9, Dialect.nmea411), (.mixed, .nmea23), (.nmea23, .ublox8)])
  func noFixIsMissingWhereOneProtocolFollowsAnother(first: Dialect, second: Dialect) throws {
    try withLog(try restartedReceiver(first, seconds: 20, then: second, upTo: 60)) { path in
      let run = try ProgramRun(["replay", "--raw", path, "--template", "%{timestamp}"])
      #expect(run.status == 0 && run.errors == "")
      #expect(Set(run.output.split(separator: "\n")).count == 60)
    }
  }

  @Test func geoJSONIsOneDocumentThatGPSBabelReads() throws {
    let seconds = Array(0..<10) + Array(30..<40)
    let log = seconds.flatMap { epoch($0, latitudeMinutes: Double($0) / 1000) }
    try withLog(log) { path in
      let run = try ProgramRun(["replay", path, "--format", "geojson"])
      let collection = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let features = try #require(collection["features"] as? [[String: Any]])
      #expect(features.count { $0["geometry"] is [String: Any] } == 20)
      try withLog(Array(run.output.utf8)) { document in
        let babel = try ProgramRun(
          ["gpsbabel", "-i", "geojson", "-f", document, "-o", "csv", "-F", "-"], of: "/usr/bin/env")
        #expect(babel.status == 0, "\(babel.errors)")
        #expect(babel.output.split(separator: "\n").count == 20)
      }
    }
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ogrinfo"),
      "needs ogrinfo (gdal-bin): 'make peers' installs it"))
  func geoJSONIsOneLayerForGDAL() throws {
    try withLog((0..<20).flatMap { epoch($0, latitudeMinutes: Double($0) / 1000) }) { path in
      let run = try ProgramRun(["replay", path, "--format", "geojson"])
      try withLog(Array(run.output.utf8)) { document in
        let info = try ProgramRun(["-al", "-ro", document], of: "/usr/bin/ogrinfo")
        #expect(info.status == 0 && info.errors == "", "\(info.errors)")
        #expect(info.output.contains("Feature Count: 20"), "\(info.output.prefix(500))")
        #expect(info.output.components(separatedBy: "horizontalAccuracy (Real) = ").count == 21)
        #expect(info.output.components(separatedBy: "POINT Z (11.5 48").count == 21)
      }
    }
  }

  /// The document is closed however the stream ends.
  @Test func aSignalClosesTheDocument() throws {
    let run = try ProgramRun(
      [
        "--preserve-status", "--signal=TERM", "2", ProgramRun.locationctl, "watch", "--source", "simulator", "--format",
        "geojson",
      ],
      of: "/usr/bin/timeout")
    #expect(run.status == 143)
    let collection = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect((collection["features"] as? [Any])?.isEmpty == false)
  }
}
