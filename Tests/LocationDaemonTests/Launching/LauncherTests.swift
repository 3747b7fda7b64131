import Foundation
import LinuxDevices
import LinuxIO
import LocationPolicy
import LocationdRecords
import TestSupport
import Testing

@Suite(.serialized) struct LauncherTests {
  @Test func anEventRunsItsCommandAndIsDone() throws {
    let run = try LaunchRun()
    run.launch(7, try run.note("echo $LOCATION_EVENT $LOCATION_ATTEMPT > seen; exit 3"))
    try run.run(until: 1)
    #expect(run.outcomes == [7: .ended(.exited(3))])
    #expect(run.lines("seen") == ["7 1"])
    #expect(run.events == [.failed(userID: ProcessEnvironment.userID, event: 7, .ended(.exited(3)))])
  }

  @Test func aHundredEventsAreRunOnceEachByOneAgent() throws {
    let run = try LaunchRun()
    let token = try run.note("echo $LOCATION_EVENT >> seen")
    var waiting = Array(UInt64(1)...100)[...]
    run.onRoom = {
      while let event = waiting.first, run.launch(event, token) { waiting.removeFirst() }
    }
    run.onRoom()
    #expect(waiting.count == 100 - LaunchQueue.most)
    try run.run(until: 100)
    #expect(run.outcomes == Dictionary(uniqueKeysWithValues: (1...100).map { (UInt64($0), .ended(.exited(0))) }))
    #expect(run.lines("seen").compactMap { Int($0) }.sorted() == Array(1...100))
    #expect(run.attempts.values.allSatisfy { $0 == 1 })
    #expect(run.lines("agents").count == 1)
    run.onRoom = {}
  }

  @Test func whatAKilledAgentRanComesAgainAndIsMarked() throws {
    let run = try LaunchRun()
    // At the first attempt, the agent is killed in the middle of the command, as on a machine that runs out of memory.
    run.launch(1, try run.note("echo $LOCATION_ATTEMPT >> seen; [ $LOCATION_ATTEMPT -gt 1 ] || kill -9 $PPID"))
    run.launch(2, try run.note("echo two >> seen; exit 0"))
    try run.run(until: 2)
    #expect(run.outcomes == [1: .ended(.exited(0)), 2: .ended(.exited(0))])
    #expect(run.lines("seen").filter { $0 != "two" } == ["1", "2"])
    #expect(run.attempts[1] == 2)
    #expect(run.lines("agents").count == 2)
  }

  @Test func aCommandThatAsksForItIsRunAgain() throws {
    let run = try LaunchRun()
    run.launch(1, try run.note("echo $LOCATION_ATTEMPT >> seen; [ $LOCATION_ATTEMPT -gt 1 ] || exit 75"))
    try run.run(until: 1)
    #expect(run.outcomes == [1: .ended(.exited(0))])
    #expect(run.lines("seen") == ["1", "2"])
  }

  @Test func withUnitsAnotherUsersAgentIsNotStartedAndTheAdministratorIsInstructed() throws {
    let program = HelperProgram(path: "/bin/false", name: "false", arguments: [])
    let run = try LaunchRun(place: AgentEndpoint(folder: "/nonexistent", program: program, hasUnits: true))
    let user: UInt32 = 4_200_001
    #expect(run.launcher.launch(event: 1, userID: user) { _ in nil })
    try run.run(until: 0)
    #expect(run.events == [.cannotReach(userID: user, .noSocket)])
    #expect(run.events.first?.sentence.contains("systemctl enable --now location-agent@4200001.socket") == true)
    #expect(run.outcomes.isEmpty)
  }

  @Test func anAgentThatEndsImmediatelyIsReportedAfterThreeTimes() throws {
    let program = HelperProgram(path: "/bin/false", name: "false", arguments: [])
    let run = try LaunchRun(place: AgentEndpoint(folder: "/nonexistent", program: program, hasUnits: false))
    let user = ProcessEnvironment.userID
    run.launch(1, try run.note("exit 0"))
    try run.run(until: 0)
    #expect(run.events == [.cannotReach(userID: user, .noAnswer)])
    #expect(run.events.first?.sentence.contains("journalctl -u location-agent@\(user)") == true)
    #expect(run.attempts == [1: LaunchQueue.mostLosses])
    #expect(run.outcomes.isEmpty)
  }

  @Test func anEventThatNoOrderSaysIsDone() throws {
    let run = try LaunchRun()
    let user = ProcessEnvironment.userID
    #expect(run.launcher.launch(event: 1, userID: user) { _ in nil })
    run.launch(2, try run.note("echo $LOCATION_EVENT > seen"))
    try run.run(until: 2)
    #expect(run.outcomes == [1: .noOrder, 2: .ended(.exited(0))])
    #expect(run.events == [.failed(userID: user, event: 1, .noOrder)])
    #expect(run.lines("seen") == ["2"])
  }

  @Test func rootStartsOthersAgentsAsThemAndNoOneElseDoes() throws {
    let folder = try TemporaryFolder()
    try folder.write("passwd", "root:x:0:0::/root:/bin/sh\nalice:x:1001:1002::/home/alice:/bin/sh\n")
    let own = HelperProgram(path: "/usr/bin/locationd", name: "locationd", arguments: [AgentLink.argument])
    let place = AgentEndpoint(program: own, hasUnits: false, accounts: AccountFiles(folder.path))
    let (program, sharesErrors) = try place.start(for: 1001, own: 0)
    #expect(program.path == "setpriv" && !sharesErrors)
    #expect(
      program.arguments == [
        "--reuid=1001", "--regid=1002", "--init-groups", "--reset-env", "--no-new-privs", "--inh-caps=-all",
        "--bounding-set=-all", "--", "/usr/bin/locationd", "event-agent",
      ])
    #expect(throws: AgentProblem.noAccount) { try place.start(for: 1003, own: 0) }
    #expect(throws: AgentProblem.noSocket) { try place.start(for: 1001, own: 1002) }
    #expect(throws: AgentProblem.noSocket) { try place.start(for: 0, own: 1001) }
    #expect(try place.start(for: 1001, own: 1001).program == own)
  }

  @Test func usersWithCommandsAreStoredForTheNextStart() throws {
    let folder = try TemporaryFolder()
    let registry = AgentRegistry(stateFolder: folder.path)
    try registry.note(1000)
    try registry.note(1000)
    try registry.note(1001)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/agents").sorted() == ["1000", "1001"])
  }
}
