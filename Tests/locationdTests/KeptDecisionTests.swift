import Foundation
import TestSupport
import Testing

/// What was decided is on the disk when it is said to be, and else whoever decided hears that it is not.
@Suite(
  .serialized,
  .enabled(if: SmallFileSystem.isPossible, "mounting a file system needs root, and a machine that lets it"))
struct KeptDecisionTests {
  private let place: RunningDaemon.Place
  private let disk: SmallFileSystem

  init() throws {
    place = try RunningDaemon.Place()
    disk = try SmallFileSystem(kilobytes: 256)
  }

  private func daemon() throws -> RunningDaemon {
    try RunningDaemon.listening(at: place, environment: ["LOCATIOND_STATE": disk.path])
  }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  @Test(arguments: [["services", "off"], ["revoke", "daemon", "--restrict"], ["grant", "daemon"]])
  func whatAFullDiskDoesNotTakeIsToldAndTriedAgain(decision: [String]) throws {
    var daemon: RunningDaemon? = try daemon()
    disk.fill()
    for _ in 0..<2 {
      // Also where it is decided already, and not kept yet.
      let decided = try CommandRun(decision, at: place).finish()
      #expect(decided.status == 73 && decided.output.isEmpty, "\(decided)")
      #expect(decided.errors.contains("holds now, but is NOT kept"), "\(decided.errors)")
      #expect(decided.errors.contains("(the disk is full): make room on the disk of \(disk.path)"), "\(decided.errors)")
      #expect(decided.errors.split(separator: "\n").count == 1)
    }
    let held = try run("grants").text
    #expect(held.contains(decision[0] == "services" ? "\"services\":false" : "\"who\":\"daemon\""))
    try daemon?.awaitLine("cannot be kept")
    try disk.makeRoom()
    try daemon?.awaitLine("kept again")
    daemon?.send(SIGKILL)
    _ = daemon?.end()
    daemon = try self.daemon()
    #expect(try run("grants").text == held)
  }

  @Test func whatMayNotBeWrittenIsToldUntilItMay() throws {
    var daemon = try daemon()
    try disk.makeReadOnly()
    let off = try run("services", "off")
    #expect(off.status == 73 && off.errors.contains("mount the file system"), "\(off.errors)")
    #expect(try run("fix").status == 77)
    try disk.makeReadOnly(false)
    // Whoever says it again does not wait for the next try.
    #expect(try run("services", "off").status == 0)
    daemon.send(SIGKILL)
    _ = daemon.end()
    daemon = try self.daemon()
    #expect(try run("fix").status == 77)
    daemon.send(SIGKILL)
  }
}
