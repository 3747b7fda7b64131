import Foundation
import TestSupport
import Testing

/// NMEA 0183 in datagrams to the addresses of the settings.
@Suite(.serialized) struct NMEATargetTests {
  /// A program that reads datagrams at a port of this machine.
  private final class Reader {
    private let descriptor: Int32
    let port: Int

    struct NotBound: Error {}

    init() throws {
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      self.descriptor = descriptor
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
      port = Int(UInt16(bigEndian: address.sin_port))
      guard isBound else { throw NotBound() }
    }

    deinit { close(descriptor) }

    /// The next datagram; `nil` if none comes in this time.
    func next(seconds: Int) -> String? {
      var patience = timeval(tv_sec: seconds, tv_usec: 0)
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// Whether a datagram with a position comes.
    func hasPosition(seconds: Int = 20) -> Bool {
      for _ in 0..<20 {
        guard let text = next(seconds: seconds) else { return false }
        if text.contains("GNGGA"), !text.contains("GGA,,,"), text.contains(",N,") { return true }
      }
      return false
    }
  }

  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func grant(_ who: String) throws -> [String: Any]? {
    try CommandRun.run("grants", at: place).objects.first { $0["who"] as? String == who }
  }

  @Test func theSettingGrantsAndARevocationEndsIt() throws {
    let reader = try Reader()
    try place.configure("nmea-send = udp://127.0.0.1:\(reader.port)\n")
    let daemon = try RunningDaemon.listening(["--source", "simulator"], at: place)
    #expect(reader.hasPosition())
    var kinds: Set<String> = []
    for _ in 0..<6 {
      let text = try #require(reader.next(seconds: 20))
      #expect(text.hasSuffix("\r\n") && text.utf8.count <= 1432)
      for line in text.split(separator: "\r\n") { kinds.insert(String(line.dropFirst(3).prefix(3))) }
    }
    #expect(kinds == ["RMC", "GGA", "GST", "GSA", "GSV", "VTG"], "\(kinds)")
    let granted = try #require(try grant("net:127.0.0.1"))
    #expect(granted["level"] as? String == "always" && granted["user"] == nil, "\(granted)")
    let status = try #require(try CommandRun.run("status", at: place).objects.first)
    #expect(status["indicator"] as? String != "none", "\(status)")
    let clients = try #require(status["clients"] as? [[String: Any]])
    #expect(
      clients.contains { $0["who"] as? String == "net:127.0.0.1" && $0["protocol"] as? String == "nmea" }, "\(clients)")

    #expect(try CommandRun.run("revoke", "net:127.0.0.1", at: place).status == 0)
    // What was sent before the revocation may still wait here.
    var wait = 0
    while wait < 5, reader.next(seconds: 3) != nil { wait += 1 }
    #expect(wait < 5)
    // A reload does not grant it again; an administrator does.
    daemon.send(SIGHUP)
    try daemon.awaitLine("Reloaded")
    #expect(reader.next(seconds: 2) == nil)
    #expect(try CommandRun.run("grant", "net:127.0.0.1", "--always", at: place).status == 0)
    #expect(reader.hasPosition())

    try place.configure("nmea-send = off\n")
    daemon.send(SIGHUP)
    try daemon.awaitLine("Reloaded")
    #expect(try grant("net:127.0.0.1") == nil)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func targetsAreAddedAndRemovedByCommand() throws {
    let group = try CommandRun.run("gpsd", "on", "--send", "udp://224.0.0.5:10110", at: place)
    #expect(group.status == 64 && group.errors.contains("--broadcast"), "\(group.errors)")
    let name = try CommandRun.run("gpsd", "on", "--send", "udp://localhost:10110", at: place)
    #expect(name.status == 64 && name.errors.contains("numeric"), "\(name.errors)")
    #expect(try CommandRun.run("gpsd", "on", "--send", "udp://192.0.2.7:10110", at: place).status == 0)
    #expect(try CommandRun.run("gpsd", "on", "--send", "udp://224.0.0.5:10110", "--broadcast", at: place).status == 0)
    let value = try CommandRun.run("config", "get", "nmea-send", "--text", at: place)
    #expect(
      value.text.contains("udp://192.0.2.7:10110,udp://224.0.0.5:10110?broadcast=yes"), "\(value.text)\(value.errors)")
    #expect(try CommandRun.run("gpsd", "off", "--send", "udp://192.0.2.7:10110", at: place).status == 0)
    #expect(try CommandRun.run("gpsd", "off", "--send", "udp://224.0.0.5:10110", at: place).status == 0)
    #expect(try CommandRun.run("config", "get", "nmea-send", "--text", at: place).text.contains("off"))
    #expect(try CommandRun.run("gpsd", "on", "--broadcast", at: place).status == 64)
  }
}
