import Foundation
import TestSupport
import Testing

/// Managers of programs written for Apple's framework, with a simulated receiver behind the real serial driver.
@Suite struct ManagerRunTests {
  private func run(_ form: String, source: String = "simulator") throws -> [String] {
    try ClientRun(form, source: source).lines
  }

  /// The locations are in order, the manager's own `location` is the newest one, and it is marked as simulated.
  private static let one = "locations 1 true true true"

  @Test(arguments: [("updates", 3), ("thread", 2), ("run-loop-run", 2)])
  func locationsComeToTheThreadThatMadeTheManager(form: String, count: Int) throws {
    #expect(try run(form) == ["authorization 3"] + [String](repeating: Self.one, count: count))
  }

  @Test func aRequestIsAnsweredOnce() throws {
    #expect(try run("request") == ["authorization 3", Self.one])
  }

  @Test func aNestedRunLoopIsServedWhileTheMainQueueIsBusy() throws {
    #expect(try run("nested") == ["nested 2"])
  }

  @Test func anAsynchronousMainIsServedWithoutARunLoop() throws {
    #expect(try ClientRun("", of: "async-location-client").lines == ["located true"])
  }

  @Test func aProgramWithoutARunLoopIsServedByTheMainQueue() throws {
    #expect(try run("main-queue") == ["locations 1"])
  }

  @Test func whatComesMeanwhileIsReportedImmediatelyTheNewestLast() throws {
    let lines = try run("slow")
    #expect(lines.count == 2 && lines.first == "locations 1 true")
    #expect(["locations 3 true", "locations 4 true"].contains(lines.last))
  }

  @Test func aRegionThatIsInvalidIsRefusedToItsDelegate() throws {
    #expect(try run("region").contains("region home"))
  }

  /// Each refusal comes in its own callback, if Apple has one, and never as a denial, because programs end their updates after a
  /// denial.
  @Test func whatIsNotToBeHadDisturbsNoUpdates() throws {
    let lines = try run("refusals")
    // Updates cannot be deferred before they run.
    #expect(lines == ["region 5, ranging 16, older ranging 16, deferred 12"])
  }

  @Test func completionsComeLaterOnTheRunLoop() throws {
    #expect(try run("completions") == ["told 0", "pushes true, history true, accuracy 18", "gone true"])
  }

  @Test func liveUpdatesComeToATask() throws {
    #expect(try run("live") == ["live true", "live true"])
  }

  @Test func liveUpdatesSayThatThereIsNoReceiver() throws {
    #expect(try run("live", source: "serial:/dev/no-such-receiver").first == "live false")
  }

  /// No receiver, or one that has ended for good: the error is "location unknown", and the program goes on.
  @Test(arguments: [("request", ClientRun.nothing), ("updates", "serial:/dev/no-such-receiver")])
  func withoutAReceiverItIsUnknown(form: String, source: String) throws {
    let lines = try run(form, source: source)
    #expect(lines.filter { $0 == "unknown" }.count == 1, "\(lines)")
  }
}
