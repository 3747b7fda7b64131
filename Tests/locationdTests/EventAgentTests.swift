import Foundation
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// The real agent of a user, with real shells.
@Suite(.serialized) struct EventAgentTests {
  private static let hostile =
    "it's \"home\" $(touch pwned) `touch pwned` ; touch pwned\n&& touch pwned \\ * ~ \u{1F3E0} --"

  @Test func theEventIsInTheEnvironmentAndOnTheInputAndNowhereElse() throws {
    let bed = try AgentBed()
    let token = try bed.note(
      "env > env; printf %s \"$LOCATION_REGION\" > region; cat > input; pwd > folder; tr '\\0' '\\n' </proc/$$/cmdline > line"
    )
    let input = Array((0..<16_384).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let run = try bed.run(token, [("LOCATION_REGION", Self.hostile), ("LOCATION_ATTEMPT", "1")], input: input)
    #expect(try bed.next() == LaunchResponse(run: run, .started))
    #expect(try bed.next() == LaunchResponse(run: run, .ended(.exited(0))))
    #expect(bed.file("region") == Array(Self.hostile.utf8))
    #expect(bed.file("input") == input)
    #expect(bed.file("folder") == Array("\(bed.home)\n".utf8))
    #expect(bed.file("pwned") == nil)
    let line = String(decoding: bed.file("line") ?? [], as: UTF8.self)
    #expect(line.hasPrefix("/bin/sh\n-c\nenv > env") && !line.contains("home\""))
    // The environment is clean: it contains the named variables of the agent's environment, and no others.
    let names = Set(
      String(decoding: bed.file("env") ?? [], as: UTF8.self).split(separator: "\n").compactMap {
        $0.contains("=") ? $0.split(separator: "=")[0] : nil
      })
    #expect(names.isSuperset(of: ["PATH", "HOME", "LOCATION_REGION", "LOCATION_ATTEMPT"]))
    #expect(!names.contains("SECRET"))
  }

  @Test func whatHangsIsStoppedAtTheEndOfItsTime() throws {
    let bed = try AgentBed()
    let pipe = try bed.heldPipe()
    defer { close(pipe) }
    // The command also ignores SIGTERM.
    try bed.run(try bed.note("exec 3>fifo; trap '' TERM; while :; do sleep 1000; done", budget: 1))
    #expect(try bed.content() == .started)
    #expect(try bed.content() == .ended(.outOfTime))
    #expect(bed.isLetGo(pipe))
    #expect(bed.awaitLine("--budget") != nil)
  }

  @Test func whatItLeavesBehindEndsWithIt() throws {
    let bed = try AgentBed()
    let pipe = try bed.heldPipe()
    defer { close(pipe) }
    try bed.run(try bed.note("exec 3>fifo; sleep 1000 & sleep 1000 &"))
    #expect(try bed.content() == .started)
    #expect(try bed.content() == .ended(.exited(0)))
    #expect(bed.isLetGo(pipe))
  }

  @Test func floodsDoNotBlockOtherClients() throws {
    let bed = try AgentBed()
    // The test does not read the agent's messages here, so that their pipe is full at once.
    let flood = try bed.run(try bed.note("yes; exit 3", budget: 1))
    #expect(try bed.next() == LaunchResponse(run: flood, .started))
    let other = try bed.run(try bed.note("exit 4"))
    #expect(try bed.next() == LaunchResponse(run: other, .started))
    #expect(try bed.next() == LaunchResponse(run: other, .ended(.exited(4))))
    #expect(try bed.next() == LaunchResponse(run: flood, .ended(.outOfTime)))
  }

  @Test func aClientThatReadsNothingBlocksNoOther() throws {
    let bed = try AgentBed()
    try bed.run(try bed.note("exec true"), input: [UInt8](repeating: 7, count: 16_384))
    #expect(try bed.content() == .started)
    #expect(try bed.content() == .ended(.exited(0)))
  }

  @Test(arguments: [
    ("/nonexistent", LaunchEnding.exited(127)), ("/etc/passwd", .exited(126)), ("exit 75", .exited(75)),
    ("kill -9 $$", .killed(signal: 9)),
    ("'", .exited(2)),
  ]) func howItEndedIsReportedAsItWas(_ text: String, _ ending: LaunchEnding) throws {
    let bed = try AgentBed()
    try bed.run(try bed.note(text))
    #expect(try bed.content() == .started)
    #expect(try bed.content() == .ended(ending))
  }

  @Test func unsavedCommandsAreNotRun() throws {
    let bed = try AgentBed()
    try bed.run(CommandToken(high: 1, low: 2))
    #expect(try bed.content() == .unknownCommand)
    let token = try bed.note("true")
    try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: "\(bed.book.folder)/\(token.text)")
    try bed.run(token)
    #expect(try bed.content() == .unknownCommand)
    #expect(bed.awaitLine("mode 622") != nil)
    // A home folder that is locked, and therefore missing, is no reason to forget the command: the answer is not
    // `unknownCommand`.
    try FileManager.default.removeItem(atPath: bed.home)
    try bed.run(token)
    #expect(try bed.content() == .cannotStart(errno: ENOENT))
  }

  @Test func aHundredEventsRunFourAtATimeInTheirOrder() throws {
    let bed = try AgentBed()
    let token = try bed.note(
      "echo $LOCATION_EVENT >> starts; mkdir run.$$; set -- run.*; echo $# >> counts; rmdir run.$$")
    for number in 1...100 { try bed.run(token, [("LOCATION_EVENT", "\(number)")]) }
    var (started, ended) = ([UInt64](), Set<UInt64>())
    while ended.count < 100, let answer = try bed.next() {
      switch answer.content {
      case .started:
        started.append(answer.run)
        #expect(started.count - ended.count <= 4)
      case .ended(.exited(0)): ended.insert(answer.run)
      case let other: Issue.record("\(other)")
      }
    }
    #expect(started == Array(1...100))
    let lines = String(decoding: bed.file("starts") ?? [], as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    #expect(Set(lines) == Set(1...100) && lines.count == 100)
    let counts = String(decoding: bed.file("counts") ?? [], as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    #expect((counts.max() ?? 9) <= 4)
  }

  @Test func invalidOrderEndsTheConnectionAndTheAgent() throws {
    for bytes in [
      Array("GET / HTTP/1.1\r\n\r\n".utf8), [0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0, 0, 9], [0, 0, 0, 0],
      LaunchResponse(run: 1, .started).frame,
    ] {
      let bed = try AgentBed()
      bed.send(bytes)
      #expect(try bed.next() == nil)
      #expect(bed.awaitLine("an invalid request") != nil)
      #expect(bed.end() == 0)
    }
  }

  @Test func endingItInterruptsTheCommandWithoutReportingAnEnd() throws {
    let bed = try AgentBed()
    try bed.run(try bed.note("echo $$ > number; exec sleep 1000"))
    #expect(try bed.content() == .started)
    bed.signal(SIGTERM)
    #expect(try bed.next() == nil)
    #expect(bed.end() == 0)
  }

  @Test func itEndsWithTheOneThatStartedItWhenWhatRunsHasEnded() throws {
    let bed = try AgentBed()
    let fifo = bed.home + "/fifo"
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    try bed.run(try bed.note("read line < fifo; echo $line > seen"))
    #expect(try bed.content() == .started)
    bed.hangUp()
    try Data("end\n".utf8).write(to: URL(fileURLWithPath: fifo))
    #expect(bed.end() == 0)
    #expect(bed.file("seen") == Array("end\n".utf8))
  }

  @Test func withoutADesktopNothingIsShown() throws {
    let bed = try AgentBed(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
    bed.order(.notification(try #require(DesktopNotification(title: "-Arrived", body: "<b>home</b>"))))
    #expect(try bed.content() == .cannotShow(.failed))
    let bare = try AgentBed(environment: [
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus", "PATH": "/nonexistent",
    ])
    bare.order(.notification(try #require(DesktopNotification(title: "Arrived", body: ""))))
    #expect(try bare.content() == .cannotShow(.noProgram))
  }

  @Test(.enabled(if: OtherUserRun.isPossible, "being another user needs root"))
  func itTakesOrdersOfItsUserAndOfRootAndRunsAsItsUser() throws {
    let bed = try AgentBed(by: OtherUserRun.identity)
    // A command that root saved is not one of the user's and is not run; after it belongs to the user, it is run.
    let token = try bed.note("id -u > who; id -G >> who")
    try bed.run(token)
    #expect(try bed.content() == .unknownCommand)
    for path in [
      bed.folder, bed.home, "\(bed.home)/.local", "\(bed.home)/.local/state", "\(bed.home)/.local/state/locationd",
      bed.book.folder, "\(bed.book.folder)/\(token.text)",
    ] {
      #expect(unsafe chown(path, uid_t(OtherUserRun.user), gid_t(OtherUserRun.user)) == 0)
    }
    try bed.run(token)
    #expect(try bed.content() == .started)
    #expect(try bed.content() == .ended(.exited(0)))
    #expect(bed.file("who") == Array("\(OtherUserRun.user)\n\(OtherUserRun.user)\n".utf8))
  }

  @Test(.enabled(if: OtherUserRun.isPossible, "being another user needs root"))
  func itTakesNoOrdersOfOthers() throws {
    let socket = try AgentSocket()
    let stranger = try socket.connect(as: OtherUserRun.user)
    #expect(stranger == "", "it is let go without a word")
    #expect(socket.awaitLine("User \(OtherUserRun.user) may not run commands here") != nil)
  }
}
