import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import Regions
import TestSupport
import Testing

/// Regions, with the real daemon and the real command line, and with commands that are really run.
@Suite(.serialized) struct RegionTests {
  private let place: RunningDaemon.Place
  private var home: [String: String] { ["HOME": place.folder.path] }

  init() throws { place = try RunningDaemon.Place() }

  private func run(_ arguments: String...) throws -> CommandRun.Result {
    try CommandRun(arguments, at: place, environment: home).finish()
  }

  /// Ten minutes northwards at 20 m/s from 47° N 8.565° E, at 12:00:00 UTC on 2026-11-01, as a receiver reported it.
  private func drive(_ seconds: Range<Int> = 0..<600) throws -> String {
    let path = place.folder.appendingPathComponent("drive.nmea").path
    let lines = seconds.map { second in
      let time = String(format: "12%02d%02d.00", second / 60 % 60, second % 60)
      let position = String(format: "47%08.5f,N,00833.90000,E", Double(second) * 0.0108)
      return [
        "GPRMC,\(time),A,\(position),38.9,0.0,011126,,,A", "GPGGA,\(time),\(position),1,08,1.0,400.0,M,47.0,M,,",
      ].map { "$\($0)*\(String(format: "%02X", $0.utf8.reduce(0, ^)))\r\n" }.joined()
    }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Creates a named pipe: its reader waits for its writer.
  private func fifo(_ name: String) throws -> String {
    let path = place.folder.appendingPathComponent(name).path
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
    return path
  }

  /// Reads what one writer has written; the time limit is a guard against hanging, not a measurement.
  private func read(_ path: String) throws -> String {
    let (reader, output) = (Process(), Pipe())
    reader.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    reader.arguments = ["60", "cat", path]
    reader.standardOutput = output
    try reader.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    reader.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  private func ends(_ daemon: RunningDaemon) {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  // MARK: -

  @Test func aBorderIsCrossedAndACommandIsRunForIt() throws {
    let daemon = try RunningDaemon.listening(["--replay", try drive()], at: place, environment: home)
    let (enter, exit) = (try fifo("enter"), try fifo("exit"))
    let words = "{ echo \"$LOCATION_EVENT $LOCATION_REGION $LOCATION_ATTEMPT $LOCATION_TIMESTAMP\"; cat; } > "
    // 6 km after the start: entered after 275 s, left after 325 s. The shell must not interpret any part of the name.
    let name = "a 'b' $(touch \(place.folder.path)/owned) \u{e9}"
    let added = try run(
      "region", "add", name, "--at", "47.054,8.565", "--radius", "500", "--on-enter", words + enter, "--on-exit",
      words + exit)
    #expect(added.status == 0, "\(added.errors)")

    let lines = try read(enter).split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("entered \(name) 1 2026-11-01T12:04:3") == true, "\(lines)")
    let event = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8)) as? [String: Any]
    #expect(event?["event"] as? String == "entered")
    #expect(event?["region"] as? String == name)
    #expect(event?["list"] as? String == "locationctl")
    #expect(try read(exit).hasPrefix("left \(name) 1 2026-11-01T12:05:2"))
    #expect(!FileManager.default.fileExists(atPath: place.folder.appendingPathComponent("owned").path))

    let listed = try run("region", "list").objects
    #expect(listed.count == 1)
    #expect(listed.first?["region"] as? String == name)
    #expect(listed.first?["state"] as? String == "outside")
    #expect(listed.first?["onEnter"] as? String == words + enter)
    #expect(try run("region", "remove", name).status == 0)
    #expect(try run("region", "list").objects.isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: place.folder.path + "/.local/state/locationd/commands"
      ).isEmpty, "its commands are forgotten")
    ends(daemon)
  }

  @Test func regionsOutliveTheDaemonAndWhoAddedThem() throws {
    let before = try RunningDaemon.listening(["--replay", try drive(0..<100)], at: place, environment: home)
    let enter = try fifo("enter")
    #expect(
      try run(
        "region", "add", "lake", "--at", "47.054,8.565", "--radius", "500", "--on-enter",
        "echo \"$LOCATION_REGION\" > \(enter)"
      ).status == 0)
    #expect(try run("region", "add", "triangle", "--polygon", "46,8 46,9 46.5,8.5").status == 0)
    before.send(SIGKILL)
    _ = before.end()
    let after = try RunningDaemon.listening(["--replay", try drive(100..<600)], at: place, environment: home)
    #expect(try read(enter) == "lake\n")
    #expect(try run("region", "list").objects.compactMap { $0["region"] as? String }.sorted() == ["lake", "triangle"])
    ends(after)
  }

  @Test func eventsAreDeliveredToConnectedFollowers() throws {
    let daemon = try RunningDaemon.listening(["--replay", try drive()], at: place, environment: home)
    var client: RawClient? = try RawClient.greeted(place)
    client?.send(.request(.monitoring(RequestID(1), .follow(list: "program", receives: true))))
    let region = try Region(
      identifier: "lake",
      shape: .circle(
        CircleShape(
          center: Coordinate(latitude: Angle(degrees: 47.054), longitude: Angle(degrees: 8.565)), radius: Meters(500))))
    client?.send(.request(.monitoring(RequestID(2), .add(list: "program", [MonitoredRegion(region)], outlives: true))))
    var words: [String] = []
    var ids: [UInt64] = []
    while words.count < 3, let event = try client?.nextEvent() {
      guard case .monitoring(_, .event(let happened, let list)) = event else { continue }
      #expect(list == "program" && happened.attempt == 1)
      words.append("\(happened.kind)")
      ids.append(happened.id)
    }
    #expect(
      words == [
        "determined(Regions.RegionState.outside)", "crossed(Regions.RegionState.inside)",
        "crossed(Regions.RegionState.outside)",
      ])
    // The client acknowledged one event; then the program dies; the service sends the others again, and marks them.
    client?.send(.request(.monitoring(RequestID(3), .acknowledge(list: "program", event: ids[0]))))
    while let event = try client?.nextEvent() { if event == .done(RequestID(3)) { break } }
    client = nil
    let again = try RawClient.greeted(place)
    again.send(.request(.monitoring(RequestID(1), .follow(list: "program", receives: true))))
    var reported: [UInt64] = []
    while reported.count < 2, let event = try again.nextEvent() {
      guard case .monitoring(_, .event(let happened, _)) = event else { continue }
      #expect(happened.attempt == 2)
      reported.append(happened.id)
    }
    #expect(reported == Array(ids.dropFirst()))
    ends(daemon)
  }

  /// An anchor watch whose receiver is unplugged: its owner learns that the region is no longer monitored.
  @Test func aRegionThatCannotBeWatchedAnyMoreIsNotSilent() throws {
    var receiver: HelperProcess? = try HelperProcess("simulated-ublox", ["ublox8", "hot"], environment: [:])
    let terminal = try #require(receiver?.next().map { String(decoding: $0, as: UTF8.self) })
    // Use a separate path: the kernel gives the path of a closed terminal to the next terminal, which may be another
    // test's receiver.
    let port = place.folder.appendingPathComponent("receiver").path
    try FileManager.default.createSymbolicLink(atPath: port, withDestinationPath: terminal)
    let daemon = try RunningDaemon.listening(["--source", "serial:\(port)"], at: place, environment: home)
    let client = try RawClient.greeted(place)
    client.send(.request(.monitoring(RequestID(1), .follow(list: nil, receives: false))))
    // A stream keeps the port open; otherwise the port would be closed between two position checks, and its loss
    // noticed only at the next one.
    client.send(.request(.startUpdates(RequestID(2), UpdateOptions())))
    func next(_ wanted: MonitoringEvent.Kind) throws -> MonitoringEvent {
      while let event = try client.nextEvent() {
        if case .monitoring(_, .event(let happened, _)) = event, happened.kind == wanted { return happened }
      }
      return try #require(nil, "the daemon has gone")
    }
    let unknown = try fifo("unknown")
    let command =
      "{ echo \"$LOCATION_EVENT $LOCATION_REGION $LOCATION_ATTEMPT ${LOCATION_LATITUDE:-nowhere}\"; cat; } > \(unknown)"
    let added = try run(
      "region", "add", "anchor", "--here", "--radius", "40", "--on-unknown", command, "--after", "8s", "--dwell",
      "1m30s")
    #expect(added.status == 0 && added.errors.contains("This machine is at "), "\(added.errors)")
    _ = try next(.determined(.inside))

    try FileManager.default.removeItem(atPath: port)
    receiver = nil
    let lost = try next(.determined(.unknown))
    #expect(lost.subject == .region("anchor") && lost.fix == nil)
    let lines = try read(unknown).split(separator: "\n").map(String.init)
    #expect(lines.first == "unknown anchor 1 nowhere")
    let reported = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8)) as? [String: Any]
    #expect(reported?["event"] as? String == "unknown" && reported?["latitude"] == nil)
    let listed = try #require(try run("region", "list").objects.first)
    #expect(listed["state"] as? String == "unknown" && listed["onUnknown"] as? String == command)
    #expect(listed["after"] as? Int == 8 && listed["dwell"] as? Int == 90 && listed["radius"] as? Double == 40)
    // By now the last fix is older than a one-shot request accepts.
    let here = try run("region", "add", "here", "--here", "--radius", "40")
    #expect(here.status != 0 && !here.errors.isEmpty, "\(here.errors)")
    #expect(try run("region", "remove", "--all", "--force").status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: place.folder.path + "/.local/state/locationd/commands"
      ).isEmpty, "its command is forgotten")
    ends(daemon)
  }

  @Test func aFileIsImportedWholeOrNotAtAll() throws {
    let daemon = try RunningDaemon.listening(at: place, environment: home)
    let path = place.folder.appendingPathComponent("places").path
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    let square = "[[[8,47],[8.1,47],[8.1,47.1],[8,47.1],[8,47]]]"
    let whole = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"park"},"geometry":{"type":"Polygon","coordinates":\(square)}},
      {"type":"Feature","properties":{"name":"shop","radius":80},"geometry":{"type":"Point","coordinates":[8.2,47.2]}},
      {"type":"Feature","properties":{"name":"road"},"geometry":{"type":"LineString","coordinates":[[8,47],[9,47]]}}]}
      """
    try write(String(whole.dropLast(4)))
    let cut = try run("region", "import", path)
    #expect(cut.status == 65 && cut.errors.contains("nothing has changed"), "\(cut.errors)")
    #expect(try run("region", "list").objects.isEmpty)
    try write(whole)
    let imported = try run("region", "import", path, "--on-enter", "true")
    #expect(
      imported.status == 0 && imported.errors.contains("1 region was left out")
        && imported.errors.contains("Watching 2 regions"))
    let listed = try run("region", "list").objects.sorted { "\($0["region"] ?? "")" < "\($1["region"] ?? "")" }
    #expect(listed.compactMap { $0["region"] as? String } == ["park", "shop"])
    #expect(listed.first?["polygon"] as? [String] != nil && listed.last?["radius"] as? Double == 80)
    try write(
      "<kml xmlns='http://www.opengis.net/kml/2.2'><Document><Placemark><name>hut</name><Point><coordinates>8,47,0"
        + "</coordinates></Point></Placemark></Document></kml>")
    #expect(try run("region", "import", path).status == 65, "a point without a radius")
    #expect(try run("region", "import", path, "--radius", "50").status == 0)
    #expect(try run("region", "list").objects.count == 3)
    #expect(try run("region", "import", place.folder.appendingPathComponent("no").path).status == 65)
    #expect(try run("region", "remove", "--all", "--force").status == 0)
    #expect(try run("region", "list").objects.isEmpty)
    ends(daemon)
  }

  /// A file with too many regions changes nothing; a region that replaces a stored one needs no further room.
  @Test func aFileBeyondTheBoundChangesNothing() throws {
    let daemon = try RunningDaemon.listening(at: place, environment: home.merging(["LOCATIOND_REGIONS": "1000"]) { $1 })
    func file(_ numbers: Range<Int>) throws -> String {
      let path = place.folder.appendingPathComponent("regions.geojson").path
      let features = numbers.map { number in
        #"{"type":"Feature","properties":{"name":"region \#(number)","radius":50},"geometry":{"type":"Point","#
          + #""coordinates":[8.\#(1000 + number),47.5]}}"#
      }
      let text = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return path
    }
    func kept() throws -> Int { try run("region", "list", "--json").objects.count }

    let tooMany = try run("region", "import", try file(0..<1500))
    #expect(tooMany.status == 73, "\(tooMany.errors)")
    #expect(
      tooMany.errors.contains("has 1500 regions, and the limit is 1000"), "\(tooMany.errors)")
    #expect(tooMany.errors.contains("import fewer"), "\(tooMany.errors)")
    #expect(try kept() == 0)

    #expect(try run("region", "import", try file(0..<600)).status == 0)
    let further = try run("region", "import", try file(600..<1200))
    #expect(further.status == 73 && further.errors.contains("has 600 regions"), "\(further.errors)")
    #expect(further.errors.contains("you already have 600"), "\(further.errors)")
    #expect(try kept() == 600)
    let overlapping = try run("region", "import", try file(100..<1000))
    #expect(overlapping.status == 0, "\(overlapping.errors)")
    #expect(try kept() == 1000)
    let one = try run("region", "add", "one more", "--at", "47,8", "--radius", "50")
    #expect(one.status == 73 && one.errors.contains("This user has 1000 regions"), "\(one.errors)")
    ends(daemon)
  }

  @Test func visitsAndSignificantChangesAreKept() throws {
    let daemon = try RunningDaemon.listening(["--replay", try drive()], at: place, environment: home)
    let moved = try fifo("moved")
    #expect(try run("visits").objects.isEmpty)
    #expect(try run("visits", "on").status == 0)
    #expect(
      try run("significant", "on", "--on-move", "echo \"$LOCATION_EVENT $LOCATION_ATTEMPT\" > \(moved)").status == 0)
    #expect(try read(moved) == "moved 1\n")
    // Commands that are replaced, and those of monitoring that is off, are deleted.
    let commands = place.folder.path + "/.local/state/locationd/commands"
    func noted() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: commands).count }
    #expect(try run("visits", "on", "--on-arrival", "true", "--on-departure", "true").status == 0)
    #expect(try noted() == 3)
    #expect(try run("visits", "on", "--on-arrival", "true").status == 0)
    #expect(try run("significant", "on", "--on-move", "true").status == 0)
    #expect(try noted() == 2)
    #expect(try run("significant", "off").status == 0)
    #expect(try noted() == 1)
    #expect(try run("visits", "off").status == 0)
    #expect(try noted() == 0)
    ends(daemon)
  }

  @Test func whatCannotBeWatchedIsRefusedInASentence() throws {
    #expect(try run("region", "add", "x", "--at", "47,8").status == 69, "there is no daemon")
    let daemon = try RunningDaemon.listening(at: place, environment: home)
    for arguments in [
      ["--at", "47,8", "--radius", "0"], ["--at", "47,8", "--radius", "-5"], ["--at", "47,8", "--radius", "nan"],
      ["--at", "47,8", "--radius", "30000000"], ["--at", "91,8"], ["--at", "47"], ["--polygon", "1,1 2,2"], [],
      ["--at", "47,8", "--polygon", "1,1 2,2 3,1"], ["--at", "47,8", "--on-enter", "true", "--budget", "301"],
      ["--at", "47,8", "--on-enter", ""], ["--at", "47,8", "--here"], ["--at", "47,8", "--dwell", "5 m"],
      ["--at", "47,8", "--dwell", "8d"], ["--at", "47,8", "--dwell", "0"], ["--at", "47,8", "--after", "60s"],
      ["--at", "47,8", "--on-unknown", "true", "--after", "1m1h"], ["--here", "--radius", "0"],
    ] {
      let result = try CommandRun(["region", "add", "x"] + arguments, at: place, environment: home).finish()
      #expect(result.status == 64, "\(arguments): \(result.status) \(result.errors)")
      #expect(!result.errors.isEmpty)
    }
    #expect(try run("region", "add", String(repeating: "x", count: 100_000), "--at", "47,8").status == 64)
    #expect(try run("region", "remove", "unknown").status == 64)
    #expect(try run("region", "list").objects.isEmpty)
    ends(daemon)
  }
}
