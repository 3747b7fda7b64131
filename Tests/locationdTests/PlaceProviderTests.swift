import Foundation
import TestSupport
import Testing

/// The whole daemon with a server of places on this machine: from `locationctl places` to the bytes on the wire and back.
@Suite(.enabled(if: StandInServer.isPossible, "there is no Python, or no libcurl"))
struct PlaceProviderTests {
  private let place: RunningDaemon.Place
  private let server: StandInServer
  private static let world = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "PlacesTests/Cut").path

  init() throws {
    place = try RunningDaemon.Place()
    server = try StandInServer()
    try server.servePlaces()
  }

  private func daemon(_ variables: [String: String]) throws -> RunningDaemon {
    try RunningDaemon.listening(["--source", "simulator"], at: place, environment: variables)
  }

  private func run(_ arguments: String...) throws -> CommandRun.Result {
    let variables = [
      "LOCATIOND_WORLD": Self.world, "XDG_DATA_HOME": place.folder.path, "LOCATIOND_PLACES_FOLDER": "/nonexistent",
    ]
    return try CommandRun(["places"] + arguments, at: place, environment: variables).finish()
  }

  private var sent: String { String(decoding: server.received, as: UTF8.self) }

  @Test func theServerIsAskedAfterTheFiles() throws {
    let daemon = try daemon([
      "LOCATIOND_PLACES_PROVIDER": "nominatim:" + server.address(""), "LOCATIOND_PLACES_CONTACT": "me@home.example",
    ])
    for _ in 0..<2 {
      let found = try #require(try run("at", "47.1416,9.5226", "--json", "--language", "de").objects.first)
      #expect(found["name"] as? String == "Städtle 49" && found["timeZone"] as? String == "Europe/Vaduz")
      #expect((found["attribution"] as? [String])?.contains { $0.contains("OpenStreetMap contributors") } == true)
    }
    #expect(server.count == 1, "the answer is kept")
    #expect(sent.contains("GET /reverse?format=geocodejson&lat=47.14160&lon=9.52260&zoom=18&accept-language=de "))
    #expect(sent.contains("(me@home.example)") && sent.contains("User-Agent: swift-corelocation/"), "\(sent)")
    let address = try #require(try run("find", "Städtle 49, Vaduz", "--json").objects.first)
    #expect(address["subThoroughfare"] as? String == "49" && server.count == 2)

    // The data on this machine has these answers; and nobody is asked while a person types.
    #expect(try run("find", "Vaduz", "--json").objects.first?["kind"] as? String == "town")
    #expect(try run("find", "--complete", "Städtle 4", "--json").status != 70)
    #expect(try run("list").status == 0)
    let fix = try CommandRun(
      ["fix", "--place", "--format", "json"], at: place, environment: ["LOCATIOND_WORLD": Self.world]
    ).finish()
    #expect(fix.status == 0 && server.count == 2, "\(fix.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func withoutAContactNothingIsSent() throws {
    let daemon = try daemon(["LOCATIOND_PLACES_PROVIDER": "nominatim:" + server.address("")])
    let found = try run("at", "47.1416,9.5226", "--json")
    // The town of the data on this machine, and why there is no more.
    #expect(found.status == 0 && found.objects.first?["name"] as? String == "Vaduz", "\(found)")
    #expect(found.errors.contains("places-contact") && server.count == 0, "\(found.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func withoutASettingNothingIsSent() throws {
    let daemon = try daemon([:])
    let found = try run("at", "47.1416,9.5226", "--json")
    #expect(found.status == 0 && found.errors == "" && server.count == 0, "\(found)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test(arguments: ["/failing", "/garbage", "/huge", "/to-other", "/too-often"])
  func aServerThatFails(path: String) throws {
    let daemon = try daemon([
      "LOCATIOND_PLACES_PROVIDER": "photon:" + server.address(path), "LOCATIOND_PLACES_CONTACT": "me@home.example",
    ])
    for _ in 0..<2 {
      let found = try run("at", "47.1416,9.5226", "--json")
      #expect(found.status == 0 && found.objects.first?["name"] as? String == "Vaduz", "\(found)")
      #expect(found.errors.contains("The server of places 127.0.0.1"), "\(found.errors)")
    }
    #expect(server.count == 1, "a server that fails is left alone")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }
}
