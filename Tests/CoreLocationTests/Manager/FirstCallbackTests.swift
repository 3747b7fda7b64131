import Foundation
import TestSupport
import Testing

/// A manager's first callback reports the authorization, and a request for one location waits for a receiver.
@Suite struct FirstCallbackTests {
  @Test func theAuthorizationIsReportedBeforeAllElse() throws {
    #expect(try ClientRun("first-callback").lines == ["authorization 1"])
  }

  @Test func theAuthorizationIsReportedBeforeAllElseWhereADaemonServes() throws {
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    let run = try ClientRun("first-callback", source: "auto", environment: ["LOCATIOND_SOCKET": place.socket])
    #expect(run.lines == ["authorization 1"])
    withExtendedLifetime(daemon) {}
  }

  @Test func aDelegateThatComesLateIsReportedOfItFirst() throws {
    #expect(try ClientRun("late-delegate").lines == ["authorization locations"])
  }

  /// As at boot, before USB devices have been enumerated.
  @Test func aRequestWaitsForAReceiverThatIsNotThereYet() throws {
    let receiver = try LateReceiver()
    let program = try HelperProcess(
      "location-client", ["request-before-receiver"],
      environment: [
        "LOCATIOND_SOURCE": "serial:\(receiver.path)", "LOCATIOND_GPSD": "off",
        "LOCATIOND_STATE": "\(receiver.path)-state",
      ])
    func next() -> String? { program.next().map { String(decoding: $0, as: UTF8.self) } }
    #expect(next() == "waiting")
    receiver.plugIn()
    #expect(next() == "answered 1 0")
  }

  /// A request fails after 60 s if no receiver appears.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1"))
  func aRequestEndsAfterAMinute() throws {
    let lines = try ClientRun("request", source: "serial:/dev/no-such-receiver").lines
    #expect(lines == ["authorization 3", "unknown"])
  }
}
