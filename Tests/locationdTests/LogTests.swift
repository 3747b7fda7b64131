import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// Logs, with the real daemon and the real command line.
@Suite(.serialized) struct LogTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  private func logs() throws -> [[String: Any]] { try run("log", "list").objects }

  /// A drive of this many seconds at 20 m/s, from 12:00:00 UTC on 2026-11-01, as a receiver reported it.
  private func drive(_ seconds: Int) throws -> String {
    let path = place.folder.appendingPathComponent("drive.nmea").path
    let lines = (0..<seconds).map { second in
      let time = String(format: "%02d%02d%02d.00", 12 + second / 3600, second / 60 % 60, second % 60)
      let position = String(format: "47%08.5f,N,00833.90000,E", Double(second) * 0.0108)
      return [
        "GPRMC,\(time),A,\(position),38.9,0.0,011126,,,A", "GPGGA,\(time),\(position),1,08,1.0,400.0,M,47.0,M,,",
      ].map { "$\($0)*\(String(format: "%02X", $0.utf8.reduce(0, ^)))\r\n" }.joined()
    }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Receives the recording to its end; then the log has received it, too.
  private func awaitEnd() throws {
    let client = try RawClient.greeted(place)
    client.send(.request(.startUpdates(RequestID(1), UpdateOptions())))
    while let event = try client.nextEvent() {
      switch event {
      // A client that connects after the end still receives the last fix, and the event that no more fixes come.
      case .failed, .streamChanged(_, .lost): return
      default: continue
      }
    }
    throw RawClient.NoAnswer()
  }

  /// Waits for this many fixes.
  private func awaitUpdates(_ count: Int) throws {
    let client = try RawClient.greeted(place)
    client.send(.request(.startUpdates(RequestID(1), UpdateOptions())))
    for _ in 0..<count { _ = try #require(try client.nextEvent()) }
  }

  private func ends(_ daemon: RunningDaemon) {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  // MARK: -

  @Test func aDriveIsListedAndExportedInEveryFormat() throws {
    let daemon = try RunningDaemon.listening(["--replay", try drive(600)], at: place)
    #expect(try run("log", "start").status == 0)
    try awaitEnd()
    let log = try #require(try logs().first)
    #expect(log["name"] as? String == "default")
    #expect(log["running"] as? Bool == true)
    #expect(log["begin"] as? String == "2026-11-01T12:00:00.000Z")
    #expect(log["end"] as? String == "2026-11-01T12:09:59.000Z")
    #expect(log["problem"] == nil)
    #expect(try run("status", "--json").objects.first?["logs"] is [[String: Any]])

    for format in ["gpx", "kml", "geojson", "csv", "nmea"] {
      let path = place.folder.appendingPathComponent("track.\(format)").path
      let export = try run("log", "export", "--format", format, "-o", path)
      #expect(export.status == 0, "\(export.errors)")
      #expect(try Self.points(format, path) == 600, "\(format)")
      // The existing file is not overwritten, and stays.
      let second = try run("log", "export", "--format", format, "-o", path)
      #expect(second.status == 73 && second.errors.contains("it exists already"))
      #expect(try Self.points(format, path) == 600)
    }
    let part = try run(
      "log", "export", "--format", "csv", "--from", "2026-11-01T12:01:00Z", "--to", "2026-11-01T12:01:59Z")
    #expect(part.text.split(whereSeparator: \.isNewline).count == 1 + 60)
    let none = try run("log", "export", "--format", "csv", "--from", "2026-12-01Z")
    #expect(none.status == 0)
    #expect(none.errors.contains("The log 'default' has no fix in that period: see 'locationctl log list'."))
    // No file that looks like a track.
    let path = place.folder.appendingPathComponent("none.csv").path
    let file = try run("log", "export", "-o", path, "--from", "2026-12-01Z")
    #expect(file.status == 69 && file.errors.contains("has no fix in that period, so no file was written"))
    #expect(!file.errors.contains("Wrote") && !FileManager.default.fileExists(atPath: path), "\(file.errors)")
    ends(daemon)
  }

  /// The number of points that an independent program reads, if it is installed.
  private static func points(_ format: String, _ path: String) throws -> Int {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    switch format {
    case "geojson":
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let features = object?["features"] as? [[String: Any]] ?? []
      return features.reduce(0) { sum, feature in
        let geometry = feature["geometry"] as? [String: Any]
        return sum + ((geometry?["coordinates"] as? [Any])?.count ?? 0)
      }
    case "csv": return text.split(whereSeparator: \.isNewline).count - 1
    default:
      let program = "/usr/bin/gpsbabel"
      guard FileManager.default.isExecutableFile(atPath: program) else {
        let mark = ["gpx": "<trkpt ", "kml": "<gx:coord>", "nmea": "GGA,"][format] ?? ""
        return text.components(separatedBy: mark).count - 1
      }
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["-t", "-i", format, "-f", path, "-o", "gpx", "-F", "-"]
      process.standardOutput = output
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let read = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: read, as: UTF8.self).components(separatedBy: "<trkpt ").count - 1
    }
  }

  /// More fixes than may wait for the disk.
  @Test func aRecordingWaitsForTheDisk() throws {
    let daemon = try RunningDaemon.listening(["--replay", try drive(5000)], at: place)
    #expect(try run("log", "start").status == 0)
    #expect(try run("status", "--json").objects.first?["inUse"] as? Bool == true)
    try awaitEnd()
    #expect(try count("default") == 5000)
    ends(daemon)
  }

  @Test func severalLogsWithTheirOwnConfigurations() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "all", "--standing").status == 0)
    #expect(try run("log", "start", "slow", "--standing", "--interval", "3600", "--keep", "30d").status == 0)
    #expect(
      try run("log", "start", "sharp", "--standing", "--suspect", "--accuracy", "0.001", "--keep", "2GB").status == 0)
    try awaitUpdates(4)
    let logs = try self.logs()
    #expect(logs.map { $0["name"] as? String } == ["all", "sharp", "slow"])
    #expect(logs.map { $0["keepDays"] as? Int } == [nil, nil, 30])
    #expect(logs.map { $0["keepMegabytes"] as? Int } == [nil, 2000, nil])
    let status = try #require(try run("status", "--json").objects.first?["logs"] as? [[String: Any]])
    for shown in [logs, status] {
      #expect(shown.map { $0["standing"] as? Bool } == [true, true, true])
      #expect(shown.map { $0["suspect"] as? Bool } == [false, true, false])
    }
    #expect(try count("all") >= 3)
    #expect(try count("slow") == 1)
    #expect(try count("sharp") == 0)

    // The new options apply from now on: the recorded fixes stay.
    #expect(try run("log", "start", "sharp", "--standing").status == 0)
    try awaitUpdates(3)
    #expect(try count("sharp") >= 2)

    #expect(try run("log", "stop", "all").status == 0)
    let stopped = try count("all")
    try awaitUpdates(3)
    #expect(try count("all") == stopped)
    #expect(try self.logs().first?["running"] as? Bool == false)
    #expect(try run("log", "remove", "all", "--force").status == 0)
    #expect(try self.logs().map { $0["name"] as? String } == ["sharp", "slow"])
    #expect(try run("log", "export", "all").status == 69)
    ends(daemon)
  }

  private func count(_ log: String) throws -> Int {
    try run("log", "export", log, "--format", "csv").text.split(whereSeparator: \.isNewline).count - 1
  }

  @Test func namesOfEveryKind() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    for name in [
      "", "two\nlines", "\u{1B}[31m", String(repeating: "x", count: 65), String(repeating: "y", count: 3000),
      "../x", "../../../etc/passwd", "'; DROP TABLE logs; --", "%s%n", ".", "..", ".hidden", "/", "~", "a b", "€",
      "\"quoted\"", "a/b", "a\u{202E}b",
    ] {
      let start = try run("log", "start", name)
      #expect(start.status == 64, "\(name.debugDescription)")
      #expect(start.errors.contains("cannot be the name of a log"))
      #expect(!start.errors.contains("\u{1B}"))
    }
    let names = [
      "ünïcødé", "散歩", "2026-03-01", "v1.2_b", "_x", "a..b", String(repeating: "z", count: 64),
    ]
    for name in names { #expect(try run("log", "start", name).status == 0, "\(name)") }
    #expect(Set(try logs().compactMap { $0["name"] as? String }) == Set(names))
    // The names of the logs' folders are numbers.
    let tracks = place.folder.appendingPathComponent("state/tracks").path
    let folders = try FileManager.default.contentsOfDirectory(atPath: tracks)
    #expect(folders.allSatisfy { Int($0) != nil } && folders.count == names.count)
    let rename = try CommandRun.run("log", "rename", "_x", "../x", at: place)
    #expect(rename.status == 64 && rename.errors.contains("use letters, digits, '.', '_' and '-'"), "\(rename.errors)")
    let track = place.folder.appendingPathComponent("track.csv").path
    try Data("time,lat,lon\n2026-03-01T12:00:00Z,47.1,8.5\n".utf8).write(to: URL(fileURLWithPath: track))
    let imported = try CommandRun.run("log", "import", "../x", track, at: place)
    #expect(imported.status == 64 && imported.errors.contains("cannot be the name of a log"), "\(imported.errors)")
    for name in names { #expect(try run("log", "remove", name, "--force").status == 0) }
    #expect(try logs().isEmpty)

    for (option, value, range) in [
      ("--keep", "36501d", "1 to 36500 days"), ("--interval", "0.0001", "at least 0.001 s"),
    ] {
      let start = try run("log", "start", option, value)
      #expect(start.status == 64 && start.errors.contains(range), "\(start.errors)")
    }
    // Without --force, too, the missing log is the reason, and not the missing answer.
    for arguments in [
      ["stop", "nothing"], ["export", "nothing"], ["remove", "nothing", "--force"], ["remove", "nothing"],
    ] {
      let unknown = try CommandRun.run(["log"] + arguments, at: place)
      #expect(unknown.status == 69, "\(arguments)")
      #expect(unknown.errors.contains("no log named 'nothing'"))
    }
    let folder = place.folder.appendingPathComponent("exports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #expect(try run("log", "export", "nothing", "-o", folder.path + "/nothing.gpx").status == 69)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    ends(daemon)
  }

  @Test func goesOnAfterARestartAndAfterAKill() throws {
    var daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "--standing").status == 0)
    try awaitUpdates(3)
    // A read writes the collected fixes to the disk.
    let before = try count("default")
    #expect(before >= 2)
    daemon.send(SIGKILL)
    #expect(daemon.end() == -SIGKILL)

    daemon = try RunningDaemon.listening(at: place)
    try daemon.awaitLine("Recording log default.")
    try awaitUpdates(3)
    let between = try count("default")
    #expect(between >= before + 2)
    ends(daemon)

    daemon = try RunningDaemon.listening(at: place)
    try awaitUpdates(3)
    let track = try run("log", "export").text
    #expect(track.components(separatedBy: "<trkseg>").count - 1 == 3)
    #expect(track.components(separatedBy: "<trkpt ").count - 1 >= between + 2)

    // A log that was stopped stays stopped.
    #expect(try run("log", "stop").status == 0)
    ends(daemon)
    daemon = try RunningDaemon.listening(at: place)
    #expect(try logs().first?["running"] as? Bool == false)
    ends(daemon)
  }

  @Test func withoutADaemonNothingIsRecordedAndAllIsRead() throws {
    let start = try run("log", "start")
    #expect(start.status == 69)
    #expect(start.errors.contains("only locationd records logs"))
    let daemon = try RunningDaemon.listening(["--replay", try drive(60)], at: place)
    #expect(try run("log", "start").status == 0)
    try awaitEnd()
    ends(daemon)
    let log = try logs().first
    #expect(log?["running"] as? Bool == false && log?["state"] as? String == "interrupted")
    #expect(try count("default") == 60)
  }

  @Test func aDamagedIndexLosesNoTrack() throws {
    var daemon = try RunningDaemon.listening(["--replay", try drive(60)], at: place)
    #expect(try run("log", "start", "trip").status == 0)
    try awaitEnd()
    ends(daemon)
    let state = place.folder.appendingPathComponent("state")
    for name in try FileManager.default.contentsOfDirectory(atPath: state.path) where name.hasPrefix("index.sqlite") {
      try Data(repeating: 0x5A, count: 8192).write(to: state.appendingPathComponent(name))
    }
    daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    try daemon.awaitLine("The index of logs was damaged")
    #expect(try logs().map { $0["name"] as? String } == ["trip"])
    #expect(try count("trip") == 60)
    ends(daemon)
  }

  // MARK: - Where it cannot be written

  @Test func aFileThatMayNotGrowIsReportedAndTheRestIsServed() throws {
    // 64 KiB is enough for the index, but not for a segment.
    let daemon = try RunningDaemon.listening(at: place, shell: "trap '' XFSZ; ulimit -f 128; exec \"$@\"")
    #expect(try run("log", "start", "--standing").status == 0)
    try awaitUpdates(2)
    // The log is read at once, so that the collected fixes must be written.
    #expect(try run("log", "export").status == 0)
    try daemon.awaitLine("Cannot record log default: the file is too large")
    #expect(try logs().first?["problem"] as? String != nil)
    #expect(try run("fix").status == 0)
    ends(daemon)
  }

  private static let mayMount =
    geteuid() == 0 && shell("unshare -m sh -c 'mount -t tmpfs tmpfs /mnt'") == 0

  private static func shell(_ command: String) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// With each of these sizes, the write to a different file of SQLite fails.
  @Test(.enabled(if: mayMount, "needs root, unshare and the right to mount"), arguments: [260, 280, 300])
  func aFullDiskIsCalledOne(kilobytes: Int) throws {
    let daemon = try RunningDaemon.listening(
      at: place,
      shell: """
        mkdir -p "$LOCATIOND_STATE"
        exec unshare -m sh -c 'mount -t tmpfs -o size=300k,mode=700 tmpfs "$LOCATIOND_STATE" &&
          head -c \(kilobytes)k /dev/zero >"$LOCATIOND_STATE/ballast"; exec "$@"' sh "$@"
        """)
    let start = try run("log", "start")
    #expect(start.status == 73)
    #expect(start.errors.hasSuffix("(the disk is full): make room on that disk.\n"), "\(start.errors)")
    ends(daemon)
  }

  @Test(.enabled(if: mayMount, "needs root, unshare and the right to mount"))
  func aFullFileSystemIsReportedAndKeepsItsFreeShare() throws {
    let daemon = try RunningDaemon.listening(
      at: place,
      shell: """
        mkdir -p "$LOCATIOND_STATE"
        exec unshare -m sh -c 'mount -t tmpfs -o size=300k,mode=700 tmpfs "$LOCATIOND_STATE" && exec "$@"' sh "$@"
        """)
    #expect(try run("log", "start", "--standing").status == 0)
    try awaitUpdates(2)
    #expect(try run("log", "export").status == 0)
    try daemon.awaitLine("bytes are free, and")
    let problem = try #require(try logs().first?["problem"] as? String)
    #expect(problem.contains("are free, and"))
    #expect(try run("fix").status == 0)
    ends(daemon)
  }
}
