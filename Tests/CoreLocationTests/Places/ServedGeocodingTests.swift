import CoreLocation
import Foundation
import TestSupport
import Testing

/// A program with `CLGeocoder` and no data on this machine, a real daemon, and a server of places that the administrator has configured.
@Suite(.serialized, .enabled(if: StandInServer.isPossible, "there is no Python, or no libcurl"))
struct ServedGeocodingTests {
  private let place: RunningDaemon.Place
  private let server: StandInServer
  private static let network = CLError.Code.network.rawValue

  init() throws {
    place = try RunningDaemon.Place()
    server = try StandInServer()
    try server.servePlaces()
  }

  /// What the program prints, with a daemon that has these settings.
  private func lines(_ settings: [String: String]) throws -> [String] {
    let daemon = try RunningDaemon.listening(["--source", "simulator"], at: place, environment: settings)
    let run = try ClientRun(
      "geocode", source: "auto",
      environment: [
        "LOCATIOND_SOCKET": place.socket, "LOCATIOND_WORLD": "/nonexistent", "LOCATIOND_PLACES_FOLDER": "/nonexistent",
        "XDG_DATA_HOME": place.folder.path,
      ])
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    return run.lines
  }

  private func settings(_ path: String) -> [String: String] {
    [
      "LOCATIOND_PLACES_PROVIDER": "nominatim:" + server.address(path), "LOCATIOND_PLACES_CONTACT": "me@home.example",
    ]
  }

  @Test func theServerAnswers() throws {
    let found = try lines(settings(""))
    #expect(found == ["reverse 1 Städtle 49 49", "forward 1 Städtle 49 49"])
    #expect(server.count == 2)
    let sent = String(decoding: server.received, as: UTF8.self)
    #expect(sent.contains("accept-language=de") && sent.contains("(me@home.example)"), "\(sent)")
  }

  /// The server fails, sends no answer of a server of places, or refuses.
  @Test(arguments: ["/failing", "/garbage", "/too-often", "/page"])
  func aServerWithoutAnAnswerIsANetworkError(path: String) throws {
    #expect(
      try lines(settings(path)) == ["reverse error \(Self.network)", "forward error \(Self.network)"])
    #expect(server.count > 0)
  }

  @Test func withoutASettingNothingIsSent() throws {
    #expect(try lines([:]) == ["reverse error \(Self.network)", "forward error \(Self.network)"])
    #expect(server.count == 0)
  }

  /// A user whom the administrator has denied access: the text does not leave the machine.
  @Test(.enabled(if: ForeignProgram.isPossible, "needs root, setsid and setpriv"))
  func withoutAccessNothingIsSent() throws {
    let daemon = try RunningDaemon.listening(["--source", "simulator"], at: place, environment: settings(""))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.socket)
    let run = try ClientRun(
      "geocode", source: "auto", as: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
      environment: [
        "LOCATIOND_SOCKET": place.socket, "LOCATIOND_WORLD": "/nonexistent", "LOCATIOND_PLACES_FOLDER": "/nonexistent",
        "XDG_DATA_HOME": "/nonexistent",
      ])
    #expect(run.lines == ["reverse error \(Self.network)", "forward error \(Self.network)"])
    #expect(server.count == 0)
    withExtendedLifetime(daemon) {}
  }
}
