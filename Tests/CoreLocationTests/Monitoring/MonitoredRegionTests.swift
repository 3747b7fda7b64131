import Foundation
import TestSupport
import Testing

/// Regions, visits and significant changes of programs written for Apple's framework, with `locationd` and a recorded day trip,
/// which is played as fast as it can be read.
@Suite struct MonitoredRegionTests {
  private let place: RunningDaemon.Place
  private let recording: TemporaryFolder
  private let recorded = RecordedOuting()

  init() throws {
    place = try RunningDaemon.Place()
    recording = try TemporaryFolder()
    try recorded.write(to: file)
  }

  private var file: URL { recording.url.appendingPathComponent("outing.capture") }

  private func outing(_ environment: [String: String] = [:]) throws -> RunningDaemon {
    try .listening(["--replay", file.path], at: place, environment: environment)
  }

  /// A daemon without a receiver: there are no events.
  private func nowhere(_ environment: [String: String] = [:]) throws -> RunningDaemon {
    try .listening(["--source", "serial:/dev/no-such-receiver"], at: place, environment: environment)
  }

  private func end(_ daemon: RunningDaemon) {
    daemon.send(SIGTERM)
    _ = daemon.end()
  }

  /// Waits until the day trip has been played to its end.
  private func awaitEnd() throws { try PersonInCharge(place).awaitFix(of: recorded.end) }

  private static let home = "home \(RecordedOuting.home.latitude) \(RecordedOuting.home.longitude) 300"
  private static let lake = "lake \(RecordedOuting.lake.latitude) \(RecordedOuting.lake.longitude) 300"

  @Test func crossingsReachEveryManagerAndItsDelegateInTheirOrder() throws {
    let daemon = try outing()
    let program = try MonitoringProgram(at: place)
    try program.send("manager", "manager", "region 1 \(Self.lake)")
    // A recording that is played at full speed may be over before the next request comes.
    let before = try program.awaitAll("1 entered lake", "2 entered lake")
    #expect(before.first == "1 started lake")
    #expect(before.count { $0 == "1 entered lake" } == 1)
    #expect(before.firstIndex(of: "1 state lake 1").map { $0 < before.firstIndex(of: "1 entered lake") ?? 0 } == true)
    #expect(before.contains("2 state lake 1") && !before.contains("2 started lake"), "\(before)")
    try program.send("monitored 2", "same 1 2", "state 2 lake", "state 2 nowhere")
    #expect(try program.await("monitored lake") == [])
    #expect(try program.await("same true") == [])
    #expect(try program.await("2 state lake 1") == [])
    #expect(try program.end() == [], "of a region that is not monitored nothing is told")
    withExtendedLifetime(daemon) {}
  }

  @Test func eventsWhileAProgramWasStoppedAreDeliveredOnceOnItsReturn() throws {
    var daemon = try nowhere()
    var program = try MonitoringProgram(at: place)
    try program.send("manager", "region 1 \(Self.home)", "region 1 \(Self.lake)")
    try program.await("1 started lake")
    try program.end()
    end(daemon)
    // The whole day is played, and the service ends.
    daemon = try outing()
    try awaitEnd()
    end(daemon)
    daemon = try nowhere()
    // The program dies while its delegate handles the exit event: this event is sent again, but not the ones that were handled
    // before.
    program = try MonitoringProgram(at: place)
    try program.send("manager left home")
    let first = program.rest()
    #expect(first.last == "1 left home", "\(first)")
    program = try MonitoringProgram(at: place)
    try program.send("manager")
    let second = try program.await("1 entered lake")
    #expect(second.count { $0 == "1 left home" } == 1, "\(second)")
    try program.send("monitored 1")
    #expect(try program.await("monitored home lake").isEmpty)
    // When this is answered, the service has recorded the acknowledgment.
    try program.send("state 1 lake")
    try program.await("1 state lake 1")
    try program.end()
    program = try MonitoringProgram(at: place)
    try program.send("manager", "monitored 1", "state 1 lake")
    #expect(try program.await("1 state lake 1") == ["monitored home lake"], "nothing is told twice that was heard")
    try program.send("stop 1 home", "stop 1 lake", "monitored 1")
    #expect(try program.await("monitored ") == [])
    try program.end()
    end(daemon)
  }

  @Test func visitsAndSignificantChangesComeToWhomTheyAreFor() throws {
    var daemon = try nowhere()
    var program = try MonitoringProgram(at: place)
    try program.send("manager", "visits 1 on", "changes 1 on", "region 1 \(Self.lake)")
    try program.await("1 started lake")
    try program.end()
    end(daemon)
    daemon = try outing()
    program = try MonitoringProgram(at: place)
    // A program that runs again receives the events through its managers, before it starts anything.
    try program.send("manager", "manager")
    let received = try program.awaitAll("1 visit true false 46.977", "2 visit true false 46.977")
    let visits = program.lines.filter { $0.hasPrefix("1 visit") }
    // The visit at the place where monitoring began, with an unknown arrival; then the departure from it, and the arrival at the
    // next place.
    #expect(visits.prefix(2) == ["1 visit false false 46.950", "1 visit false true 46.950"], "\(received)")
    let moves = received.filter { $0.hasPrefix("1 moved") }
    #expect(moves.first == "1 moved 46.950 true" && moves.last == "1 moved 46.977 true", "\(moves)")
    // A manager that starts significant changes receives the current position, and the others do not; starting again causes no
    // event, and another manager receives the known position.
    try program.send("changes 2 on")
    #expect(try program.await("2 moved 46.977 true").isEmpty)
    try program.send("changes 2 on", "changes 1 on")
    #expect(try program.await("1 moved 46.977 true").isEmpty)
    try program.send("location 1")
    #expect(try program.await("location true").isEmpty)
    // After no manager requests them any more, they begin again with the current position.
    try program.send("changes 2 off", "changes 1 off", "changes 2 on")
    #expect(try program.await("2 moved 46.977 true").isEmpty)
    try program.send("visits 1 off", "changes 2 off")
    try program.end()
    end(daemon)
  }

  /// An invalid radius, a radius that reaches more than around the earth, an invalid position, a name that is too long, a beacon:
  /// each failure names its region.
  @Test func whatCannotBeMonitoredIsReportedByItsName() throws {
    let daemon = try nowhere(["LOCATIOND_REGIONS": "2"])
    let program = try MonitoringProgram(at: place)
    try program.send(
      "manager", "region 1 none 47 8 nan", "region 1 zero 47 8 0", "region 1 less 47 8 -5", "region 1 all 47 8 1e9",
      "region 1 pole 91 8 5", "long 1 1025", "beacon 1", "region 1 half 47 8 20003931", "region 1 two 47 8 5",
      "region 1 three 47 8 5", "region 1 two 47 8 6")
    // A region is replaced even if there is no room for another.
    let received = try program.await("1 started two")
    let last = try program.await("1 started two")
    let names = ["none", "zero", "less", "all", "pole", String(repeating: "x", count: 20), "beacon"]
    #expect(
      received + last == names.map { "1 failed \($0) 5" } + ["1 started half", "1 failed three 5"],
      "\(received) \(last)")
    try program.send("monitored 1")
    try program.await("monitored half two")
    try program.end()
    withExtendedLifetime(daemon) {}
  }

  @Test func manyRegionsAreAddedImmediately() throws {
    let daemon = try nowhere()
    let program = try MonitoringProgram(at: place)
    try program.send("manager", "many 1 5000", "region 1 last 47 8 5 exit-only")
    try program.await("1 started last")
    let again = try MonitoringProgram(at: place)
    try again.send("manager")
    try again.awaitMonitored("5001")
    try program.end()
    try again.end()
    withExtendedLifetime(daemon) {}
  }

  @Test func aProgramThatMonitorsNothingHasNoList() throws {
    let daemon = try nowhere()
    let program = try MonitoringProgram(at: place)
    try program.send("manager", "monitored 1", "state 1 home")
    try program.await("monitored ")
    try program.end()
    end(daemon)
    let state = place.folder.appendingPathComponent("state/monitoring/monitoring.sqlite")
    #expect(!FileManager.default.fileExists(atPath: state.path))
  }

  // MARK: - Monitors

  @Test func aMonitorIsReportedWhyAConditionIsNotWatched() throws {
    let daemon = try nowhere(["LOCATIOND_REGIONS": "1"])
    let program = try MonitoringProgram(at: place)
    try program.send("monitor zoo")
    try program.await("open ")
    try program.send("add \(Self.home)")
    try awaitKept("open home")
    try program.send("add third 1 2 300")
    #expect(try program.line() == "event third 3 too-many after 3")
    try program.send("add bad 1 2 nan")
    #expect(try program.line() == "event bad 3 unsupported after 3")
    try program.send("add-beacon beacon")
    #expect(try program.line() == "event beacon 3 unsupported after 3")
    try program.awaitRecords("bad 3, beacon 3, home 0, third 3")
    try program.end()
    withExtendedLifetime(daemon) {}
  }

  /// Waits until another process finds the added conditions in the monitor.
  private func awaitKept(_ wanted: String) throws {
    var line = ""
    repeat {
      let program = try MonitoringProgram(at: place)
      try program.send("monitor zoo")
      line = try program.line()
      try program.end()
    } while line != wanted
  }

  @Test func aMonitorGoesOnWhereTheLastOneOfItsNameEnded() throws {
    var daemon = try nowhere()
    var program = try MonitoringProgram(at: place)
    try program.send("monitor zoo")
    try program.await("open ")
    try program.send("add \(Self.lake) 2", "add \(Self.home) 1")
    try program.awaitRecords("home 1, lake 2")
    // Another name means another monitor, and a manager's regions do not belong to any monitor.
    let other = try MonitoringProgram(at: place)
    try other.send("monitor other", "manager", "monitored 1")
    #expect(Set(try other.await("monitored ")).isSubset(of: ["open "]))
    try other.end()
    try awaitKept("open home lake")
    try program.end()
    end(daemon)
    daemon = try outing()
    try awaitEnd()
    end(daemon)
    daemon = try nowhere()
    program = try MonitoringProgram(at: place)
    // The program dies while it handles the first event: the event is sent again.
    try program.send("monitor zoo event home 2")
    #expect(program.rest() == ["open home lake", "event home 2 after 1"])
    program = try MonitoringProgram(at: place)
    try program.send("monitor zoo")
    #expect(try program.await("event lake 1 after 2") == ["open home lake", "event home 2 after 1"])
    try program.awaitRecords("home 2, lake 1")
    try program.send("remove home")
    try program.await("removed")
    try awaitKept("open lake")
    try program.end()
    program = try MonitoringProgram(at: place)
    try program.send("monitor zoo")
    #expect(try program.line() == "open lake")
    try program.awaitRecords("lake 1")
    #expect(try program.end().isEmpty, "what was handled is told no more")
    end(daemon)
  }
}
