import Foundation
import Geodesy
import TestSupport
import Testing

/// The position in `status`: only for users with access, with their accuracy, and without a receiver that is started for it.
@Suite(.serialized) struct StatusPositionTests {
  private let place: RunningDaemon.Place
  private let receiver: DilutedReceiver
  private let daemon: RunningDaemon

  init() throws {
    place = try RunningDaemon.Place()
    receiver = try DilutedReceiver()
    daemon = try RunningDaemon.listening(["--source", "serial:\(receiver.path)"], at: place)
  }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  private func status() throws -> [String: Any] {
    let run = try run("status", "--json")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    return try #require(run.objects.first)
  }

  private func states(_ status: [String: Any]) -> [String] {
    (status["devices"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
  }

  @Test func theLastKnownPositionStartsNoReceiver() throws {
    for _ in 0..<3 {
      let status = try status()
      #expect(states(status) == ["closed"] && status["position"] == nil && status["inUse"] as? Bool == false)
    }
    #expect(try run("fix").status == 0)
    let object = try status()
    let position = try #require(object["position"] as? [String: Any])
    let latitude = try #require(position["latitude"] as? Double)
    #expect((latitude - (47 + 17.0 / 60)).magnitude < 1e-4)
    #expect(try #require(position["horizontalAccuracy"] as? Double) > 0)
    #expect(try #require(position["age"] as? Double) >= 0)
    #expect(position["timestamp"] is String && position["device"] == nil)
    let text = try run("status", "--text").text
    #expect(text.contains(#/\n  Position  47\.2833\d° N, 8\.5650\d° E  ±[0-9.]+ m( now)?\n/#), "\(text)")
    #expect(text.contains(" now\n") == text.contains(" when measured\n"), "\(text)")
    // Both radii are those of JSON: the present one, and the one of the measurement, which is smaller.
    let measured = try #require(object["lastFixRadius"] as? Double)
    #expect(try #require(position["horizontalAccuracy"] as? Double) >= measured - 1e-3)
  }

  /// The service has not read the log that an earlier run recorded.
  @Test func theLengthOfALogIsKnownAfterARestart() throws {
    #expect(try run("log", "start", "trip", "--standing").status == 0)
    #expect(try run("watch", "-n", "5").status == 0)
    #expect(try run("log", "stop", "trip").status == 0)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    let other = try RunningDaemon.listening(["--source", "serial:\(receiver.path)"], at: place)
    let listed = try #require(try status()["logs"] as? [[String: Any]]).first
    #expect(listed?["distance"] is Double && listed?["points"] as? Int ?? 0 > 0, "\(String(describing: listed))")
    #expect(try run("status", "--text").text.contains(#/\n  Logs      trip  ○ stopped  \d+ m  \d+ k?B /#))
    other.send(SIGTERM)
    #expect(other.end() == 0)
  }

  /// A user without access gets none, one with reduced accuracy the coarse one.
  @Test(.enabled(if: OtherUserRun.isPossible, "needs root, and setpriv"))
  func othersGetWhatTheyHaveAccessTo() throws {
    #expect(try run("fix").status == 0)
    func position() throws -> [String: Any]? {
      let run = try OtherUserRun(["status", "--json"], at: place).finish()
      #expect(run.status == 0, "\(run.errors)")
      return try #require(run.objects.first)["position"] as? [String: Any]
    }
    #expect(try position() == nil)
    // The refused request asks no one.
    #expect(try run("grants").text.contains("\(OtherUserRun.user)") == false)
    #expect(try run("grant", "\(OtherUserRun.user)", "--always", "--reduced").status == 0)
    let coarse = try #require(try position())
    #expect(try #require(coarse["horizontalAccuracy"] as? Double) >= 1000)
    let (latitude, longitude) = (
      try #require(coarse["latitude"] as? Double), try #require(coarse["longitude"] as? Double)
    )
    #expect((latitude - (47 + 17.0 / 60)).magnitude > 1e-4 || (longitude - (8 + 33.9 / 60)).magnitude > 1e-4)
    #expect(coarse["altitude"] == nil)
    #expect(try run("grant", "\(OtherUserRun.user)", "--always").status == 0)
    let exact = try #require(try position())
    #expect(try #require(exact["horizontalAccuracy"] as? Double) < 100)
  }
}
