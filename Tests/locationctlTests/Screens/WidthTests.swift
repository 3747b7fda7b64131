import Foundation
import TestSupport
import Testing
import locationctl

/// No output for people is wider than its terminal.
@Suite(.serialized) struct WidthTests {
  @Test(arguments: [80, 100]) func theHelpOfEveryCommandFits(columns: Int) {
    let texts = HelpTexts.all(columns: columns)
    #expect(texts.count > 100 && texts.contains { $0.command == "log export" })
    for (command, text) in texts {
      let wide = text.split(separator: "\n").map { String($0) }.filter { $0.count > columns }
      #expect(wide == [], "\(command)")
    }
  }

  /// What the program prints is that help.
  @Test func theHelpOnATerminalFits() throws {
    let run = try TerminalRun(["sky", "--help"], columns: 80, rows: 40, environment: ["LANG": "C.UTF-8"])
    #expect(run.end() == 0)
    let lines = run.output.split { $0.isNewline }
    #expect(lines.contains { $0.hasPrefix("USAGE: locationctl sky [--format <format>]") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("       [--") } && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
  }

  private static let world = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("PlacesTests/Cut").path

  /// The lists and reports of a daemon with long names and texts, one after the other on one terminal.
  @Test func theOutputOfEveryCommandFits() throws {
    let columns = 80
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    defer { daemon.send(SIGKILL) }
    let environment = place.environment.merging([
      "HOME": place.folder.path, "XDG_STATE_HOME": "", "XDG_DATA_HOME": place.folder.path,
      "LOCATIOND_PLACES_FOLDER": place.folder.path + "/none", "LOCATIOND_WORLD": Self.world,
    ]) { $1 }
    func file(_ name: String, _ text: String) throws -> String {
      let url = place.folder.appendingPathComponent(name)
      try Data(text.utf8).write(to: url)
      return url.path
    }
    func prepare(_ arguments: String..., status: Int32 = 0) throws {
      let run = try ProgramRun(arguments, environment: environment)
      #expect(run.status == status, "\(arguments): \(run.errors)")
    }
    let long = "the place behind the old harbor, where the boats of the fishermen are repaired in winter"
    let visits = try file(
      "location-history.json",
      #"""
      [{"startTime":"2024-05-01T06:00:00Z","endTime":"2024-05-01T07:00:00Z",
        "visit":{"hierarchyLevel":"0","topCandidate":{"placeLocation":"geo:47.1393,9.5228"}}}]
      """#)
    let points = (0..<600).map { second in
      let time = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: 1_714_550_400 + Double(second)))
      return #"<trkpt lat="\#(47.1393 + Double(second) * 1e-4)" lon="9.5228"><time>\#(time)</time></trkpt>"#
    }
    let track = try file(
      "walk.gpx",
      #"<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
        + points.joined() + "</trkseg></trk></gpx>")
    let broken = try file("broken.conf", "[service]\nsorce = usb\nwifi = perhaps, or perhaps not, nobody knows\n")
    let list = try file("places.csv", "name,latitude,longitude\n\(long.prefix(60)),47.1,9.5\nVaduz,47.14,9.52\n")
    try prepare("log", "start", "drive", "--interval", "10s", "--accuracy", "25", "--keep", "30d", "--suspect")
    try prepare("log", "import", "walk", track)
    try prepare("log", "import", "timeline", visits)
    try prepare("region", "add", "harbor-with-a-long-name", "--at", "47.1,9.5", "--on-enter", "echo '\(long)'")
    try prepare("grant", "4200001/flatpak:org.example.AnApplicationWithALongName", "--always")
    try prepare("fix")
    try prepare("log", "note", long, "--log", "drive")
    try prepare(
      "fleet", "add", "van-with-a-long-name", "osmand+https://destination.example.org:8443/a/path/that/is/long?id=1",
      "--as", "ann/car")
    try prepare("simulate", track, "--output", place.folder.path + "/walk.ubx")
    let commands = [
      "fix", "fix --place", "fix --coordinates dms,utm,mgrs", "watch --lines --count 2",
      "watch --lines --place --count 2", "sky --text --count 1", "distance --to 47.1,9.5",
      "distance --to harbor-with-a-long-name", "bearing --to harbor-with-a-long-name", "sort \(list)",
      "places at 47.1393,9.5228", "places find Vaduz", "places list", "timezone 47.1393,9.5228", "devices", "status",
      "doctor", "config get", "config get --origin", "config check \(broken)", "wifi learned", "gpsd status",
      "ntrip status", "time status", "log list", "log show walk", "log show walk --place", "log show drive",
      "log stats walk", "log follow drive --from -1h --count 1", "trips list walk", "trips show 1 --log walk",
      "region list", "visits list", "visits list --place", "grants", "services", "fleet list",
      "evaluate \(place.folder.path)/walk.ubx --truth \(track)",
      "log trips", "log show nothing", "fix --source serial:/dev/a-port-that-does-not-exist --timeout 0.1",
      "fix --format nothing", "region remove harbor-with-a-long-name", "log stop drive", "revoke 4200001",
      "fleet pause van-with-a-long-name", "version",
    ]
    let script = try file(
      "all", commands.map { "echo \"= \($0)\"\n\"\(ProgramRun.locationctl)\" \($0) </dev/null\n" }.joined())
    let run = try TerminalRun(
      [script], of: "/bin/sh", columns: columns, rows: 40, errorsToo: true,
      environment: environment.merging(["TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "Europe/Zurich"]) { $1 })
    #expect(run.end() == 0)
    // Without colors; a progress line is drawn again after a carriage return.
    let lines = run.output.replacing(#/\u{1B}\[[0-9;?]*[A-Za-z]/#, with: "").split { $0.isNewline || $0 == "\r" }
    var command: Substring = ""
    var hasOutput = true
    for line in lines {
      if line.hasPrefix("= ") {
        #expect(hasOutput, "\(command) prints nothing")
        (command, hasOutput) = (line, false)
        continue
      }
      hasOutput = true
      #expect(TextWidth.columns(of: String(line)) <= columns, "\(command): \(line)")
    }
    #expect(hasOutput && lines.count { $0.hasPrefix("= ") } == commands.count)
  }
}
