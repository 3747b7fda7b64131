import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// Trips and privacy zones of a recorded log, with the real command line, in Berlin.
@Suite struct TripsTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  /// A fix on the equator: longitude in degrees, seconds after the beginning, meters per second.
  private struct Point {
    var longitude: Double
    var seconds: Int
    var speed: Double

    init(_ longitude: Double, _ seconds: Int, _ speed: Double) {
      (self.longitude, self.seconds, self.speed) = (longitude, seconds, speed)
    }
  }

  private func record(_ points: [Point], from first: Int64 = 1_772_368_496) throws {
    let state = place.folder.appendingPathComponent("state").path
    let index = try LogIndex(stateFolder: state)
    let begin = GNSSTime(nanosecondsSince1970: first * 1_000_000_000)
    let log = try index.start("default", LogConfiguration(), at: begin)
    _ = try index.stop("default", at: begin)
    var settings = TrackWriter.Settings(log: "default", bootID: nil, retention: .megabytes(1000))
    settings.freeShare = 0
    var writer = try TrackWriter(folder: index.folder(of: log), settings)
    try writer.append(.interruption(.started))
    for point in points {
      var fix = LoggedDrive.fix(0)
      fix.time = begin + .seconds(point.seconds)
      fix.receivedAt = Instant(nanoseconds: Int64(point.seconds) * 1_000_000_000)
      fix.speedMetersPerSecond = point.speed
      fix.coordinate = Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: point.longitude))
      try writer.append(.fix(fix))
    }
    try writer.close()
  }

  /// Two drives with a stay of an hour between them, of which only the ends are recorded: 11 km, then 5.6 km back.
  private var twoDrives: [Point] {
    var points: [Point] = []
    for step in 0...100 { points.append(Point(10 + 0.001 * Double(step), 10 * step, 11.13)) }
    points.append(Point(10.1, 1010, 0))
    points.append(Point(10.1, 4600, 0))
    for step in 1...50 { points.append(Point(10.1 - 0.001 * Double(step), 4600 + 10 * step, 11.13)) }
    return points
  }

  private func run(_ arguments: String...) throws -> CommandRun.Result {
    try CommandRun(arguments, at: place, environment: ["TZ": "Europe/Berlin"]).finish()
  }

  /// As in the commands of logs, the name of the log can be an argument.
  @Test func theNameOfALogIsAnArgumentOrAnOption() throws {
    try record(twoDrives)
    let list = try run("trips", "list")
    #expect(list.objects.count == 2)
    for arguments in [["trips", "default"], ["trips", "list", "default"], ["trips", "list", "--log", "default"]] {
      #expect(try CommandRun(arguments, at: place).finish().text == list.text, "\(arguments)")
    }
    let missing = try run("trips", "list", "walk")
    #expect(missing.status == 69 && missing.errors.contains("'walk'"), "\(missing.errors)")
    let twice = try run("trips", "list", "walk", "--log", "ride")
    #expect(twice.status == 64 && twice.errors.contains("Name the log only once."), "\(twice.errors)")
  }

  @Test func tripsAreListedShownAndExported() throws {
    try record(twoDrives)
    let list = try run("trips", "list")
    let trips = list.objects
    try #require(trips.count == 2, "\(list.text) \(list.errors)")
    #expect(trips.map { $0["number"] as? Int } == [1, 2])
    let distances = trips.compactMap { $0["distance"] as? Double }
    #expect((distances[0] - 11_131.9).magnitude < 120 && (distances[1] - 5566).magnitude < 120)
    #expect((trips[0]["begin"] as? String)?.hasPrefix("2026-03-01T12:34:56") == true)
    // Never below the mean speed, which is that of the positions here.
    let mean = try #require(trips[1]["meanSpeed"] as? Double)
    #expect((trips[1]["maximumSpeed"] as? Double) == max(11.13, mean) && mean < 11.2)
    // The default subcommand, as a mileage log.
    let csv = try run("trips", "--format", "csv").text.components(separatedBy: "\r\n")
    #expect(csv.count == 4 && csv[0].hasPrefix("number,begin,end,duration,distance,") && csv[2].hasPrefix("2,"))
    let text = try run("trips", "list", "--format", "text").text
    #expect(try run("trips", "list", "-t", "--color", "never").text == text)
    #expect(try run("trips", "-j").text == list.text)
    let both = try run("trips", "list", "--json", "--format", "csv")
    #expect(both.status == 64 && both.errors.contains("Use only one of --format, --json and --text"), "\(both.errors)")
    #expect(text.contains("1  2026-03-01 13:34  "), "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })

    let shown = try #require(try run("trips", "show", "2").objects.first)
    #expect(NSDictionary(dictionary: shown) == NSDictionary(dictionary: trips[1]))
    #expect(try run("trips", "show", "2", "--text").text.contains("Trip      2\nBegin     2026-03-01 14:5"))
    let missing = try run("trips", "show", "3")
    #expect(missing.status == 69 && missing.errors.contains("There is no trip 3"))

    let path = place.folder.appendingPathComponent("trip.csv").path
    #expect(try run("trips", "export", "1", "-o", path).status == 0)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
    #expect(lines.count - 1 == trips[0]["fixes"] as? Int)
    #expect(try run("trips", "export", "1", "-o", path).status == 73)
    #expect(try run("trips", "export", "2", "-o", path, "--force").status == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).count < lines.count)
    // Another period has other numbers.
    #expect(try run("trips", "list", "--from", "2026-03-01T14:00").objects.count == 1)
    let none = try run("trips", "list", "--from", "2030-01-01")
    #expect(none.status == 0 && none.text.isEmpty && none.errors.contains("There are no trips in that period"))
    #expect(try run("trips", "list", "--log", "none").status == 69)
  }

  @Test func aHiddenPlaceIsInNoOutput() throws {
    try record(twoDrives)
    let zone = ["--hide", "0,10.1,1000"]
    for arguments in [["log", "export", "--format", "csv"], ["trips", "export", "1", "--format", "csv"]] {
      let run = try CommandRun(arguments + zone, at: place, environment: ["TZ": "Europe/Berlin"]).finish()
      let rows = run.text.split(whereSeparator: \.isNewline).dropFirst()
      #expect(rows.count > 40, "\(run.errors)")
      // A degree is 111,319.49 m: the border is at 10.1 − 0.0089831.
      let longitudes = rows.compactMap { Double($0.split(separator: ",")[2]) }
      #expect(longitudes.count == rows.count && longitudes.allSatisfy { $0 < 10.0910170 })
      #expect(longitudes.contains { ($0 - 10.0910168).magnitude < 1e-6 }, "the track ends on the border")
    }
    let trips = try CommandRun(["trips", "list"] + zone, at: place).finish().objects
    #expect(trips.count == 2)
    let summary = try CommandRun(["log", "show"] + zone, at: place).finish().objects.first
    #expect((summary?["east"] as? Double ?? 11) < 10.0910170)
    // Files by day, and a zone that hides all.
    let folder = place.folder.appendingPathComponent("days")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let daily = try CommandRun(
      ["log", "export", "--daily", folder.path + "/%Y-%m-%d.csv"] + zone, at: place,
      environment: ["TZ": "Europe/Berlin"]
    ).finish()
    #expect(daily.status == 0, "\(daily.errors)")
    let file = try String(contentsOf: folder.appendingPathComponent("2026-03-01.csv"), encoding: .utf8)
    #expect(
      file.split(whereSeparator: \.isNewline).dropFirst().allSatisfy {
        (Double($0.split(separator: ",")[2]) ?? 99) < 10.0910170
      })
    for wrong in ["0,10,-5", "91,10,5", "0,10,0"] {
      let refused = try run("log", "export", "--hide", wrong)
      #expect(refused.status == 64 && refused.errors.contains("is not a circle"), "\(refused.errors)")
    }
  }

  /// The 26th of October 2025 has 25 hours, the 29th of March 2026 has 23.
  @Test(arguments: [("2025-10-26", Int64(1_761_343_200), 25), ("2026-03-29", Int64(1_774_652_400), 23)])
  func dailyFilesNameTheirZone(day: String, first: Int64, hours: Int) throws {
    try record((0..<72).map { Point(10 + 0.01 * Double($0), 3600 * $0, 1) }, from: first)
    let folder = place.folder.appendingPathComponent("days")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let run = try CommandRun(
      ["log", "export", "--daily", folder.path + "/%Y-%m-%d.gpx"], at: place, environment: ["TZ": "Europe/Berlin"]
    ).finish()
    #expect(run.status == 0)
    let path = folder.appendingPathComponent("\(day).gpx")
    let text = try String(contentsOf: path, encoding: .utf8)
    #expect(text.components(separatedBy: "<trkpt ").count - 1 == hours)
    #expect(text.contains("<name>default \(day) (\(hours == 25 ? "CEST" : "CET"))</name>"))
  }
}
