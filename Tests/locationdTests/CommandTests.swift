import Foundation
import TestSupport
import Testing

/// `locationctl` with a daemon that answers.
@Suite(.serialized) struct CommandTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  /// Runs locationctl to its end; returns its exit status and the JSON object of its first line.
  private func run(_ arguments: String...) throws -> (status: Int32, line: [String: Any], errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: HelperProcess.folder + "/locationctl")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let first = text.split(separator: 0x0A).first ?? Data()
    let object = try? JSONSerialization.jsonObject(with: Data(first)) as? [String: Any]
    return (process.terminationStatus, object ?? [:], String(decoding: words, as: UTF8.self))
  }

  @Test func theCommandsAskTheDaemon() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let fix = try run("fix")
    #expect(fix.status == 0)
    #expect(fix.line["simulated"] as? Bool == true)
    try daemon.awaitLine("is open")
    #expect(try run("watch", "--count", "2").status == 0)
    #expect(try run("sky", "--count", "1").line["satellites"] != nil)
    let devices = try run("devices")
    #expect(devices.line["id"] as? String == "simulator")
    let status = try run("status", "--json")
    #expect(status.line["daemon"] as? Bool == true)
    #expect(status.line["pid"] as? Int == Int(daemon.processID))
    #expect(status.line["source"] as? String == "simulator")
    #expect(status.line["lastFixAge"] is Double)
    #expect((status.line["clients"] as? [[String: Any]])?.first?["name"] as? String == "locationctl")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func anotherSourceIsDrivenByTheCommandItself() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    #expect(try run("fix").status == 69)
    #expect(try run("fix", "--source", "simulator").status == 0)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func aRecordingIsPlayedWhenSomebodyAsks() throws {
    // Two minutes of the recording are played at once; at the recording's own pace, the first fix comes just as fast.
    for pace in [[], ["--realtime"]] {
      let log = place.folder.appendingPathComponent("drive.nmea")
      try Data((0..<120).flatMap(Self.epoch)).write(to: log)
      let daemon = try RunningDaemon.listening(["--replay", log.path] + pace, at: place)
      let fix = try run("fix", "--accuracy", "100")
      #expect(fix.status == 0, "\(fix.errors)")
      #expect(fix.line["simulated"] as? Bool == true)
      daemon.send(SIGTERM)
      #expect(daemon.end() == 0)
    }
  }

  private static func epoch(_ second: Int) -> [UInt8] {
    let time = String(format: "12%02d%02d.00", second / 60, second % 60)
    let position = String(format: "47%07.4f,N,00833.9000,E", 17.0 + Double(second) * 0.001)
    return [
      "GPRMC,\(time),A,\(position),3.6,0.0,011126,,,A", "GPGGA,\(time),\(position),1,08,1.0,400.0,M,47.0,M,,",
    ].flatMap { body in
      Array("$\(body)*\(String(format: "%02X", body.utf8.reduce(0, ^)))\r\n".utf8)
    }
  }

  @Test func withoutADaemonTheStatusSaysSo() throws {
    let status = try run("status")
    #expect(status.status == 0)
    #expect(status.line["daemon"] as? Bool == false)
    #expect(status.errors.contains("locationd is not running"))
  }

  @Test func theLastFixOutlivesTheDaemon() throws {
    let receiver = try HelperProcess("simulated-ublox", ["ublox8"], environment: [:])
    let path = try #require(receiver.next().map { String(decoding: $0, as: UTF8.self) })
    let first = try RunningDaemon.listening(["--source", "serial:\(path)"], at: place)
    let fix = try run("fix")
    #expect(fix.status == 0, "\(fix.errors)")
    first.send(SIGTERM)
    #expect(first.end() == 0)

    let second = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    let last = try run("fix", "--or-last")
    #expect(last.status == 0, "\(last.errors)")
    #expect(last.line["cached"] as? Bool == true)
    #expect(try #require(last.line["age"] as? Double) > 0)
    // The daemon may have had another epoch before it ended.
    let (asked, kept) = (fix.line["timestamp"] as? String, last.line["timestamp"] as? String)
    #expect(try #require(kept) >= #require(asked))
    // A fix that is recent enough for `--max-age` needs no receiver.
    let old = try run("fix", "--max-age", "3600")
    #expect(old.line["timestamp"] as? String == kept)
    #expect(old.line["latitude"] as? Double == last.line["latitude"] as? Double)
    // And no new fix is available.
    #expect(try run("fix", "--max-age", "0").status == 69)
    second.send(SIGTERM)
    #expect(second.end() == 0)
  }
}
