import Foundation
import TestSupport
import Testing

/// Programs written for Apple's framework, with a running `locationd`: they behave as they would without it.
@Suite struct DaemonServedTests {
  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(at: place)
  }

  /// The lines of a program, with the daemon's count of the clients that it has served.
  private func lines(
    _ form: String, of program: String = "location-client", source: String = "auto"
  ) throws -> (said: [String], clients: Int) {
    let run = try ClientRun(form, of: program, source: source, environment: ["LOCATIOND_SOCKET": place.socket])
    daemon.send(SIGTERM)
    return (run.lines, daemon.rest().count { $0.contains("Client \(program)") && $0.hasSuffix(" connected.") })
  }

  @Test(arguments: [
    ("updates", ["authorization 3"] + [String](repeating: "locations 1 true true true", count: 3)),
    ("thread", ["authorization 3"] + [String](repeating: "locations 1 true true true", count: 2)),
    ("request", ["authorization 3", "locations 1 true true true"]), ("live", ["live true", "live true"]),
    ("main-queue", ["locations 1"]), ("settings", ["shared true far true"]),
    ("cached", ["known true cached true newer true"]), ("older", ["older true true"]),
    ("stop-in-callback", ["stopped 0"]), ("free-elsewhere", ["let go"]),
  ])
  func programsReceiveTheSameAsFromAnOwnService(form: String, expected: [String]) throws {
    let run = try lines(form)
    #expect(run.said == expected)
    #expect(run.clients == 1, "one connection")
  }

  /// Each timer that stays armed would wake the program while it has nothing to do.
  @Test func aManagerWhoseUpdatesWereStoppedLeavesNoTimerArmed() throws {
    let run = try lines("stopped")
    #expect(run.said.last == "armed 0" && run.clients == 1, "\(run.said)")
  }

  @Test func anAsynchronousMainIsServed() throws {
    let run = try lines("", of: "async-location-client")
    #expect(run.said == ["located true"] && run.clients == 1)
  }

  /// A program opens a source that is named for it by itself, like `--source` on the command line.
  @Test func aNamedSourceIsDrivenByTheProgram() throws {
    let run = try lines("updates", source: "simulator")
    #expect(run.said.count == 4 && run.clients == 0)
  }

  @Test func aThousandManagersAreOneClientWithOneStream() throws {
    let run = try lines("crowd")
    #expect(run.said == ["crowd 0 0"])
    #expect(run.clients == 1)
  }

  @Test func aHundredTasksIterateImmediately() throws {
    let run = try lines("live-crowd")
    #expect(run.said == ["live 100"] && run.clients == 1)
  }

  @Test func aThousandRequestsImmediatelyAreAnsweredOnceEach() throws {
    let run = try lines("crowd-request")
    #expect(run.said == ["answered 1000 0"])
    #expect(run.clients == 1)
  }
}
