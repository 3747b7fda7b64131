import Foundation
import TestSupport
import Testing

/// `locationctl gpsd` beside a daemon. Only root and the daemon's own user may change its settings.
@Suite(.serialized) struct GPSDCommandTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func status(_ arguments: String...) throws -> CommandRun.Result {
    try CommandRun.run(["gpsd"] + arguments, at: place)
  }

  private func ports(_ run: CommandRun.Result) throws -> [[String: Any]] {
    let object = try #require(run.objects.first, "\(run.errors)")
    return try #require(object["ports"] as? [[String: Any]])
  }

  @Test func withoutADaemonOnlyTheStatusFails() throws {
    #expect(try status().status == 69)
    #expect(try status("status", "--nmea").status == 64)
    #expect(try status("on", "--json").status == 64)
    #expect(try status("often").status == 64)
  }

  /// The setting is stored, the daemon that runs applies it, and the status shows the port and its clients.
  @Test func aPortIsSwitchedOnAndOff() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try ports(try status()).isEmpty)
    // The usual port may be taken on this machine: another one stands for it.
    let port = Int.random(in: 20_000..<60_000)
    let stored = try CommandRun.run("config", "set", "nmea-listen", "127.0.0.1:\(port)", at: place)
    #expect(stored.status == 0, "\(stored.errors)")
    try daemon.awaitLine("Serving NMEA 0183 at 127.0.0.1:\(port)")
    let client = try PortConnection(port: port)
    #expect(client.line(with: "GNRMC") != nil)
    let run = try status("status", "--json")
    let shown = try #require(try ports(run).first)
    #expect(shown["protocol"] as? String == "nmea" && shown["address"] as? String == "127.0.0.1:\(port)")
    #expect(shown["state"] as? String == "listening" && shown["activated"] as? Bool == false)
    let clients = try #require(run.objects.first?["clients"] as? [[String: Any]])
    #expect(clients.count == 1 && clients.first?["protocol"] as? String == "nmea", "\(clients)")
    let text = try status("--text").text
    #expect(text.contains("NMEA 0183") && text.contains("127.0.0.1:\(port)") && text.contains("NMEA client"), "\(text)")
    let off = try status("off", "--nmea")
    #expect(off.status == 0, "\(off.errors)")
    // The daemon closes the connection.
    while client.line() != nil {}
    #expect(try ports(try status()).isEmpty)
    #expect(try status("--text").text.contains("are off"))
    #expect(try CommandRun.run("config", "get", "nmea-listen", at: place).text.contains("off"))
  }
}
