import Foundation
import TestSupport
import Testing

/// What a person sees: real programs on a real pseudo-terminal, at 80 and at 120 columns, beside screens that a person has read
/// (`Goldens`). The receiver is a recording, so that its numbers do not change.
@Suite(.serialized, .enabled(if: ScreenRun.isPossible, "pyte is not there: '.ci/pyte' fetches it from PyPI"))
struct ScreenTests {
  private static let widths = [(80, 24), (120, 40)]

  /// A run in a city, with satellites: the same bytes each time, in a capture, which names its receiver.
  private static let recording: String? = {
    let track = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/locationd/Packaging/examples/city-run.gpx").path
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("screen-\(UUID().uuidString).capture").path
    let run = try? ProgramRun(["simulate", track, "--output", file])
    return run?.status == 0 ? file : nil
  }()

  private func recording() throws -> String { try #require(Self.recording) }

  private func name(_ name: String, _ columns: Int) -> String { "\(name)-\(columns)" }

  @Test(arguments: widths) func fix(columns: Int, rows: Int) throws {
    let run = try ScreenRun.run(["fix", "--source", "replay:\(try recording())"], columns: columns, rows: rows)
    let after = try #require(run.after)
    #expect(run.status == 0 && run.widest <= columns && after.isClean)
    try Golden.expect(after.lines, name("fix", columns), .ages)
  }

  @Test(arguments: widths) func help(columns: Int, rows: Int) throws {
    let run = try ScreenRun.run(["--help"], columns: columns, rows: 100)
    #expect(run.widest <= columns)
    try Golden.expect(try #require(run.after).lines, name("help", columns), .nothing)
  }

  @Test(arguments: widths) func doctor(columns: Int, rows: Int) throws {
    let run = try ScreenRun.run(["doctor", "--source", "simulator"], columns: columns, rows: rows)
    #expect(run.status == 0 && run.widest <= columns)
    try Golden.expect(try #require(run.after).lines, name("doctor", columns), .numbers)
  }

  /// What is wrong stands beside its remedy; what follows from it is not checked.
  @Test(arguments: widths) func doctorWithAFinding(columns: Int, rows: Int) throws {
    let run = try ScreenRun.run(["doctor", "--source", "serial:/dev/ttyGPS7"], columns: columns, rows: rows)
    #expect([69, 75].contains(run.status) && run.widest <= columns)
    let lines = try #require(run.after).lines
    #expect(lines.contains { $0.hasPrefix("✗ receiver") } && lines.contains { $0.hasPrefix("– fix") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("             → ") } && lines.last?.contains("there is no position") == true)
  }

  @Test(arguments: widths) func sky(columns: Int, rows: Int) throws {
    let run = try ScreenRun.run(
      ["sky", "--source", "replay:\(try recording())", "--count", "8"], columns: columns, rows: rows)
    #expect(run.status == 0 && run.widest <= columns)
    try Golden.expect(try #require(run.after).lines, name("sky", columns), .ages)
  }

  @Test(arguments: widths) func watch(columns: Int, rows: Int) throws {
    let run = try ScreenRun.run(
      ["watch", "--raw", "--source", "replay:\(try recording())", "--count", "8"], columns: columns, rows: rows)
    #expect(run.status == 0 && run.widest <= columns)
    try Golden.expect(run.last, name("watch", columns), .ages)
    // The last fix stays on the terminal.
    let after = try #require(run.after)
    #expect(after.isClean && after.lines.count == 1 && after.lines[0].contains("° S"), "\(after.lines)")
  }

  @Test func watchWithoutUTF8() throws {
    let run = try ScreenRun.run(
      ["watch", "--raw", "--source", "replay:\(try recording())", "--count", "8"], environment: ["LANG": "C"])
    #expect(run.last.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    try Golden.expect(run.last, "watch-ascii", .ages)
  }

  /// Lines of a stream never wrap (B7), and show the local time with its zone.
  @Test(arguments: [60, 80, 120]) func watchLinesFit(columns: Int) throws {
    let run = try ScreenRun.run(
      ["watch", "--lines", "--raw", "--source", "replay:\(try recording())", "--count", "3"], columns: columns)
    let after = try #require(run.after)
    #expect(run.widest <= columns && after.isClean, "\(after.lines)")
    // On a narrow terminal, the remark has a line of its own, and no word is broken.
    let fixes = after.lines.filter { $0 != "simulated" }
    let form = /\d\d:\d\d:\d\d\.000 CEST  48\.\d+° S, 123\.\d+° W  ±\d\.\d m( .*)?/
    #expect(fixes.count == 3 && fixes.allSatisfy { $0.wholeMatch(of: form) != nil }, "\(after.lines)")
  }

  // MARK: - Beside a daemon

  @Test(arguments: widths) func theServiceAndItsLists(columns: Int, rows: Int) throws {
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    // Commands for events are stored in the user's own folder.
    let environment = place.environment.merging(["HOME": place.folder.path, "XDG_STATE_HOME": ""]) { $1 }
    func command(_ arguments: String...) throws {
      let run = try ProgramRun(arguments, environment: environment)
      #expect(run.status == 0, "\(arguments): \(run.errors)")
    }
    func screen(_ arguments: String..., golden: String, source: String = "") throws {
      let run = try ScreenRun.run(
        arguments, columns: columns, rows: rows, environment: environment.merging(["LOCATIOND_SOURCE": source]) { $1 })
      let after = try #require(run.after)
      #expect(run.status == 0 && run.widest <= columns && after.isClean, "\(after.lines)")
      try Golden.expect(after.lines, name(golden, columns), .all)
    }
    try command("log", "start", "drive")
    try command("log", "start", "walk", "--interval", "1m", "--standing", "--keep", "30d")
    try command("region", "add", "harbor", "--at", "47.3769,8.5417", "--radius", "200")
    try command("region", "add", "home", "--at", "47.285,8.565", "--on-enter", "logger home", "--dwell", "5m")
    try command("grant", "4200001", "--always")
    try command("revoke", "4200002")
    try command("fix")
    // The first fix of a log is on the disk after some seconds.
    var logs = ""
    while logs.components(separatedBy: "begin").count < 3 || logs.contains("\"bytes\":0,") {
      logs = try ProgramRun(["log", "list"], environment: environment).output
    }
    try screen("status", golden: "status")
    try screen("devices", golden: "devices")
    try screen("log", "list", golden: "log-list")
    try screen("region", "list", golden: "region-list")
    try screen("grants", golden: "grants")
    daemon.send(SIGTERM)
    _ = daemon.end()
    try screen("status", golden: "status-without-daemon", source: "simulator")
  }

  /// A terminal whose locale is not UTF-8 gets ASCII only.
  @Test func withoutUTF8EverythingIsASCII() throws {
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    defer { daemon.send(SIGKILL) }
    for arguments in [["status"], ["grants"], ["devices"], ["fix"], ["doctor"], ["sky", "--count", "1"]] {
      let run = try ScreenRun.run(arguments, environment: place.environment.merging(["LANG": "C"]) { $1 })
      let after = try #require(run.after)
      #expect(run.status == 0 && after.lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(after.lines)")
    }
  }

  /// A person who has to answer knows how (B25).
  @Test func theAgentSaysHowToAnswer() throws {
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    defer { daemon.send(SIGKILL) }
    let run = try ScreenRun.run(
      ["agent"], environment: place.environment, [.wait("type a letter and press Enter"), .signal(SIGINT)])
    #expect(run.status == 130 && run.after?.isClean == true)
  }

  /// The colors and marks of `status` follow `--color` in a pipe, too.
  @Test func colorsGoToAPipeOnlyIfAlwaysRequested() throws {
    let environment = [
      "LOCATIOND_SOCKET": "/nonexistent", "LOCATIOND_SOURCE": "simulator", "LANG": "C.UTF-8", "TERM": "xterm",
    ]
    for (arguments, isColored) in [
      ([], false), (["--color", "auto"], false), (["--color", "always"], true), (["--color", "never"], false),
    ] {
      let run = try ProgramRun(["status", "--text"] + arguments, environment: environment)
      #expect(run.output.contains("\u{1B}[") == isColored, "\(arguments): \(run.output)")
    }
    #expect(try ProgramRun(["status", "--color", "sometimes"]).status == 64)
  }
}
