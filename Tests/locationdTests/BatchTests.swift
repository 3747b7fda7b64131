import Foundation
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// `locationctl watch --batch` beside a daemon with a simulated receiver: a client in the background, as a service is.
@Suite(
  .serialized, .enabled(if: OtherUserRun.isPossible, "needs root, to be another user, and programs that it can run"))
struct BatchTests {
  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(["--source", "simulator"], at: place)
    let grant = try CommandRun(["grant", "\(OtherUserRun.user)", "--always"], at: place).finish()
    #expect(grant.status == 0, "\(grant.errors)")
  }

  /// The command as a service runs it: without a terminal.
  private func watch(_ arguments: String..., isOver: (BatchRun) throws -> Void) throws -> BatchRun.Result {
    let run = try BatchRun(["watch", "--format", "json"] + arguments, at: place)
    try isOver(run)
    return try run.finish()
  }

  private func times(_ objects: [[String: Any]]) -> [String] { objects.compactMap { $0["timestamp"] as? String } }

  /// Every update is printed once and in order, as without the option, and several come at once: a line of a batch is already there when
  /// the one before is read.
  @Test func updatesComeTogetherAndNoneIsLost() throws {
    let result = try watch("--batch", "4s", "--count", "10") { _ in }
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.objects.count == 10)
    let times = times(result.objects)
    #expect(times == times.sorted() && Set(times).count == times.count)
    // One update a second: apart from the first ones, each read finds about four.
    #expect(result.reads.contains { $0 >= 3 }, "\(result.reads)")
    #expect(result.reads.count <= 6, "\(result.reads)")
    // The updates of a batch have their own ages.
    let ages = result.objects.compactMap { $0["age"] as? Double }
    #expect(ages.contains { $0 > 1.5 }, "\(ages)")
  }

  /// What the service holds is printed when the command ends, however it ends.
  @Test func theRestIsPrintedAtTheEnd() throws {
    let result = try watch("--batch", "1h", "--duration", "5") { _ in }
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.objects.count >= 2, "\(result.objects.count)")
    let stopped = try watch("--batch", "1h") { run in
      try run.awaitHeld(at: place)
      run.stop()
    }
    #expect(stopped.objects.count >= 3 && stopped.reads.contains { $0 >= 2 }, "\(stopped.reads) \(stopped.errors)")
  }

  /// A daemon that ends delivers first; the command continues with the next one.
  @Test func aDaemonThatEndsDeliversFirst() throws {
    let run = try BatchRun(["watch", "--format", "json", "--batch", "1h"], at: place)
    try run.awaitHeld(at: place)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    for _ in 0..<3 { #expect(run.next()?["latitude"] != nil) }
    let next = try RunningDaemon.listening(["--source", "simulator"], at: place)
    try next.awaitLine("connected")
    run.stop()
    #expect(try run.finish().errors == "")
  }

  /// A grant that is revoked ends the command. DeferralGateTests show that what is held then is not delivered.
  @Test func aRevokedGrantEndsTheCommand() throws {
    let result = try watch("--batch", "1h") { run in
      try run.awaitHeld(at: place)
      let revoked = try CommandRun(["revoke", "\(OtherUserRun.user)"], at: place).finish()
      #expect(revoked.status == 0, "\(revoked.errors)")
    }
    #expect(result.status == 77, "\(result.errors)")
  }
}
