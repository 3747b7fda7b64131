import Diagnosis
import Foundation
import LinuxIO
import LocationIPC
import Testing
import locationctl

/// The program itself on real files, ports and processes.
@Suite(.serialized) struct DoctorTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private struct Line: Decodable {
    var finding: String
    var severity: String
    var sentence: String
    var command: String
    var device: String?
  }

  /// The output, with one line for each finding, and the exit status.
  private func doctor(
    _ arguments: [String], as user: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (lines: [Line], status: Int32) {
    let command = user + [ProgramRun.locationctl, "doctor"] + arguments
    let run = try ProgramRun(
      Array(command.dropFirst()), of: command[0],
      environment: ["LOCATIOND_STATE": folder.appendingPathComponent("state").path, "LOCATIOND_GPSD": "off"])
    let lines = try run.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    #expect(lines.allSatisfy { !$0.sentence.isEmpty && !$0.command.isEmpty }, sourceLocation: sourceLocation)
    return (lines, run.status)
  }

  private func expect(
    _ answer: (lines: [Line], status: Int32), _ code: FindingCode, _ cause: String, _ command: String, _ status: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let first = answer.lines.first
    #expect(first?.finding == code.rawValue, sourceLocation: sourceLocation)
    #expect(first?.sentence.contains(cause) == true, "\(first?.sentence ?? "")", sourceLocation: sourceLocation)
    #expect(first?.command.contains(command) == true, "\(first?.command ?? "")", sourceLocation: sourceLocation)
    #expect(answer.status == status, sourceLocation: sourceLocation)
  }

  private static let isContainer = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].contains {
    FileManager.default.fileExists(atPath: $0)
  }

  @Test func aDirectoryIsNoPort() throws {
    expect(
      try doctor(["--source", "serial:\(folder.path)"]), .notAPort, "is a directory", "locationctl devices", 64)
  }

  @Test func aFileIsNoPort() throws {
    let file = folder.appendingPathComponent("log.nmea")
    try Data("x".utf8).write(to: file)
    expect(
      try doctor(["--source", "serial:\(file.path)"]), .notAPort, "is a file", "--source replay:\(file.path)", 64)
  }

  @Test func aPipeIsNoPort() throws {
    let path = folder.appendingPathComponent("pipe").path
    try #require(unsafe mkfifo(path, 0o600) == 0)
    expect(try doctor(["--source", "serial:\(path)"]), .notAPort, "is a pipe", "locationctl devices", 64)
  }

  @Test func aNameThatLeadsNowhereIsABrokenLink() throws {
    let path = folder.appendingPathComponent("gps").path
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "ttyACM9")
    expect(
      try doctor(["--source", "serial:\(path)"]), .brokenLink, "is a link to ttyACM9", "locationctl devices", 69)
  }

  @Test func aPortThatIsNotThereIsMissing() throws {
    let answer = try doctor(["--source", "serial:/dev/ttyGPS7"])
    if Self.isContainer {
      expect(answer, .containerDevice, "no access to /dev/ttyGPS7", "--device /dev/ttyGPS7", 69)
    } else {
      expect(answer, .noSuchPort, "There is no /dev/ttyGPS7", "locationctl devices", 69)
    }
  }

  /// Whether this machine has a receiver or an adapter that could be a receiver.
  private static let hasDevices = (try? ProgramRun(["devices", "--listen", "0"]).output.contains("usb")) ?? false

  @Test(.enabled(if: !hasDevices, "a receiver or an adapter is attached here"))
  func aMachineWithoutAReceiverIsReported() throws {
    let answer = try doctor(["--duration", "1"])
    if Self.isContainer {
      expect(answer, .containerDevice, "No GNSS receiver was found", "docker run --device", 69)
    } else {
      expect(answer, .noReceiver, "No GNSS receiver was found", "locationctl devices", 69)
    }
  }

  @Test func aDamagedRecordingIsReported() throws {
    let file = folder.appendingPathComponent("broken.capture")
    try Data("swift-corelocation capture 1\n0 device 1 path=/dev/ttyACM0\nnonsense\n".utf8).write(to: file)
    let answer = try doctor(["--source", "replay:\(file.path)"])
    expect(answer, .recordingDamaged, "is damaged", "Record it again", 65)
  }

  @Test func noGpsdIsTold() throws {
    expect(
      try doctor(["--source", "gpsd:127.0.0.1:1", "--duration", "5"]), .gpsdAbsent, "No gpsd answers at 127.0.0.1:1",
      "gpsd.socket", 69)
  }

  /// If another program has the port, the finding names that program and what kind of program it is.
  @Test(arguments: [
    ("minicom", FindingCode.inUse, "in use by minicom", "kill "),
    ("ModemManager", .modemManagerHolds, "ModemManager has", "60-swift-corelocation.rules"),
    ("hciattach", .bluetoothOnUART, "Bluetooth chip of the board", "/dev/serial0"),
    ("agetty", .loginOnUART, "A login prompt is running on", "serial-getty@"),
    ("gpsd", .gpsdOwns, "gpsd has", "--source gpsd"),
  ]) func aPortThatAProgramHasIsNamed(
    name: String, code: FindingCode, cause: String, command: String
  ) throws {
    let terminal = try PseudoTerminal()
    let program = folder.appendingPathComponent(name)
    try FileManager.default.copyItem(at: URL(fileURLWithPath: "/bin/cat").resolvingSymlinksInPath(), to: program)
    let holder = Process()
    holder.executableURL = program
    let port = try #require(FileHandle(forUpdatingAtPath: terminal.path))
    holder.standardInput = port
    holder.standardOutput = FileHandle.nullDevice
    try holder.run()
    try port.close()
    defer {
      kill(holder.processIdentifier, SIGKILL)
      holder.waitUntilExit()
    }
    expect(try doctor(["--source", "serial:\(terminal.path)"]), code, cause, command, 75)
  }

  /// Runs as another user, who has no permission for the port.
  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func aPortOfAGroupThatTheUserIsNotInIsDenied() throws {
    let terminal = try PseudoTerminal()
    try #require(unsafe chown(terminal.path, 0, 20) == 0 && chmod(terminal.path, 0o660) == 0)
    expect(
      try doctor(["--source", "serial:\(terminal.path)"], as: Self.nobody), .permissionDenied,
      "belongs to the group dialout", "usermod -aG dialout", 77)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func aPortOfRootAloneIsDenied() throws {
    let terminal = try PseudoTerminal()
    try #require(unsafe chown(terminal.path, 0, 0) == 0 && chmod(terminal.path, 0o600) == 0)
    expect(
      try doctor(["--source", "serial:\(terminal.path)"], as: Self.nobody), .nodePrivate, "Only root may open",
      "60-swift-corelocation.rules", 77)
  }

  private static let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]

  @Test func theSimulatorIsWell() throws {
    let answer = try doctor(["--source", "simulator"])
    #expect(answer.lines.map(\.finding) == ["simulated"])
    #expect(answer.status == 0)
  }

  @Test func everyFindingHasItsStatus() {
    let statuses = Set(FindingCode.allCases.map { CommandStatus($0) })
    #expect(statuses == [.usage, .badInput, .noSource, .cannotWrite, .locationUnknown, .protocolError, .denied])
  }

  /// With --checks, the last line lists all checks; the lines before it are the findings as ever.
  @Test func scriptsCanGetAllChecks() throws {
    let environment = ["LOCATIOND_STATE": folder.appendingPathComponent("state").path, "LOCATIOND_GPSD": "off"]
    let run = try ProgramRun(["doctor", "--source", "simulator", "--checks"], environment: environment)
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(
      lines.count == 2 && lines[0].contains(#""finding":"simulated""#) && lines[0].contains(#""check":"receiver""#))
    struct Checks: Decodable {
      struct Check: Decodable { var name: String, state: String, text: String }
      var checks: [Check]
    }
    let checks = try JSONDecoder().decode(Checks.self, from: Data(lines[1].utf8)).checks
    #expect(checks.map(\.name) == ["receiver", "port", "baud", "data", "antenna", "fix", "clock", "storage"])
    #expect(checks.map(\.state) == ["note", "ok", "ok", "ok", "ok", "ok", "ok", "ok"], "\(checks)")
    #expect(checks[4].text.contains("26 satellites") && checks[5].text.hasPrefix("3D, ±"))
  }
}
