import Foundation
import TestSupport
import Testing

/// A daemon that starts while nothing can be written: earlier decisions and stored data are still available.
@Suite(
  .serialized,
  .enabled(if: SmallFileSystem.isPossible, "mounting a file system needs root, and a machine that lets it"))
struct UnwritableStartTests {
  enum Fault: CaseIterable {
    case readOnly, full, readOnlyAfterAKill
  }

  private let place: RunningDaemon.Place
  private let disk: SmallFileSystem

  init() throws {
    place = try RunningDaemon.Place()
    disk = try SmallFileSystem(kilobytes: 4096)
  }

  private func daemon() throws -> RunningDaemon {
    try RunningDaemon.listening(at: place, environment: ["LOCATIOND_STATE": disk.path])
  }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  @Test(arguments: Fault.allCases) func whatWasKeptIsKnown(fault: Fault) throws {
    var daemon = try daemon()
    #expect(try run("grant", "4200003", "--always").status == 0)
    #expect(try run("log", "start", "trip").status == 0)
    #expect(try run("log", "stop", "trip").status == 0)
    #expect(try run("region", "add", "home", "--at", "47.5,8.5", "--radius", "100").status == 0)
    daemon.send(fault == .readOnlyAfterAKill ? SIGKILL : SIGTERM)
    _ = daemon.end()
    if fault == .full { disk.fill() } else { try disk.makeReadOnly() }

    daemon = try self.daemon()
    let fix = try run("fix")
    #expect(fix.status == 0, "\(fix.errors)")
    let grants = try run("grants").objects
    #expect(grants.contains { $0["who"] as? String == "4200003" && $0["level"] as? String == "always" }, "\(grants)")
    let logs = try run("log", "list")
    #expect(logs.status == 0 && logs.objects.first?["name"] as? String == "trip", "\(logs.errors) \(logs.text)")
    let regions = try run("region", "list")
    #expect(regions.status == 0 && regions.text.contains("home"), "\(regions.errors) \(regions.text)")
    // A request that needs to write fails with the reason.
    let words = fault == .full ? "the disk is full" : "the file system is read-only"
    let added = try run("region", "add", "work", "--at", "47.6,8.6", "--radius", "100")
    #expect(added.status == 73 && added.errors.contains(words), "\(added.errors)")
    let started = try run("log", "start", "trip")
    #expect(started.status == 73 && started.errors.contains(words), "\(started.errors)")
  }

  /// The decisions in a file of a later version cannot be read, so other users are denied; root and the owners of the
  /// receivers need no grant.
  @Test func aLaterSchemaIsClosedForOthersOnly() throws {
    var daemon = try daemon()
    #expect(try run("grant", "\(OtherUserRun.user)", "--always").status == 0)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    let change = Process()
    change.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    change.arguments = [
      "-c", "import sqlite3, sys; base = sqlite3.connect(sys.argv[1]); base.execute('PRAGMA user_version = 99')",
      "\(disk.path)/grants.sqlite",
    ]
    try change.run()
    change.waitUntilExit()
    try #require(change.terminationStatus == 0)

    daemon = try RunningDaemon(at: place, environment: ["LOCATIOND_STATE": disk.path])
    #expect(
      try daemon.awaitLine("Cannot read").contains(
        "only root and members of the groups location, dialout and uucp have access"))
    try daemon.awaitLine("Listening")
    #expect(try run("fix").status == 0)
    let other = try OtherUserRun.run(["fix"], environment: place.environment)
    #expect(other.status == 77 && other.errors.contains("damaged or cannot be read"), "\(other.errors)")
  }

  /// The store of the regions is not a regular file: "no region is watched" would be a wrong answer.
  @Test(arguments: ["folder", "link", "pipe"]) func anUnreadableFileIsNotAnEmptyList(kind: String) throws {
    let folder = disk.path + "/monitoring"
    let path = folder + "/monitoring.sqlite"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    switch kind {
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
    default: try #require(unsafe mkfifo(path, 0o600) == 0)
    }
    let daemon = try daemon()
    for arguments in [["region", "list"], ["visits", "list"]] {
      let run = try CommandRun(arguments, at: place).finish()
      #expect(run.status == 73 && run.errors.contains("is not a regular file"), "\(run.errors) \(run.text)")
    }
    withExtendedLifetime(daemon) {}
  }
}
