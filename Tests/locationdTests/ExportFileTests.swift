import Foundation
import TestSupport
import Testing

/// Where exports are written to, and names that are not UTF-8; with the real command line and without a daemon.
@Suite(.serialized) struct ExportFileTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  /// A log `walk` of this many points.
  private func importWalk(_ points: Int) throws {
    let lines = (0..<points).map { index in
      let time = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(1_714_550_400 + index * 10)))
      return "<trkpt lat=\"\(47 + Double(index) * 1e-4)\" lon=\"8.5\"><time>\(time)</time></trkpt>"
    }
    let path = place.folder.appendingPathComponent("walk.gpx").path
    try Data("<gpx version=\"1.1\"><trk><trkseg>\(lines.joined())</trkseg></trk></gpx>".utf8)
      .write(to: URL(fileURLWithPath: path))
    let imported = try run("log", "import", "walk", path)
    #expect(imported.status == 0, "\(imported.errors)")
  }

  /// Runs a shell script with the path of the program as `$0`.
  private func shell(_ script: String) throws -> (status: Int32, text: String, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, HelperProcess.folder + "/locationctl"]
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
    process.currentDirectoryURL = place.folder
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError, process.standardInput) = (output, errors, FileHandle.nullDevice)
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: words, as: UTF8.self)
    )
  }

  @Test func aHyphenIsStandardOutput() throws {
    try importWalk(20)
    for command in ["log export walk", "log export walk --force", "trips export 1 --log walk"] {
      let plain = try shell("\"$0\" \(command.replacing(" --force", with: ""))")
      let hyphen = try shell("\"$0\" \(command) -o -")
      #expect(hyphen.status == plain.status && hyphen.errors == plain.errors, "\(hyphen.errors)")
      // The time of the export may be another second.
      func rest(_ text: String) -> String { text.replacing(#/<metadata>[^§]*?<\/metadata>/#, with: "") }
      #expect(rest(hyphen.text) == rest(plain.text))
    }
    #expect(try shell("\"$0\" log export walk -o -").text.contains("<trkpt "))
    #expect(!FileManager.default.fileExists(atPath: place.folder.appendingPathComponent("-").path))
  }

  /// The umask decides who may read an export; a file that is replaced keeps its permissions, and a secret key is its owner's.
  @Test func exportsFollowTheUmask() throws {
    try importWalk(20)
    let modes = try shell(
      """
      umask 022; "$0" log export walk -o a.gpx; "$0" log export walk --daily %Y%m%d.gpx; "$0" trips export 1 --log walk -o t.gpx
      umask 027; "$0" log export walk -o b.gpx
      umask 077; "$0" log export walk -o c.gpx
      umask 022; chmod 600 a.gpx; "$0" log export walk -o a.gpx --force; "$0" log keygen secret.key >/dev/null
      stat -c '%a' 20240501.gpx t.gpx b.gpx c.gpx a.gpx secret.key
      """)
    #expect(modes.status == 0 && modes.text == "644\n644\n640\n600\n600\n600\n", "\(modes.text) \(modes.errors)")
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "mounting a file system needs root, and a machine that lets it"))
  func aFullDiskIsNamed() throws {
    try importWalk(3000)
    let disk = try SmallFileSystem(kilobytes: 256)
    try Data("old".utf8).write(to: URL(fileURLWithPath: "\(disk.path)/old.gpx"))
    disk.fill()
    for arguments in [["-o", "\(disk.path)/new.gpx"], ["-o", "\(disk.path)/old.gpx", "--force"]] {
      let export = try CommandRun(["log", "export", "walk"] + arguments, at: place).finish()
      #expect(export.status == 73)
      #expect(
        export.errors
          == "locationctl: The disk of \(arguments[1]) is full (no space left on the device): free space there and try again; "
          + "this file was not written.\n", "\(export.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["filler", "old.gpx"])
    #expect(try String(contentsOfFile: "\(disk.path)/old.gpx", encoding: .utf8) == "old")
    try disk.makeRoom()
    let export = try run("log", "export", "walk", "-o", "\(disk.path)/new.csv")
    #expect(export.status == 0 || export.errors.contains("is full"), "\(export.errors)")
    let piped = try shell("\"$0\" log export walk > /dev/full")
    #expect(piped.status == 73 && piped.errors.contains("free space on its disk"), "\(piped.errors)")

    // `config set` leaves the settings as they are.
    disk.fill()
    let folder = place.configuration.appendingPathComponent("etc")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent("locationd.conf.d").path, withDestinationPath: disk.path)
    let setting = try run("config", "set", "wifi", "off")
    #expect(setting.status == 73)
    #expect(
      setting.errors.contains("is full") && setting.errors.hasSuffix("; the settings are unchanged.\n"),
      "\(setting.errors)")
  }

  /// An invalid byte must not become another character of a name, a text or a path.
  @Test func argumentsThatAreNotUTF8AreRefused() throws {
    for command in [
      "log start NAME", "log note NAME", "log note text --log NAME", "log rename walk NAME", "log export NAME",
      "log export walk -o NAME", "log import NAME walk.gpx", "log import walk NAME", "region add NAME --at 47,8",
    ] {
      let script = command.replacing("NAME", with: "\"$(printf 'caf\\351')\"")
      let run = try shell("\"$0\" \(script)")
      #expect(run.status == 64 && run.text.isEmpty, "\(command): \(run)")
      #expect(run.errors.hasPrefix("locationctl: 'caf\u{FFFD}' is not valid UTF-8: "), "\(run.errors)")
      #expect(run.errors.contains("< FILE") == command.hasPrefix("log import"))
    }
    // U+FFFD itself is a character like any other.
    #expect(try !shell("\"$0\" log export 'caf\u{FFFD}'").errors.contains("is not valid UTF-8"))
    try importWalk(20)
    // The remedy works.
    let file = "\"$(printf 'caf\\351.gpx')\""
    let other = try shell("mv walk.gpx \(file) && \"$0\" log import other /dev/stdin < \(file)")
    #expect(other.status == 0, "\(other.errors)")
    #expect(try run("log", "export", "other", "--format", "csv").text.split(whereSeparator: \.isNewline).count == 21)
  }

  @Test(arguments: [
    "3000-01-01", "1600-01-01T00:00", "99999-12-31", "0001-01-01T00:00:00Z", "-99999999999999999999h", "-999999999999d",
  ])
  func aTimeOutOfRangeIsNamedAsSuch(time: String) throws {
    for option in ["--from", "--to"] {
      let run = try run("log", "export", option, time)
      #expect(run.status == 64)
      #expect(run.errors.contains("'\(time)' is out of range: use a time from "), "\(run.errors)")
    }
    #expect(try run("log", "export", "--from", "2026-13-01").errors.contains("is not a time"))
    #expect(try run("log", "export", "--from", "-2x").errors.contains("is not a time"))
  }
}
