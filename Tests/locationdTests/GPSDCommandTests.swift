import Foundation
import LinuxIO
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
    let port = Int.random(in: 20_000..<32_000)
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

  /// A port that systemd has opened: a program that connects before the daemon runs is served once it does. While the setting is off, the
  /// daemon serves no port, whoever has opened it.
  @Test func aPortOpenedBySystemdIsServed() throws {
    let port = UInt16.random(in: 20_000..<32_000)
    let listener = try TCPListener(at: try #require(NetworkAddress(numeric: "127.0.0.1", port: port)))
    let early = try PortConnection(port: Int(port))
    early.send("?WATCH={\"enable\":true,\"json\":true}\n")
    let script = "LISTEN_FDS=1 LISTEN_FDNAMES=gpsd LISTEN_PID=$$ exec \"$@\" 3<&0 0</dev/null"
    let daemon = try RunningDaemon.listening(at: place, shell: script, standardInput: listener.descriptor)
    #expect(early.line()?.contains("VERSION") == true)
    #expect(early.line(with: "\"lat\"") != nil)
    let shown = try #require(try ports(try status()).first)
    #expect(shown["activated"] as? Bool == true && shown["address"] as? String == "127.0.0.1:\(port)", "\(shown)")
    try place.configure("gpsd-listen = off\n")
    daemon.send(SIGHUP)
    while early.line() != nil {}
    #expect(try ports(try status()).isEmpty)
  }

  /// A socket with another name is not one of these ports: it is closed, and so is a connection that waits there.
  @Test func anotherPortOfSystemdIsNotServed() throws {
    let port = UInt16.random(in: 20_000..<32_000)
    let listener = try TCPListener(at: try #require(NetworkAddress(numeric: "127.0.0.1", port: port)))
    let script = "LISTEN_FDS=1 LISTEN_FDNAMES=web LISTEN_PID=$$ exec \"$@\" 3<&0 0</dev/null"
    let daemon = try RunningDaemon.listening(at: place, shell: script, standardInput: listener.descriptor)
    #expect(try ports(try status()).isEmpty)
    withExtendedLifetime((daemon, listener.descriptor)) {}
  }
}
