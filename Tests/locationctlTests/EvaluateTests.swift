import Foundation
import TestSupport
import Testing

@Suite struct EvaluateTests {
  /// Files in a temporary folder.
  private struct Files: ~Copyable {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String, _ text: String) throws -> String {
      let path = folder.appendingPathComponent(name).path
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return path
    }
  }

  private func object(_ run: ProgramRun) throws -> [String: Any] {
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  /// A table of three fixes on the equator, 1, 2 and 3 m east of the truth: a degree there is 111,319.49 m.
  private func table(_ time: (Int) -> String) -> String {
    let rows = (1...3).map { "\(time($0)),0,\(Double($0) / 111_319.490_793),2,,,0,0" }
    return "t,lat,lon,hacc,speed,course,true_lat,true_lon\n" + rows.joined(separator: "\n") + "\n"
  }

  @Test func figuresByHand() throws {
    let files = try Files()
    let result = try object(ProgramRun(["evaluate", files.file("log.csv", table { "\($0)" })]))
    #expect(result["n"] as? Int == 3)
    let raw = try #require(result["raw"] as? [String: Any])
    #expect(raw["p50"] as? Double == 2)
    #expect(raw["p68"] as? Double == 2.36)
    #expect(raw["p95"] as? Double == 2.9)
    #expect(raw["max"] as? Double == 3)
    #expect(raw["rms"] as? Double == 2.16)
    // The receiver's hAcc of 2 m corresponds to a 68 % radius of 2.14 m.
    #expect(raw["inside50"] as? Double == 0.3333)
    #expect(raw["inside68"] as? Double == 0.6667)
    #expect(raw["inside95"] as? Double == 1)
    #expect(result["beyond3"] as? Double == 0)
    #expect((result["causal"] as? [String: Any])?["latency"] as? Double == 0)
  }

  /// Ten minutes of fixes 1 m off at a radius of 2.14 m, with an excursion to 100 m from the second 200 to 209: 10 of 600 fixes are
  /// outside, and the answer returns with the receiver.
  @Test func intervalsAndRecovery() throws {
    let files = try Files()
    let rows = (0..<600).map { second in
      let east = (200..<210).contains(second) ? 100.0 : 1
      return "\(second),0,\(east / 111_319.490_793),2,0.5,90,0,0"
    }
    let log = try files.file(
      "log.csv", "t,lat,lon,hacc,speed,course,true_lat,true_lon\n" + rows.joined(separator: "\n") + "\n")
    let result = try object(ProgramRun(["evaluate", log]))
    let inside = try #require(result["inside68Interval"] as? [Double])
    let beyond = try #require(result["beyond3Interval"] as? [Double])
    let share = try #require(result["inside68"] as? Double)
    #expect(inside.count == 2 && inside[0] <= share && share <= inside[1] && inside[1] <= 1 && inside[0] > 0.9)
    #expect(beyond.count == 2 && beyond[0] >= 0 && beyond[0] < beyond[1] && beyond[1] < 0.1)
    let recovery = try #require(result["recovery"] as? [String: Any])
    #expect(recovery["n"] as? Int == 1)
    #expect(try #require(recovery["max"] as? Double) <= 2)
    let text = try ProgramRun(["evaluate", log, "--text"])
    #expect(text.output.contains("95 % intervals") && text.output.contains("After 1 excursion of the receiver"))
  }

  /// Three fixes are too few for intervals, and their receiver was never away.
  @Test func shortLogsHaveNeither() throws {
    let files = try Files()
    let result = try object(ProgramRun(["evaluate", files.file("log.csv", table { "\($0)" })]))
    #expect(result["inside68Interval"] == nil && result["beyond3Interval"] == nil && result["recovery"] == nil)
  }

  @Test func aTruthBesideTheLogWins() throws {
    let files = try Files()
    let log = try files.file("log.csv", table { "\($0)" })
    let truth = try files.file("truth.csv", "lon,lat,t\r\n0,0.001,1\r\n0,0.001,2\r\n")
    let result = try object(ProgramRun(["evaluate", log, "--truth", truth, "--json"]))
    #expect(result["n"] as? Int == 2)
    #expect(result["withoutTruth"] as? Int == 1)
    // A thousandth of a degree along the meridian is 110.574 m.
    let raw = try #require(result["raw"] as? [String: Any])
    #expect(abs((raw["p50"] as? Double ?? 0) - 110.58) < 0.02)
  }

  @Test(arguments: [
    ("t,lat,lon\n1,2,3\n", nil, 64, "--truth"), ("t,lat,lon\n", nil, 65, "no fix"),
    ("t,lat,lon\n1,2,x\n", nil, 65, "line 2"), ("", nil, 65, "empty"), ("hello\n", nil, 65, "no column t"),
    ("t,lat,lon\n1,2,3\n", "t,lat,lon\n50,2,3\n", 65, "do not overlap in time"),
    ("t,lat,lon\n1,2,3\n", "t,lat\n50,2\n", 65, "no column lon"),
    ("t,lat,lon\n1,2,3\n", "t,lat,lon\n", 65, "no position"),
    ("t,lat,lon\n1,2,3\n", "$GPRMC,000000.00,V,,,,,,,,,,N*7D\r\n", 65, "no GGA"),
  ]) func whatCannotBeComparedIsReported(log: String, truth: String?, status: Int32, words: String) throws {
    let files = try Files()
    var arguments = ["evaluate", try files.file("log.csv", log)]
    if let truth { arguments += ["--truth", try files.file("truth.csv", truth)] }
    let run = try ProgramRun(arguments)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
  }

  /// The recorded drive, from the receiver's own sentences, compared with the inertial system in the same car.
  @Test(.enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)")) func recordedDrive() throws {
    let truth = try #require(RecordedDrive.folder) + "/gnss/MTV.Local1.SPAN.20200206-181434.gga"
    let result = try object(ProgramRun(["evaluate", RecordedDrive.logPath, "--truth", truth]))
    let raw = try #require(result["raw"] as? [String: Any])
    #expect(raw["p50"] as? Double == 0.491)
    #expect(raw["p95"] as? Double == 0.83)
    #expect(raw["rms"] as? Double == 0.534)
    #expect((result["n"] as? Int ?? 0) >= 1627)
  }

  /// The joined tables; the expected figures come from an independent computation on the ellipsoid.
  @Test(
    .enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"),
    arguments: [
      ("mtv_f9k_rtk", 1627, 0.491, 0.83, 0.534), ("nagoya_gtsam_spp", 1107, 1.902, 13.94, 9.839),
      ("comma2k19_ublox_live", 579, 1.434, 1.869, 1.474),
    ]) func joinedTables(name: String, count: Int, p50: Double, p95: Double, rms: Double) throws
  {
    let path = try #require(RecordedDrive.folder) + "/gnss/\(name).csv"
    let result = try object(ProgramRun(["evaluate", path]))
    let raw = try #require(result["raw"] as? [String: Any])
    #expect(raw["n"] as? Int == count)
    #expect(raw["p50"] as? Double == p50)
    #expect(raw["p95"] as? Double == p95)
    #expect(raw["rms"] as? Double == rms)
  }
}
