import Foundation
import TestSupport
import Testing

/// When a command reports success, its decision is on the disk; otherwise the command reports that the decision is not stored.
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
  func writesRefusedByAFullDiskAreReportedAndRetried(decision: [String]) throws {
    var daemon: RunningDaemon? = try daemon()
    disk.fill()
    for _ in 0..<2 {
      // This also holds for a decision that was made before and is not stored yet.
      let decided = try CommandRun(decision, at: place).finish()
      #expect(decided.status == 73 && decided.output.isEmpty, "\(decided)")
      #expect(decided.errors.contains("applies now, but it is NOT stored"), "\(decided.errors)")
      #expect(decided.errors.contains("(the disk is full): make room on the disk of \(disk.path)"), "\(decided.errors)")
      #expect(decided.errors.split(separator: "\n").count == 1)
    }
    let held = try run("grants").text
    #expect(held.contains(decision[0] == "services" ? "\"services\":false" : "\"who\":\"daemon\""))
    try daemon?.awaitLine("Cannot store access decisions")
    try disk.makeRoom()
    try daemon?.awaitLine("can be stored again")
    daemon?.send(SIGKILL)
    _ = daemon?.end()
    daemon = try self.daemon()
    #expect(try run("grants").text == held)
  }

  @Test func writeFailuresAreReportedUntilResolved() throws {
    var daemon = try daemon()
    try disk.makeReadOnly()
    let off = try run("services", "off")
    #expect(off.status == 73 && off.errors.contains("mount the file system"), "\(off.errors)")
    #expect(try run("fix").status == 77)
    try disk.makeReadOnly(false)
    // If the administrator repeats the decision, it does not wait for the next attempt.
    #expect(try run("services", "off").status == 0)
    daemon.send(SIGKILL)
    _ = daemon.end()
    daemon = try self.daemon()
    #expect(try run("fix").status == 77)
    daemon.send(SIGKILL)
  }

  /// A damaged file gives nobody access: the service is off until root decides otherwise, also after a restart.
  @Test func aDamagedFileSwitchesItOffUntilRootStartsOver() throws {
    let file = disk.path + "/grants.sqlite"
    try Data("no database at all".utf8).write(to: URL(fileURLWithPath: file))
    var daemon = try RunningDaemon(at: place, environment: ["LOCATIOND_STATE": disk.path])
    #expect(
      try daemon.awaitLine("renamed to \(file).damaged-1").contains("location services are off for everybody until"))
    try daemon.awaitLine("Listening")
    for isFirst in [true, false] {
      let fix = try run("fix")
      #expect(fix.status == 77 && fix.errors.contains("'sudo locationctl services on'"), "\(fix.errors)")
      let status = try #require(try run("status").objects.first)
      #expect(status["services"] as? Bool == false)
      guard isFirst else { break }
      #expect(fix.errors.contains("damaged or cannot be read"), "\(fix.errors)")
      #expect(status["decisionsLost"] as? Bool == true)
      let doctor = try run("doctor", "--duration", "1")
      #expect(doctor.status == 77 && doctor.text.contains("damaged or cannot be read"), "\(doctor.text)")
      #expect(doctor.text.contains("\"command\":\"journalctl -u locationd"), "\(doctor.text)")
      // After that decision is stored, too.
      #expect(try run("services", "off").status == 0)
      daemon.send(SIGKILL)
      #expect(daemon.end() == -SIGKILL)
      daemon = try self.daemon()
    }
    #expect(try run("services", "on").status == 0)
    #expect(try run("fix").status == 0)
    #expect(FileManager.default.fileExists(atPath: file + ".damaged-1"))
    daemon.send(SIGKILL)
  }
}
