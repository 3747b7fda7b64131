import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// `log follow`, `log note` and `log rename`, with the real daemon and the real command line.
@Suite(.serialized) struct LogFollowTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  private func path(_ name: String) -> String { place.folder.appendingPathComponent(name).path }

  private func ends(_ daemon: RunningDaemon) {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// A command whose lines are read as they come.
  private final class Follower {
    let process = Process()
    let lines = PipeLines(patience: 60_000)
    let errors = Pipe()

    init(_ arguments: [String], at place: RunningDaemon.Place) throws {
      process.executableURL = URL(fileURLWithPath: HelperProcess.folder + "/locationctl")
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
      process.standardOutput = lines.pipe
      process.standardError = errors
      process.standardInput = FileHandle.nullDevice
      try process.run()
      try lines.processHasBegun()
    }

    deinit {
      if process.isRunning { process.terminate() }
      process.waitUntilExit()
    }

    /// The times of the next fixes.
    func times(_ count: Int) throws -> [String] {
      var times: [String] = []
      while times.count < count {
        let line = try #require(lines.next())
        let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        if object["latitude"] != nil { times.append(try #require(object["timestamp"] as? String)) }
      }
      return times
    }

    /// The reader goes; returns the exit status and the messages.
    func leave() throws -> (status: Int32, errors: String) {
      try lines.pipe.fileHandleForReading.close()
      return try end()
    }

    /// Waits for the end; returns the exit status and the messages.
    func end() throws -> (status: Int32, errors: String) {
      let text = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
  }

  @Test func followGoesOnAcrossAKillAndEndsWithItsReader() throws {
    var daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "--standing").status == 0)
    let follower = try Follower(["log", "follow"], at: place)
    var times = try follower.times(3)
    daemon.send(SIGKILL)
    #expect(daemon.end() == -SIGKILL)
    daemon = try RunningDaemon.listening(at: place)
    times += try follower.times(3)
    // The second daemon's simulator begins at the present second, which may be that of the last fix before the kill.
    #expect(times == times.sorted() && Set(times.prefix(3)).count == 3 && Set(times.suffix(3)).count == 3)
    let end = try follower.leave()
    #expect(end.status == 0 && end.errors.isEmpty, "\(end.errors)")
    // The past comes first.
    let past = try CommandRun(["log", "follow", "--from", "today", "-n", "4", "--format", "csv"], at: place).finish()
    #expect(past.status == 0, "\(past.errors)")
    #expect(past.text.split(whereSeparator: \.isNewline).count == 1 + 4)
    let gpx = try run("log", "follow", "-n", "1", "--format", "gpx")
    #expect(gpx.text.contains("<trkpt ") && gpx.text.hasSuffix("</gpx>\n"))
    ends(daemon)
  }

  @Test func followWaitsForAStart() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "trip", "--standing").status == 0)
    #expect(try run("log", "stop", "trip").status == 0)
    let follower = try Follower(["log", "follow", "trip"], at: place)
    // The message comes with the list, before the log is followed.
    var message = ""
    while !message.contains("waiting until it is started") {
      let data = follower.errors.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      message += String(decoding: data, as: UTF8.self)
    }
    #expect(try run("log", "rename", "trip", "tour").status == 0)
    #expect(try run("log", "start", "tour", "--standing").status == 0)
    #expect(try follower.times(2).count == 2)
    #expect(try follower.leave().status == 0)
    ends(daemon)
  }

  @Test func followEndsWhenItsLogIsRemoved() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "trip", "--standing").status == 0)
    let follower = try Follower(["log", "follow", "trip"], at: place)
    _ = try follower.times(1)
    #expect(try run("log", "remove", "trip", "--force").status == 0)
    let end = try follower.end()
    #expect(end.status == 69 && end.errors.contains("no log named 'trip'"), "\(end.errors)")
    #expect(end.errors.split(whereSeparator: \.isNewline).count == 1, "\(end.errors)")
    ends(daemon)
  }

  @Test func followOfAnEncryptedLogNeedsItsKey() throws {
    let keygen = try run("log", "keygen", path("trip.key"))
    let seal = keygen.text.trimmingCharacters(in: .newlines)
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "trip", "--standing", "--seal", seal).status == 0)
    let refused = try run("log", "follow", "trip")
    #expect(refused.status == 77 && refused.errors.contains("use --key"), "\(refused.errors)")
    let follower = try Follower(["log", "follow", "trip", "--key", path("trip.key")], at: place)
    #expect(try follower.times(2).count == 2)
    #expect(try follower.leave().status == 0)
    let none = try run("log", "follow", "none")
    #expect(none.status == 69 && none.errors.contains("no log named 'none'"))
    ends(daemon)
    #expect(try run("log", "follow", "trip").status == 69)
  }

  @Test func notesAndNamesOfALogThatIsRecorded() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "--standing").status == 0)
    let follower = try Follower(["log", "follow"], at: place)
    _ = try follower.times(2)
    #expect(try run("log", "note", "coffee <here>\n\u{1B}[2J").status == 0)
    #expect(try run("log", "rename", "default", "tour").status == 0)
    _ = try follower.times(2)
    #expect(try run("log", "note", "tea", "--log", "tour").status == 0)
    #expect(try run("log", "note", "x").status == 69)
    let long = try run("log", "note", String(repeating: "x", count: 201), "--log", "tour")
    #expect(long.status == 64 && long.errors.contains("1 to 200 bytes"), "\(long.errors)")
    let gpx = try run("log", "export", "tour").text
    #expect(gpx.contains("<name>coffee &lt;here&gt; \u{FFFD}[2J</name>") && gpx.contains("<name>tea</name>"), "\(gpx)")
    #expect(gpx.components(separatedBy: "<trkseg>").count == 2)
    let shown = try #require(try run("log", "show", "tour").objects.first?["notes"] as? [[String: Any]])
    #expect(shown.map { $0["note"] as? String } == ["coffee <here> \u{FFFD}[2J", "tea"])
    let text = try run("log", "show", "tour", "--text").text
    #expect(text.contains(": tea\n") && !text.contains("\u{1B}"))
    #expect(try run("log", "export", "tour", "--format", "csv").text.contains(",tea\r\n"))
    // Notes inside a hidden region are hidden.
    let hidden = try run("log", "export", "tour", "--hide", "47.2,8.5,2000000")
    #expect(hidden.status == 0 && !hidden.text.contains("<wpt") && !hidden.text.contains("<trkpt"), "\(hidden.text)")
    #expect(hidden.errors.contains("hidden by --hide"))
    let list = try #require(try run("log", "list").objects.first)
    #expect(list["name"] as? String == "tour" && (list["points"] as? Int ?? 0) >= 4)
    #expect(try follower.leave().status == 0)
    ends(daemon)
  }

  /// A note with a changed bit, and one that is cut off, are counted like damaged blocks.
  @Test func damagedNotesAreCounted() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "--standing").status == 0)
    let follower = try Follower(["log", "follow"], at: place)
    _ = try follower.times(1)
    for text in ["one", "two", "three"] { #expect(try run("log", "note", text).status == 0) }
    let file = URL(fileURLWithPath: path("state/tracks/1/notes"))
    var bytes = try Data(contentsOf: file)
    bytes[100] ^= 1
    try bytes.dropLast(1).write(to: file)
    let shown = try run("log", "show")
    #expect(shown.status == 0 && shown.errors.contains("2 notes are damaged and were left out."), "\(shown.errors)")
    let notes = try #require(shown.objects.first?["notes"] as? [[String: Any]])
    #expect(notes.map { $0["note"] as? String } == ["two"])
    #expect(try run("log", "export").errors.contains("2 notes are damaged and were left out."))
    // The next note replaces the one that is cut off.
    #expect(try run("log", "note", "four").status == 0)
    let again = try run("log", "show")
    #expect(again.errors.contains("1 note is damaged and was left out."), "\(again.errors)")
    let rest = try #require(again.objects.first?["notes"] as? [[String: Any]])
    #expect(rest.map { $0["note"] as? String } == ["two", "four"])
    ends(daemon)
  }

  @Test func aRegionIsHiddenByItsName() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "--standing").status == 0)
    #expect(try run("region", "add", "home", "--at", "47.2,8.5", "--radius", "900000").status == 0)
    let unknown = try run("log", "export", "--hide", "work")
    #expect(unknown.status == 64 && unknown.errors.contains("your regions are home"), "\(unknown.errors)")
    let follower = try Follower(["log", "follow"], at: place)
    _ = try follower.times(2)
    let hidden = try run("log", "show", "--hide", "home").objects.first
    #expect(hidden?["fixes"] as? Int == 0)
    ends(daemon)
  }
}
