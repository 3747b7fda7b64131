import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// The commands that evaluate a log: figures, and a file for each local day.
@Suite struct LogFiguresTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  /// Records a log with one fix per hour from `first` on (Unix time), each 0.01° further north on one meridian.
  private func record(from first: Int64, hours: Int) throws {
    try record(from: first, hours: Array(0..<hours))
  }

  private func record(from first: Int64, hours: [Int]) throws {
    let state = place.folder.appendingPathComponent("state").path
    let index = try LogIndex(stateFolder: state)
    let begin = GNSSTime(nanosecondsSince1970: first * 1_000_000_000)
    let log = try index.start("trip", LogConfiguration(), at: begin)
    _ = try index.stop("trip", at: begin)
    var settings = TrackWriter.Settings(log: "trip", bootID: nil, retention: .megabytes(1000))
    settings.freeShare = 0
    var writer = try TrackWriter(folder: index.folder(of: log), settings)
    try writer.append(.interruption(.started))
    for hour in hours {
      var fix = LoggedDrive.fix(hour)
      fix.time = begin + .seconds(3600 * hour)
      fix.coordinate = Coordinate(latitude: Angle(degrees: 47 + 0.01 * Double(hour)), longitude: Angle(degrees: 8))
      try writer.append(.fix(fix))
    }
    try writer.close()
  }

  private func run(_ arguments: String...) throws -> CommandRun.Result {
    try CommandRun(arguments, at: place, environment: ["TZ": "Europe/Zurich"]).finish()
  }

  /// A list and a report show the same local time with its zone, and JSON is in UTC, wherever they go.
  @Test func everyTextHasLocalTimes() throws {
    try record(from: 1_774_652_400, hours: 3)
    let list = try run("log", "list", "--text").text
    #expect(list.contains("FROM (CET)") && list.contains("2026-03-28 00:00  2026-03-28 02:00"), "\(list)")
    let show = try run("log", "show", "trip", "--text").text
    #expect(show.contains("From      2026-03-28 00:00:00 CET"), "\(show)")
    for arguments in [["log", "list"], ["log", "show", "trip"]] {
      let run = try CommandRun(arguments + ["--json"], at: place, environment: ["TZ": "Europe/Zurich"]).finish()
      #expect(run.objects.first?["begin"] as? String == "2026-03-27T23:00:00.000Z", "\(run.text)")
    }
  }

  /// 2026-03-28T00:00 to 2026-03-30T23:00 in Zurich, where the 29th has 23 hours.
  @Test func aFileForEachLocalDay() throws {
    try record(from: 1_774_652_400, hours: 71)
    let folder = place.folder.appendingPathComponent("days")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    func lines(_ day: String) throws -> Int {
      try String(contentsOf: folder.appendingPathComponent("\(day).csv"), encoding: .utf8).split(
        whereSeparator: \.isNewline
      )
      .count - 1
    }
    let pattern = folder.path + "/%Y-%m-%d.csv"
    #expect(try run("log", "export", "trip", "--daily", pattern).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "2026-03-28.csv", "2026-03-29.csv", "2026-03-30.csv",
      ])
    #expect(try [lines("2026-03-28"), lines("2026-03-29"), lines("2026-03-30")] == [24, 23, 24])
    // A second run keeps existing files; with --force it replaces them.
    let changed = folder.appendingPathComponent("2026-03-29.csv")
    try Data("mine\n".utf8).write(to: changed)
    #expect(try run("log", "export", "trip", "--daily", pattern).status == 0)
    #expect(try Data(contentsOf: changed) == Data("mine\n".utf8))
    #expect(try run("log", "export", "trip", "--daily", pattern, "--force").status == 0)
    #expect(try lines("2026-03-29") == 23)
  }

  /// The clock goes back over midnight, twice.
  @Test func aClockThatGoesBackLosesNothing() throws {
    try record(from: 1_774_652_400, hours: [22, 23, 24, 25, 23, 24, 26, 22, 27])
    let folder = place.folder.appendingPathComponent("back")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #expect(try run("log", "export", "trip", "--daily", folder.path + "/%Y-%m-%d.csv").status == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files == ["2026-03-28.csv", "2026-03-29.csv"])
    let lines = try files.map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8).split(whereSeparator: \.isNewline)
        .count - 1
    }
    #expect(lines == [4, 5])
  }

  /// Whole days are exported: a part of a day would replace a file that contains the whole day.
  @Test func thePeriodIsOfWholeDays() throws {
    try record(from: 1_774_652_400, hours: 71)
    let folder = place.folder.appendingPathComponent("part")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let pattern = folder.path + "/%Y-%m-%d.csv"
    let period = ["--from", "2026-03-29T12:00", "--to", "2026-03-29T13:00"]
    let run = try CommandRun(
      ["log", "export", "trip", "--daily", pattern] + period, at: place, environment: ["TZ": "Europe/Zurich"]
    ).finish()
    #expect(run.status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["2026-03-29.csv"])
    let text = try String(contentsOf: folder.appendingPathComponent("2026-03-29.csv"), encoding: .utf8)
    #expect(text.split(whereSeparator: \.isNewline).count == 1 + 23)
  }

  @Test func aDayThatHasNotEndedIsLeftOut() throws {
    // A day that contains a time in one hour has not ended, in any zone.
    try record(from: Int64(Date().timeIntervalSince1970) + 3600, hours: 1)
    let folder = place.folder.appendingPathComponent("today")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let run = try CommandRun(
      ["log", "export", "trip", "--daily", folder.path + "/%Y-%m-%d.csv"], at: place,
      environment: ["TZ": "Europe/Zurich"]
    ).finish()
    #expect(run.status == 0 && run.errors.contains("has not ended and was left out"), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: ["days.gpx", "%Y-%m.gpx", "%Y-%m-%d-%H.gpx", "%d.gpx"])
  func aPatternMustNameEachDay(pattern: String) throws {
    let run = try run("log", "export", "trip", "--daily", pattern)
    #expect(run.status == 64 && run.errors.contains("%Y, %m and %d"), "\(run.errors)")
  }

  /// 2025-10-26 has 25 hours in Zurich.
  @Test func statsByDayAndMonth() throws {
    try record(from: 1_761_343_200, hours: 49)
    let days = try run("log", "stats", "trip").objects
    #expect(days.map { $0["period"] as? String } == ["2025-10-25", "2025-10-26"])
    #expect(days.map { $0["fixes"] as? Int } == [24, 25])
    #expect(days.map { $0["zone"] as? String } == ["CEST", "CEST"])
    let months = try run("log", "stats", "trip", "--by", "month").objects
    #expect(months.map { $0["period"] as? String } == ["2025-10"] && months.first?["fixes"] as? Int == 49)
  }

  /// 0.01° of latitude at 47° is 1,111.8 m.
  @Test func showAddsUp() throws {
    try record(from: 1_761_343_200, hours: 3)
    let shown = try #require(try run("log", "show", "trip").objects.first)
    #expect(shown["fixes"] as? Int == 3 && shown["segments"] as? Int == 1)
    #expect((try #require(shown["distance"] as? Double) - 2223.6).magnitude < 0.5)
    #expect(shown["begin"] as? String == "2025-10-24T22:00:00.000Z")
    #expect(shown["south"] as? Double == 47 && shown["north"] as? Double == 47.02)
    let text = try run("log", "show", "trip", "--text").text
    #expect(text.contains("From      2025-10-25 00:00:00 CEST\n") && text.contains("Distance  2.2 km\n"), "\(text)")
    #expect(try run("log", "show", "none").status == 69)
    #expect(
      try run("log", "show", "trip", "--from", "2025-10-25T01:00:00", "--to", "2025-10-25T01:30").objects.first?[
        "fixes"] as? Int == 1)
  }
}
