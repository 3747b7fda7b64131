import Foundation
import TestSupport
import Testing

/// The whole daemon with recorded messages of a kernel about a radio, and with a provider and tiles on this machine: from
/// `locationctl fix` to the bytes on the wire and back.
@Suite(
  .enabled(if: StandInServer.isPossible, "there is no Python, or no libcurl"),
  .enabled(if: RecordedRadio.isPossible, "needs cc and python3: apt-get install gcc python3")
) struct ProviderTests {
  /// Addresses that manufacturers assigned, and one that was made up; around 47.5° N 8.5° E.
  private static let addresses = (1...9).map { "00:01:e3:00:00:0\($0)" } + ["02:01:e3:00:00:0a"]

  private let place: RunningDaemon.Place
  private let server: StandInServer
  private let radio: RecordedRadio

  init() throws {
    place = try RunningDaemon.Place()
    server = try StandInServer()
    let table = place.folder.appendingPathComponent("city.csv")
    let rows = Self.addresses.map { "\($0),47.5,8.5\n" }.joined()
    try Data("bssid,latitude,longitude\n\(rows)".utf8).write(to: table)
    radio = try RecordedRadio(Self.addresses)
  }

  private func daemon(_ variables: [String: String]) throws -> RunningDaemon {
    try RunningDaemon.listening(
      ["--source", "wifi"], at: place, environment: radio.environment.merging(variables) { $1 })
  }

  @Test func aProviderIsAskedOnce() throws {
    let provider = ["LOCATIOND_WIFI_PROVIDER": server.address("/found")]
    for run in 0..<2 {
      let daemon = try daemon(provider)
      for command in [["fix", "--format", "json"], ["wifi", "locate", "--json"]] {
        let result = try CommandRun(command, at: place).finish()
        #expect(result.status == 0, "\(run): \(result.errors)")
        let fix = try #require(result.objects.first)
        #expect(fix["latitude"] as? Double == 47.5 && fix["longitude"] as? Double == 8.5)
        // The radius of a position from a moment ago grows by the distance that the machine may have moved since.
        let accuracy = try #require(fix["horizontalAccuracy"] as? Double)
        #expect((80..<100).contains(accuracy) && fix["technologies"] as? [String] == ["wifi"], "\(accuracy) m")
      }
      #expect(server.count == 1, "run \(run)")
      let account = try #require(try CommandRun.run("wifi", "learned", "--json", at: place).objects.first)
      #expect(account["learned"] as? Int == 0 && account["provider"] as? String == "127.0.0.1:\(server.port)")
      daemon.send(SIGTERM)
      #expect(daemon.end() == 0)
    }
    let sent = String(decoding: server.received, as: UTF8.self)
    #expect(Self.addresses.allSatisfy { sent.contains($0) == $0.hasPrefix("00:") })
  }

  /// A command that only lists the received access points sends nothing to the provider; no command does if no provider is set.
  @Test func noPromptWithoutARequest() throws {
    do {
      let daemon = try daemon(["LOCATIOND_WIFI_PROVIDER": server.address("/found")])
      let scan = try CommandRun.run("wifi", "scan", "--json", at: place)
      #expect(scan.objects.count == Self.addresses.count && server.count == 0, "\(scan.errors)")
      daemon.send(SIGTERM)
      #expect(daemon.end() == 0)
    }
    let daemon = try daemon([:])
    let fix = try CommandRun.run("fix", at: place)
    #expect(fix.status != 0 && server.count == 0)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// If a provider fails, `wifi learned` shows one sentence about it, and the daemon still reports what it knows itself.
  @Test func aProviderThatFails() throws {
    let daemon = try daemon(["LOCATIOND_WIFI_PROVIDER": server.address("/failing"), "LOCATIOND_WIFI_TILES": "nowhere"])
    #expect(try CommandRun.run("fix", at: place).status != 0)
    let account = try #require(try CommandRun.run("wifi", "learned", "--json", at: place).objects.first)
    #expect((account["providerProblem"] as? String)?.contains("500") == true)
    #expect(account["tileProblem"] != nil && server.count == 1)
    let table = place.folder.appendingPathComponent("city.csv").path
    #expect(try CommandRun.run("wifi", "import", table, at: place).status == 0)
    let fix = try #require(try CommandRun(["fix", "--format", "json"], at: place).finish().objects.first)
    #expect(abs((fix["latitude"] as? Double ?? 0) - 47.5) < 0.001 && server.count == 1)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// The daemon reports wrong settings once, at the start.
  @Test func wrongSettings() throws {
    let daemon = try RunningDaemon(
      ["--source", "wifi"], at: place, environment: ["LOCATIOND_WIFI_PROVIDER": "beacondb"])
    try daemon.awaitLine("LOCATIOND_WIFI_PROVIDER is not an http or https address")
    try daemon.awaitLine("Listening")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// The answer of a provider shows for which place tiles are needed; afterwards the place is known without the provider.
  @Test func aProviderAndTiles() throws {
    let tiles = place.folder.appendingPathComponent("tiles")
    let table = place.folder.appendingPathComponent("city.csv").path
    let other = try RunningDaemon.Place()
    for command in [["wifi", "import", table], ["wifi", "export", tiles.path]] {
      let run = try CommandRun(command, at: other, environment: ["LOCATIOND_SOCKET": "/nonexistent/socket"]).finish()
      #expect(run.status == 0, "\(run.errors)")
    }
    let daemon = try daemon([
      "LOCATIOND_WIFI_PROVIDER": server.address("/found"), "LOCATIOND_WIFI_TILES": tiles.path,
    ])
    #expect(try CommandRun.run("fix", at: place).status == 0)
    // The tiles are fetched after the answer; each request lets the loop turn, and the requests end when the tiles are there.
    var fetched = 0
    for _ in 0..<200 where fetched == 0 {
      let account = try #require(try CommandRun.run("wifi", "learned", "--json", at: place).objects.first)
      fetched = account["fetched"] as? Int ?? 0
    }
    #expect(fetched == Self.addresses.count)
    let fix = try #require(try CommandRun(["wifi", "locate", "--json"], at: place).finish().objects.first)
    #expect(fix["accessPoints"] as? Int == Self.addresses.count && server.count == 1)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }
}
