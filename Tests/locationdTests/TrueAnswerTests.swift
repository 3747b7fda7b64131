import Foundation
import TestSupport
import Testing

/// Answers must not claim more than is true: an accuracy that was not reached, a log that is not being recorded, a service that is
/// not running.
@Suite(.serialized) struct TrueAnswerTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  @Test func anAccuracyThatIsNotReachedIsNoAnswer() throws {
    let unreached = ["fix", "--source", "simulator", "--accuracy", "0.001", "--timeout", "4"]
    let failed = try CommandRun(unreached, at: place)
    let best = try CommandRun(unreached + ["--or-best"], at: place)
    let shown = try CommandRun(unreached + ["--or-best", "--format", "text"], at: place)
    let reached = try CommandRun(["fix", "--source", "simulator", "--accuracy", "1000"], at: place)
    let (failure, answer) = (failed.finish(), best.finish())
    #expect(failure.status == 75 && failure.text == "")
    #expect(failure.errors.contains("No fix of "), "\(failure.errors)")
    #expect(answer.status == 0 && answer.objects.first?["accuracyMet"] as? Bool == false, "\(answer.errors)")
    #expect(shown.finish().text.contains("less accurate than requested"))
    #expect(reached.finish().objects.first?["accuracyMet"] as? Bool == true)
    #expect(try CommandRun.run("fix", "--or-best", at: place).status == 64)
  }

  @Test func aFixWithinItsAgeIsCurrent() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try CommandRun.run("watch", "--count", "1", at: place).status == 0)
    let fix = try CommandRun.run("fix", "--format", "text", "--max-age", "60", at: place)
    #expect(fix.status == 0 && fix.text.contains("Position") && !fix.text.contains("last known"), "\(fix.text)")
    withExtendedLifetime(daemon) {}
  }

  @Test func theLogsOfADaemonThatIsGoneAreInterrupted() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try CommandRun.run("log", "start", at: place).status == 0)
    let before = try CommandRun.run("log", "list", "--json", at: place).objects.first
    #expect(before?["running"] as? Bool == true && before?["state"] as? String == "recording")
    // Another process that reads the same folder sees that the log is being recorded.
    let beside = try CommandRun(
      ["log", "list", "--json"], at: place, environment: ["LOCATIOND_SOCKET": "\(place.folder.path)/none"]
    ).finish()
    #expect(beside.objects.first?["state"] as? String == "recording")
    daemon.send(SIGKILL)
    _ = daemon.end()
    let after = try CommandRun.run("log", "list", "--json", at: place).objects.first
    #expect(after?["running"] as? Bool == false && after?["state"] as? String == "interrupted")
    let status = try CommandRun.run("status", "--json", at: place).objects.first
    let logs = status?["logs"] as? [[String: Any]]
    #expect(logs?.first?["state"] as? String == "interrupted" && status?["inUse"] as? Bool == false)
  }

  @Test func aStateFolderThatCanNeverBeWrittenEndsTheDaemon() throws {
    let daemon = try RunningDaemon(at: place, environment: ["LOCATIOND_STATE": "/proc"])
    #expect(daemon.end() == 73)
    let lines = daemon.rest()
    #expect(lines.last?.contains("Cannot write the state folder /proc (") == true, "\(lines)")
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "mounting a file system needs root, and a machine that lets it"))
  func aFullDiskWithoutLogsHasNone() throws {
    let disk = try SmallFileSystem(kilobytes: 256)
    let state = ["LOCATIOND_STATE": disk.path]
    let daemon = try RunningDaemon.listening(at: place, environment: state)
    disk.fill()
    let list = try CommandRun(["log", "list"], at: place, environment: state).finish()
    #expect(list.status == 0 && list.text == "", "\(list.errors)")
    #expect(try daemon.awaitLine("Cannot read or write the logs in").contains("the disk is full"))
    #expect(try CommandRun(["log", "start"], at: place, environment: state).finish().status == 73)
    let again = try CommandRun(["log", "list"], at: place, environment: state).finish()
    #expect(again.status == 0 && again.text == "", "\(again.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    #expect(daemon.rest().filter { $0.contains("disk is full") } == [], "said once")
  }

  // MARK: - A service that is running

  @Test func aServiceThatDoesNotAnswerIsNotSaidToBeGone() throws {
    let daemon = try RunningDaemon.listening(at: place)
    daemon.send(SIGSTOP)
    let fix = try CommandRun.run("fix", "--timeout", "1", at: place)
    #expect(fix.status == 75)
    #expect(fix.errors.contains("did not answer") && !fix.errors.contains("start it again"), "\(fix.errors)")
    daemon.send(SIGCONT)
    #expect(try CommandRun.run("fix", "--timeout", "20", at: place).status == 0)
  }

  @Test func aServiceThatAcceptsNoClientsIsBusy() throws {
    // A socket whose backlog is full, as with an overloaded service.
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: place.socket.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    func withAddress(_ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
      unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
      }
    }
    let bound = unsafe withAddress({ unsafe bind(listener, $0, size) })
    try #require(bound == 0 && listen(listener, 0) == 0)
    var waiting: [Int32] = []
    defer { for descriptor in waiting { close(descriptor) } }
    var connected: Int32 = 0
    while connected == 0, waiting.count < 8 {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      waiting.append(descriptor)
      connected = unsafe withAddress({ unsafe connect(descriptor, $0, size) })
    }
    try #require(connected == -1)
    let fix = try CommandRun.run("fix", "--timeout", "1", at: place)
    #expect(fix.status == 75)
    #expect(fix.errors.contains("is busy and did not accept the connection"), "\(fix.errors)")
  }
}
