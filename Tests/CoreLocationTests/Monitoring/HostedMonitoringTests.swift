import Foundation
import TestSupport
import Testing

/// Regions of programs that host the service themselves, because no `locationd` answers: only one program of a user at a time,
/// and its regions still exist when it runs again.
@Suite struct HostedMonitoringTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func program(_ environment: [String: String] = [:]) throws -> MonitoringProgram {
    try MonitoringProgram(at: place, environment: ["LOCATIOND_SOURCE": "simulator"].merging(environment) { $1 })
  }

  /// The position of the simulator.
  private static let here = "here 47.285 8.565 5000"

  @Test func monitoringOfAnEarlierRunContinuesAndUnacknowledgedEventsAreRedelivered() throws {
    var run = try program()
    try run.send("manager state here 1", "region 1 \(Self.here)")
    #expect(run.rest() == ["1 started here", "1 state here 1"])
    run = try program()
    try run.send("manager")
    try run.await("1 state here 1")
    // A second program at the same time cannot monitor; a program that monitors nothing does not prevent others from it.
    let other = try program()
    try other.send("manager", "region 1 other 1 2 300")
    #expect(try other.line() == "1 failed other 5")
    try other.send("monitor zoo", "monitored 1")
    #expect(Set([try other.line(), try other.line()]) == ["open ", "monitored "])
    try other.send("add lake 1 2 300")
    #expect(try other.line() == "event lake 3 unkept after 3")
    try other.end()
    try run.send("region 1 there 46 8 300")
    try run.await("1 started there")
    try run.end()
    run = try program()
    try run.send("manager", "monitored 1", "stop 1 here", "stop 1 there", "monitored 1")
    #expect(try run.await("monitored ") == ["monitored here there"])
    try run.end()
  }

  @Test func whatCannotBeKeptIsAFailure() throws {
    let run = try program(["LOCATIOND_STATE": "/proc/nowhere"])
    try run.send("manager", "region 1 \(Self.here)", "visits 1 on")
    #expect(Set([try run.line(), try run.line()]) == ["1 failed here 5", "1 error 0"])
    try run.send("monitor zoo")
    #expect(try run.line() == "open ")
    try run.send("add \(Self.here)")
    #expect(try run.line() == "event here 3 unkept after 3")
    try run.end()
  }
}
