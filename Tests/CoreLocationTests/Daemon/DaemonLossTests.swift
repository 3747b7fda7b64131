import Foundation
import LinuxIO
import LocationIPC
import TestSupport
import Testing

/// The daemon ends, restarts, refuses, or does not exist: programs continue, and receive what Apple's framework would report.
@Suite struct DaemonLossTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func isRising(_ times: [Int]) -> Bool { zip(times, times.dropFirst()).allSatisfy { $0 < $1 } }

  @Test func updatesGoOnWhenTheDaemonIsKilledAndComesBack() throws {
    var daemon = try RunningDaemon.listening(at: place)
    let program = try FollowingProgram(at: place)
    for _ in 0..<2 {
      try program.awaitLocations(2)
      daemon.send(SIGKILL)
      _ = daemon.end()
      daemon = try RunningDaemon.listening(at: place)
    }
    try program.awaitLocations(2)
    let lines = try program.end()
    #expect(isRising(program.times), "\(lines)")
    // No such line, or one each time if this machine is slower than the seconds for which a stream may be silent.
    #expect(lines.count { $0 == "unknown" } <= 2 && !lines.contains { $0.hasPrefix("error") }, "\(lines)")
    #expect(lines.last == "pipe true")
  }

  @Test func anAbsentDaemonIsReportedOnceAndItsReturnDetected() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let program = try FollowingProgram(at: place)
    try program.awaitLocations(2)
    daemon.send(SIGKILL)
    _ = daemon.end()
    try program.awaitLine("unknown")
    let next = try RunningDaemon.listening(at: place)
    try program.awaitLocations(2)
    let lines = try program.end()
    #expect(lines.count { $0 == "unknown" } == 1 && isRising(program.times), "\(lines)")
    #expect(lines.last == "pipe true")
    withExtendedLifetime(next) {}
  }

  /// Whatever answers on the socket, the program does not open a receiver itself.
  @Test(arguments: [
    (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "another program answers"),
    ([0xFF, 0xFF, 0xFF, 0xFF], "another program answers"),
    (ServerMessage.refused(.unsupportedVersion(oldest: 7, newest: 8)).frame, "different versions"),
    (ServerMessage.refused(.brokenProtocol).frame, "does not understand this program"),
  ])
  func anUnexpectedAnswerWarnsAndLeavesTheLocationUnknown(answer: [UInt8], complaint: String) throws {
    let service = try FakeService(at: place.socket, answering: answer)
    for form in ["request", "updates"] {
      let lines = try ClientRun(form, source: "auto", environment: ["LOCATIOND_SOCKET": place.socket]).lines
      #expect(lines.contains("authorization 3") && lines.contains("unknown"), "\(lines)")
      #expect(lines.count { $0.contains(complaint) } == 1, "\(lines)")
      #expect(lines.count == 3, "\(lines)")
    }
    withExtendedLifetime(service) {}
  }

  /// The daemon accepts the connection and never sends anything: for the program, the authorization is not determined.
  @Test func aDaemonThatStallsLeavesTheLocationUnknown() throws {
    let service = try FakeService(at: place.socket, answering: [])
    let lines = try ClientRun("updates", source: "auto", environment: ["LOCATIOND_SOCKET": place.socket]).lines
    #expect(lines == ["authorization 0", "unknown"])
    withExtendedLifetime(service) {}
  }

  /// The daemon is full for now: the program prints one line about it, and gets no location until there is room.
  @Test func aFullDaemonIsComplainedOfOnceAndComeBackTo() throws {
    var service: FakeService? = try FakeService(
      at: place.socket, answering: ServerMessage.refused(.tooManyClients(limit: 256)).frame)
    let program = try FollowingProgram(at: place)
    try program.awaitLine("unknown")
    withExtendedLifetime(service) {}
    service = nil
    let daemon = try RunningDaemon.listening(at: place)
    try program.awaitLocations(2)
    let lines = try program.end()
    #expect(lines.count { $0 == "unknown" } == 1, "\(lines)")
    withExtendedLifetime(daemon) {}
  }
}
