import Foundation
import TestSupport
import Testing

/// Users without access at gpsd's port, and what changes while they are connected.
@Suite(
  .serialized, .enabled(if: OtherUserRun.isPossible, "needs root, to be another user, and programs that it can run"))
struct GPSDAccessTests {
  private static let user = 4_200_150

  private func grant(_ words: String..., at serving: GPSDServing) throws {
    let run = try CommandRun.run(["grant", "\(Self.user)"] + words, at: serving.place)
    #expect(run.status == 0, "\(run.errors)")
  }

  /// Everything that a web page or another program can send, and every way to close a connection.
  @Test func aUserWithoutAccessReceivesNoPosition() throws { try attack(connections: 6, rounds: 1) }

  /// 10,240 connections.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1", "long: LOCATION_SOAK=1"))
  func manyConnectionsReceiveNoPosition() throws { try attack(connections: 8, rounds: 80) }

  private func attack(connections: Int, rounds: Int) throws {
    let serving = try GPSDServing()
    // The receiver is open, and has a fix.
    let root = try PortConnection(port: serving.gpsd)
    root.send("?WATCH={\"enable\":true,\"json\":true}\n")
    #expect(root.line(with: "\"lat\"") != nil)
    for _ in 0..<rounds {
      var attacks: [(kind: String, run: NetworkAttackRun)] = []
      for kind in ["watch", "half", "reset", "early", "post", "tls", "drip", "poll"] {
        for ipv6 in [false, true] {
          attacks.append((kind, try serving.attack("tcp-\(kind)", connections, user: Self.user, ipv6: ipv6)))
        }
      }
      // Positions are sent meanwhile, to a program with access.
      for _ in 0..<2 { #expect(root.line(with: "\"lat\"") != nil) }
      for (kind, run) in attacks {
        let counts = run.end()
        #expect(counts["positions"] == 0, "\(kind): \(counts)")
        if ["post", "tls"].contains(kind) { #expect(counts["closed"] == connections, "\(kind): \(counts)") }
      }
    }
    #expect(root.line(with: "\"lat\"") != nil)
  }

  @Test func grantsAndRevocationsTakeEffectAtOnce() throws {
    let serving = try GPSDServing()
    let client = try ForeignConnection(user: Self.user, port: serving.gpsd)
    client.send("?WATCH={\"enable\":true,\"json\":true}\n")
    #expect(client.line(with: "TPV")?.contains("\"mode\":0") == true)
    try grant("--always", at: serving)
    #expect(client.line(with: "\"lat\"") != nil)
    #expect(client.line(with: "SKY") != nil)
    let denied = try CommandRun.run("revoke", "\(Self.user)", at: serving.place)
    #expect(denied.status == 0, "\(denied.errors)")
    #expect(client.line(with: "ERROR")?.contains("not authorized") == true)
    // The receiver continues for others, and nothing of it comes here.
    let root = try PortConnection(port: serving.gpsd)
    root.send("?WATCH={\"enable\":true,\"json\":true}\n")
    for _ in 0..<3 { #expect(root.line(with: "\"lat\"") != nil) }
    client.send("?POLL;\n")
    let answer = try #require(client.line(with: "POLL"))
    #expect(!answer.contains("\"lat\"") && !answer.contains("satellites"))
    #expect(!client.hasSeenPosition(after: "not authorized"))
  }

  /// A position of reduced accuracy is that of the grid, and nothing else gives the exact one away.
  @Test func reducedAccuracyHidesSatellitesAndRawData() throws {
    let serving = try GPSDServing()
    try grant("--always", "--reduced", at: serving)
    let client = try ForeignConnection(user: Self.user, port: serving.gpsd)
    client.send("?WATCH={\"enable\":true,\"json\":true,\"nmea\":true,\"raw\":2}\n")
    let error = try #require(client.line(with: "ERROR"))
    #expect(error.contains("raw data needs access to the exact location"))
    let position = try #require(client.line(with: "\"lat\""))
    let object = try #require(JSONSerialization.jsonObject(with: Data(position.utf8)) as? [String: Any])
    #expect(object["mode"] as? Int == 2)
    #expect((object["eph"] as? Double ?? 0) > 1000, "\(position)")
    #expect(object["speed"] == nil && object["alt"] == nil && object["time"] == nil || object["time"] is String)
    client.send("?POLL;\n")
    #expect(client.line(with: "POLL")?.contains("satellites") == false)
    #expect(!client.received.contains { $0.contains("\"satellites\"") || $0.contains("GSV") })
  }

  /// Clients of one user have a bound, others and root are served nevertheless.
  @Test func oneUserDoesNotTakeAllConnections() throws {
    let serving = try GPSDServing()
    let flood = try serving.attack("tcp-watch", 200, user: Self.user)
    #expect(flood.begin["refused"] == 72, "\(flood.begin)")
    let root = try PortConnection(port: serving.gpsd)
    root.send("?WATCH={\"enable\":true,\"json\":true}\n")
    #expect(root.line(with: "\"lat\"") != nil)
    #expect(try CommandRun.run("fix", "--timeout", "20", at: serving.place).status == 0)
    try serving.daemon.awaitLine("who already had 128 clients")
    #expect(flood.end()["positions"] == 0)
  }
}

/// A connection of another user, through `nc`-like copying of a helper.
final class ForeignConnection {
  private let process: HelperProcess
  private(set) var received: [String] = []

  init(user: Int, port: Int) throws {
    process = try HelperProcess(
      "hostile-clients", ["127.0.0.1:\(port)", "\(user)", "tcp-copy", "1"], environment: [:])
  }

  func send(_ text: String) { try? process.send(text) }

  func line() -> String? {
    guard let line = process.next() else { return nil }
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    received.append(text)
    return text
  }

  func line(with text: String) -> String? {
    while let line = line() { if line.contains(text) { return line } }
    return nil
  }

  /// Whether a position has come after the line with that text.
  func hasSeenPosition(after text: String) -> Bool {
    guard let index = received.lastIndex(where: { $0.contains(text) }) else { return true }
    return received[index...].contains { $0.contains("\"lat\":") }
  }
}
