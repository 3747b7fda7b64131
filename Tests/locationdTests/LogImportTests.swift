import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// `log import`, with the real command line, with the real daemon and without one.
@Suite(.serialized) struct LogImportTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  private func write(_ text: String, _ name: String) throws -> String {
    let path = place.folder.appendingPathComponent(name).path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// A walk with a point each 10 s, from 2024-05-01T08:00:00Z on.
  private func walk(_ points: Range<Int>) -> String {
    let start = 1_714_550_400
    let lines = points.map { index in
      let time = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(start + index * 10)))
      let latitude = String(format: "%.7f", 47 + Double(index) * 1e-4)
      return "<trkpt lat=\"\(latitude)\" lon=\"8.5\"><ele>\(400 + index % 10)</ele><time>\(time)</time></trkpt>"
    }
    return "<gpx version=\"1.1\"><trk><trkseg>\n\(lines.joined(separator: "\n"))\n</trkseg></trk></gpx>"
  }

  private func rows(_ log: String) throws -> [[String]] {
    try run("log", "export", log, "--format", "csv").text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private func count(_ log: String) throws -> Int { max(0, try rows(log).count - 1) }

  private func ends(_ daemon: RunningDaemon) {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  // MARK: Once, and again

  @Test func aFileIsImportedOnce() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    try importOnce()
    ends(daemon)
  }

  /// The state folder belongs to the caller.
  @Test func aFileIsImportedOnceWithoutADaemon() throws { try importOnce() }

  private func importOnce() throws {
    let file = try write(walk(0..<1500), "walk.gpx")
    let first = try CommandRun(["log", "import", "walks", file], at: place, environment: ["TZ": "Europe/Zurich"])
      .finish()
    #expect(first.status == 0 && first.text.isEmpty, "\(first.errors)")
    #expect(
      first.errors.contains(
        "1500 points imported into log walks, from 2024-05-01 10:00:00 CEST to 2024-05-01 14:09:50 CEST; 0 were already there."
      ),
      "\(first.errors)")
    let log = try #require(try run("log", "list", "--json").objects.first)
    #expect(log["name"] as? String == "walks" && log["state"] as? String == "stopped")
    #expect(
      log["begin"] as? String == "2024-05-01T08:00:00.000Z" && log["end"] as? String == "2024-05-01T12:09:50.000Z")
    let table = try rows("walks")
    #expect(table.count == 1501)
    let header = try #require(table.first)
    for key in ["horizontalAccuracy", "fix", "device"] {
      let column = try #require(header.firstIndex(of: key))
      #expect(table[1][column] == "", "\(key)")
    }
    #expect(table[1].last == "true" && header.last == "imported")
    #expect(table[1][try #require(header.firstIndex(of: "altitude"))] == "400.00")

    // Again, under another name, and a file that overlaps.
    let other = try write(walk(0..<1500), "other-name.gpx")
    let again = try run("log", "import", "walks", file, other)
    #expect(
      again.status == 0 && again.errors.contains("0 points imported")
        && again.errors.contains("3000 were already there"))
    let more = try run("log", "import", "walks", try write(walk(1400..<1600), "more.gpx"))
    #expect(
      more.errors.contains("100 points imported") && more.errors.contains("100 were already there"), "\(more.errors)")
    #expect(try count("walks") == 1600)
    // The list has the same figures as the track.
    let sum = try #require(try run("log", "show", "walks", "--json").objects.first)
    let listed = try #require(try run("log", "list", "--json").objects.first)
    #expect(listed["points"] as? Int == 1600)
    let distances = (try #require(listed["distance"] as? Double), try #require(sum["distance"] as? Double))
    #expect(distances.1 > 17_000 && (distances.0 - distances.1).magnitude < 1, "\(distances)")
    let shown = try #require(try run("log", "show", "walks", "--json").objects.first)
    #expect(shown["fixes"] as? Int == 1600 && shown["segments"] as? Int == 1)
    // Every format can be imported into another log, which then has the same points.
    for format in ["gpx", "kml", "geojson", "csv", "nmea"] {
      let path = place.folder.appendingPathComponent("walks.\(format)").path
      #expect(try run("log", "export", "walks", "-o", path).status == 0)
      let round = try run("log", "import", "from-\(format)", path)
      #expect(round.status == 0 && round.errors.contains("1600 points imported"), "\(format): \(round.errors)")
      let same = try run("log", "import", "walks", path)
      #expect(same.errors.contains("0 points imported"), "\(format): \(same.errors)")
    }
    #expect(try count("walks") == 1600)
  }

  // MARK: A recorded log

  /// The past is imported into a log that is being recorded. Neither the last fix nor a region changes.
  @Test func aRecordedLogTakesThePast() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "--standing").status == 0)
    _ = try run("watch", "--count", "3")
    let last = try #require(try run("fix", "--last").objects.first?["latitude"] as? Double)
    let imported = try run("log", "import", "default", try write(walk(0..<100), "walk.gpx"))
    #expect(imported.status == 0 && imported.errors.contains("100 points imported"), "\(imported.errors)")
    let table = try rows("default")
    let marks = table.dropFirst().map { $0.last }
    #expect(marks.prefix(100).allSatisfy { $0 == "true" } && marks.dropFirst(100).allSatisfy { $0 == "" })
    #expect(marks.count > 100)
    // The recording is not connected to the walk of years ago.
    #expect(try #require(try run("log", "show").objects.first)["segments"] as? Int == 2)
    let now = try #require(try run("fix", "--last").objects.first?["latitude"] as? Double)
    #expect((now - last).magnitude < 1 && (now - 47.005).magnitude > 0.001 || now != 47.0099)
    #expect(try #require(try run("log", "list").objects.first)["state"] as? String == "recording")
    #expect(try run("log", "remove", "default", "--force").status == 0)
    #expect(try run("log", "list").objects.isEmpty)
    ends(daemon)
  }

  // MARK: Several clients

  private func begin(_ client: RawClient, _ log: String) throws -> ServiceEvent? {
    client.send(.request(.log(RequestID(1), .addImported(name: log, [.fix(LoggedDrive.fix(0))]))))
    return try client.nextEvent()
  }

  /// The daemon's own user has four imports, until one of their clients goes.
  @Test func anImportEndsWithItsClient() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    var first: RawClient? = try RawClient.greeted(place, name: "first")
    let second = try RawClient.greeted(place, name: "second")
    let third = try RawClient.greeted(place, name: "third")
    for client in [try #require(first), second] {
      for log in ["a", "b"] {
        guard case .log(_, .imported)? = try begin(client, log) else { throw RawClient.NoAnswer() }
      }
    }
    let refusal = ServiceEvent.failed(RequestID(1), .log(.tooManyImports(limit: 4)))
    #expect(try begin(third, "c") == refusal)
    first = nil
    // The daemon may read the request before it notices that the other client is gone.
    var answer = try begin(third, "c")
    for _ in 0..<10_000 where answer == refusal { answer = try begin(third, "c") }
    guard case .log(_, .imported)? = answer else { throw RawClient.NoAnswer() }
    ends(daemon)
  }

  @Test func photographsAndPeriodsUseImportedPoints() throws {
    let file = try write(walk(0..<100), "walk.gpx")
    #expect(try run("log", "import", "walks", file).status == 0)
    let part = try run(
      "log", "export", "walks", "--format", "csv", "--from", "2024-05-01T08:01:00Z", "--to", "2024-05-01T08:02:00Z")
    #expect(part.text.split(whereSeparator: \.isNewline).count == 1 + 7)
    let stats = try run("log", "stats", "walks", "--json").objects
    #expect(stats.count == 1 && stats.first?["fixes"] as? Int == 100)
  }

  @Test func anEncryptedLogIsRefused() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    let key = try run("log", "keygen", place.folder.appendingPathComponent("key").path)
    #expect(
      try run("log", "start", "secret", "--seal", key.text.trimmingCharacters(in: .whitespacesAndNewlines)).status == 0)
    let refused = try run("log", "import", "secret", try write(walk(0..<10), "walk.gpx"))
    #expect(refused.status == 77 && refused.errors.contains("encrypted"), "\(refused.errors)")
    ends(daemon)
  }

  // MARK: Visits

  @Test func visitsOfATimelineAreListedOnce() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    let visits = (1...700).map { day in
      let date = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(1_600_000_000 + day * 86_400)))
      let end = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(1_600_003_600 + day * 86_400)))
      return
        #"{"startTime":"\#(date)","endTime":"\#(end)","visit":{"hierarchyLevel":"0","topCandidate":{"placeLocation":"geo:47.1,8.2"}}}"#
    }
    let file = try write("[\(visits.joined(separator: ","))]", "location-history.json")
    let first = try run("log", "import", "timeline", file)
    #expect(first.status == 0 && first.errors.contains("700 visits imported; 0 were already there."), "\(first.errors)")
    let again = try run("log", "import", "timeline", file)
    #expect(again.errors.contains("0 visits imported; 700 were already there."), "\(again.errors)")
    let listed = try run("visits", "list").objects
    #expect(listed.count == 700)
    #expect(listed.allSatisfy { $0["imported"] as? Bool == true && $0["horizontalAccuracy"] == nil })
    let arrivals = listed.compactMap { $0["arrival"] as? String }
    #expect(arrivals == arrivals.sorted() && arrivals.count == 700)
    let text = try run("visits", "list", "--text")
    #expect(
      text.text.split(separator: "\n").dropFirst().first?.hasSuffix("47.10000, 8.20000, imported") == true,
      "\(text.text.prefix(200))")
    ends(daemon)
    // A visit that this machine has detected.
    do {
      let store = try MonitoringStore(stateFolder: place.folder.appendingPathComponent("state/monitoring").path)
      let list = try store.id(of: MonitoringList(ClientIdentity(userID: getuid()), name: "locationctl"), making: true)
      let time = GNSSTime(nanosecondsSince1970: 1_700_000_000_000_000_000)
      try store.keep(
        Visit(
          coordinate: LoggedDrive.fix(0).coordinate, horizontalRadius68: Meters(20), arrival: time,
          departure: time + .seconds(600)),
        of: try #require(list))
    }
    // They survive.
    let second = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    #expect(try run("visits", "list", "--from", "2022-08-01Z").objects.count < 700)
    #expect(try run("visits", "list").objects.count == 701)
    let refused = try run("visits", "remove", "--imported")
    #expect(refused.status == 64 && refused.errors.contains("add --force to delete all imported visits"))
    #expect(try run("visits", "list").objects.count == 701)
    // The visit of day N begins at 2020-09-13T12:26:40Z and N days, and lasts an hour.
    let period = ["--from", "2020-09-14T13:26:41Z", "--to", "2020-09-17T12:26:39Z"]
    #expect(try CommandRun(["visits", "remove", "--imported", "--force"] + period, at: place).finish().status == 0)
    let left = try run("visits", "list").objects.compactMap { $0["arrival"] as? String }
    #expect(left.count == 699 && left.first == "2020-09-14T12:26:40.000Z" && left[1] == "2020-09-17T12:26:40.000Z")
    #expect(try run("visits", "remove", "--imported", "--force").status == 0)
    #expect(try run("visits", "list").objects.compactMap { $0["arrival"] as? String } == ["2023-11-14T22:13:20.000Z"])
    #expect(try run("visits", "remove", "--force").status == 0)
    #expect(try run("visits", "list").objects.isEmpty)
    ends(second)
  }

  // MARK: Failures

  @Test func aBadFileLeavesNothingBehind() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    let good = try write(walk(0..<10), "good.gpx")
    let files = [
      ("cut.gpx", String(walk(0..<1000).dropLast(100)), "line 1001 is not valid XML"),
      ("lines.gpx", walk(0..<5).split(separator: "\n").dropLast().joined(separator: "\n"), "incomplete"),
      ("text.txt", "hello\nworld\n", "its format is not known"),
      ("page.html", "<html></html>", "its root element is html"),
      ("route.gpx", "<gpx><rte><rtept lat=\"1\" lon=\"2\"/></rte></gpx>", "no times"),
      (
        "line.kml", "<kml><Placemark><LineString><coordinates>8,47 8,48</coordinates></LineString></Placemark></kml>",
        "no times"
      ),
      ("settings.json", "{\"createdTime\":\"x\"}", "neither GeoJSON nor a Google Timeline"),
      ("archive.zip", "PK\u{3}\u{4}....", "compressed"),
      ("\u{1B}[2J.gpx", "<gpx", "line 1 is not valid XML"),
    ]
    for (name, content, reason) in files {
      let result = try run("log", "import", "walks", good, try write(content, name))
      #expect(result.status == 65, "\(name)")
      #expect(result.errors.contains(reason) && result.errors.contains("nothing has changed"), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1 && !result.errors.contains("\u{1B}"), "\(result.errors)")
    }
    #expect(try run("log", "import", "walks", good, "/nonexistent").status == 65)
    #expect(try run("log", "import", "walks", good, "--format", "kml").status == 65)
    #expect(try run("log", "list").objects.isEmpty)
    let partial = try write(
      walk(0..<3).replacingOccurrences(
        of: "</trkseg>", with: "<trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"99\" lon=\"2\"/></trkseg>"), "p.gpx")
    let result = try run("log", "import", "walks", partial)
    #expect(result.status == 0 && result.errors.contains("3 points imported"))
    #expect(result.errors.contains("2 left out: 1 without a time, 1 without a valid position."), "\(result.errors)")
    ends(daemon)
  }

  /// The daemon is killed at several times during an import. Nothing that was there is lost, and a repeated import completes it.
  @Test func aKilledDaemonLosesNothingAndRepeatsNothing() throws {
    let (days, points) = (100, 60)
    let lines = (0..<days * points).map { index in
      let seconds = 1_600_000_000 + index / points * 86_400 + index % points
      let time = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(seconds)))
      return "<trkpt lat=\"47.\(String(format: "%06d", index))\" lon=\"8.5\"><time>\(time)</time></trkpt>"
    }
    let file = try write("<gpx><trk><trkseg>\(lines.joined())</trkseg></trk></gpx>", "long.gpx")
    var random = SplitMix64(seed: UInt64(getpid()))
    var before = 0
    for _ in 0..<4 {
      let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
      let command = try CommandRun(["log", "import", "long", file], at: place)
      try awaitDays(more: Int.random(in: 0...40, using: &random), of: days)
      daemon.send(SIGKILL)
      _ = daemon.end()
      _ = command.finish()
      // Without a daemon, the command reads the folder itself.
      let found = try rows("long").dropFirst()
      let times = found.map { $0[0] }
      #expect(times.count >= before && Set(times).count == times.count)
      #expect(times == times.sorted())
      before = times.count
    }
    // The next daemon deletes incomplete files; a day that is complete stays.
    let imported = place.folder.appendingPathComponent("state/tracks/1/imported").path
    try Data("half".utf8).write(to: URL(fileURLWithPath: imported + "/2031-01-01.track.4711.new"))
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    #expect(try run("log", "list").objects.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: imported).filter { $0.hasSuffix(".new") }.isEmpty)
    let last = try run("log", "import", "long", file)
    #expect(last.status == 0 && last.errors.contains("\(before) were already there"), "\(last.errors)")
    #expect(try count("long") == days * points)
    ends(daemon)
  }

  /// Waits until this many more days are on disk, or the import has ended.
  private func awaitDays(more: Int, of all: Int) throws {
    func days() -> Int {
      let tracks = place.folder.appendingPathComponent("state/tracks").path
      let files = FileManager.default.enumerator(atPath: tracks)?.compactMap { $0 as? String } ?? []
      return files.count { $0.contains("imported/") && $0.hasSuffix(".track") }
    }
    let begin = days()
    for _ in 0..<2000 where days() < min(all, begin + more) { Glibc.poll(nil, 0, 5) }
  }

  @Test func aNameThatNoLogCanHaveIsRefused() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    let bad = try run("log", "import", "", try write(walk(0..<3), "walk.gpx"))
    #expect(bad.status == 64, "\(bad.errors)")
    ends(daemon)
  }
}
