import Foundation
import TestSupport
import Testing

/// `timezone --set` with folders of its own in place of `/etc` and `/run`, which no other process sees.
@Suite(.enabled(if: PrivateMounts.arePossible, "needs unshare and the right to mount")) struct TimezoneSettingTests {
  private let mounts: PrivateMounts

  init() throws { mounts = try PrivateMounts() }

  private func set(_ prologue: String = "", _ arguments: [String] = ["47.1393,9.5228"]) throws -> ProgramRun {
    try mounts.run(prologue, [ProgramRun.locationctl, "timezone", "--set", "--text"] + arguments)
  }

  @Test func theLinkIsReplacedWithoutSystemd() throws {
    defer { mounts.remove() }
    let result = try set()
    #expect(result.status == 0 && result.output == "Europe/Vaduz\n" && result.errors.isEmpty, "\(result)")
    let link = mounts.etc + "/localtime"
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/usr/share/zoneinfo/Europe/Vaduz")
    #expect(try String(contentsOfFile: mounts.etc + "/timezone", encoding: .utf8) == "Europe/Vaduz\n")
    // Nothing is left beside them.
    #expect(try FileManager.default.contentsOfDirectory(atPath: mounts.etc).sorted() == ["localtime", "timezone"])
  }

  /// A machine without that file does not get one.
  @Test func theNameIsWrittenOnlyWhereThereIsAFileForIt() throws {
    defer { mounts.remove() }
    try FileManager.default.removeItem(atPath: mounts.etc + "/timezone")
    #expect(try set().status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: mounts.etc) == ["localtime"])
  }

  @Test func whereNothingCanBeWrittenTheOldZoneStays() throws {
    defer { mounts.remove() }
    let result = try set("mount -o remount,bind,ro /etc;")
    #expect(result.status == 73, "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1 && result.errors.contains("/etc/localtime"), "\(result)")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: mounts.etc + "/localtime")
        == "/usr/share/zoneinfo/Etc/UTC")
  }

  /// A machine with systemd asks it, which asks polkit; the program in its place is a script that notes its arguments.
  @Test(arguments: [0, 1] as [Int32]) func systemdIsAsked(status: Int32) throws {
    defer { mounts.remove() }
    let script = "#!/bin/sh\necho \"$@\" > \(mounts.folder)/asked\nexit \(status)\n"
    let program = mounts.folder + "/timedatectl"
    try Data(script.utf8).write(to: URL(fileURLWithPath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let result = try set("mkdir -p /run/systemd/system; export PATH=\(mounts.folder):$PATH;")
    #expect(result.status == (status == 0 ? 0 : 77), "\(result)")
    #expect(result.errors.isEmpty == (status == 0), "\(result)")
    #expect(
      try String(contentsOfFile: mounts.folder + "/asked", encoding: .utf8)
        == "--no-ask-password set-timezone Europe/Vaduz\n")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: mounts.etc + "/localtime")
        == "/usr/share/zoneinfo/Etc/UTC")
  }

  /// The machine crosses the Rhine: the zone is set on each side, and the command of the user runs once, after the change.
  @Test func theZoneFollowsTheMachine() throws {
    defer { mounts.remove() }
    let recording = mounts.folder + "/rhine.capture"
    try Data(RhineCrossing.capture.utf8).write(to: URL(fileURLWithPath: recording))
    let note =
      "echo \"$LOCATION_OLD_TIMEZONE $LOCATION_TIMEZONE $(readlink /etc/localtime)\" >> \(mounts.folder)/changes"
    let result = try set(
      "", ["--watch", "--source", "replay:" + recording, "--on-change", note])
    #expect(result.output == "Europe/Vaduz\nEurope/Zurich\n", "\(result)")
    #expect(
      try String(contentsOfFile: mounts.folder + "/changes", encoding: .utf8)
        == "Europe/Vaduz Europe/Zurich /usr/share/zoneinfo/Europe/Zurich\n")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: mounts.etc + "/localtime")
        == "/usr/share/zoneinfo/Europe/Zurich")
  }
}

/// `timezone --watch` for this user.
@Suite struct TimezoneWatchTests {
  @Test func aFailingCommandIsReportedAndTheWatchGoesOn() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("timezone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let recording = folder.appendingPathComponent("rhine.capture")
    try Data(RhineCrossing.capture.utf8).write(to: recording)
    let result = try ProgramRun(
      ["timezone", "--watch", "--text", "--source", "replay:" + recording.path, "--on-change", "exit 3"],
      environment: ["LOCATIOND_WORLD": PrivateMounts.world])
    #expect(result.output == "Europe/Vaduz\nEurope/Zurich\n", "\(result)")
    #expect(result.errors.contains("The command of --on-change has failed."), "\(result)")
  }

  @Test(arguments: [
    ["47.1,9.5", "--watch"], ["--on-change", "true"], ["--watch", "--timeout", "3"],
    ["47.1,9.5", "--on-change", "true"],
  ])
  func whatDoesNotFit(arguments: [String]) throws {
    #expect(try ProgramRun(["timezone"] + arguments).status == 64)
  }
}

/// Folders in place of `/etc` and `/run`, for one process and its children.
private struct PrivateMounts {
  static let world = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("PlacesTests/Cut").path
  private static let unshare = ["/usr/bin/unshare", geteuid() == 0 ? "-m" : "-rm"]

  static let arePossible: Bool = {
    let result = try? ProgramRun(
      Array(unshare.dropFirst()) + ["/bin/sh", "-c", "mount -t tmpfs tmpfs /run"], of: unshare[0])
    return result?.status == 0
  }()

  let folder: String
  var etc: String { folder + "/etc" }

  init() throws {
    folder = NSTemporaryDirectory() + "timezone-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder + "/etc", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: etc + "/localtime", withDestinationPath: "/usr/share/zoneinfo/Etc/UTC")
    try Data("Etc/UTC\n".utf8).write(to: URL(fileURLWithPath: etc + "/timezone"))
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Runs a command after a piece of shell script, in the namespace.
  func run(_ prologue: String, _ command: [String]) throws -> ProgramRun {
    let script = "mount -t tmpfs tmpfs /run && mount --bind \"$0\" /etc || exit 99; \(prologue) exec \"$@\""
    return try ProgramRun(
      Array(Self.unshare.dropFirst()) + ["/bin/sh", "-c", script, etc] + command, of: Self.unshare[0],
      environment: ["LOCATIOND_WORLD": Self.world])
  }
}

/// Five seconds of a receiver that flies west over the Rhine, which is the border of two zones at 9.509° E, at 120 m/s.
private enum RhineCrossing {
  static let capture: String = {
    var lines = ["swift-corelocation capture 1", "0 start 0 2026-08-01T12:00:00Z", "0 device 1 path=/dev/ttyACM0"]
    for step in 0..<26 {
      let fraction = step % 5 * 20
      let time = "1200\(step / 5 < 10 ? "0" : "")\(step / 5).\(fraction < 10 ? "0" : "")\(fraction)"
      let minutes = (9.5120 - 9 - Double(step) * 0.000318) * 60
      let longitude = "009\(String(format: "%08.5f", minutes))"
      let body = [
        "GPGGA,\(time),4708.35800,N,\(longitude),E,1,10,0.8,450.0,M,47.0,M,,",
        "GPRMC,\(time),A,4708.35800,N,\(longitude),E,233.3,270.0,010826,,,A",
      ]
      let sentences = body.map { body in
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\\r\\n"
      }
      lines.append("\(50_000 + step * 200_000) bytes 1 \(sentences.joined())")
    }
    return lines.joined(separator: "\n") + "\n"
  }()
}
