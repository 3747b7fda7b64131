import Foundation
import TestSupport
import Testing

/// A receiver that is plugged in after a command has started, and none at all.
@Suite struct PlugTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("plug-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var link: String { folder.appendingPathComponent("gps").path }

  private func plugIn() throws -> HelperProcess {
    let receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot", "rate=4"], environment: [:])
    let path = String(decoding: try #require(receiver.next()), as: UTF8.self)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    return receiver
  }

  private func start(_ arguments: [String], environment: [String: String]) throws -> TerminalRun {
    try TerminalRun(
      arguments, columns: 100, rows: 40, errorsToo: true,
      environment: ["TERM": "xterm", "LANG": "C.UTF-8"].merging(environment) { $1 })
  }

  private var withoutDaemon: [String: String] {
    [
      "LOCATIOND_STATE": folder.appendingPathComponent("state").path,
      "LOCATIOND_SOCKET": folder.appendingPathComponent("socket").path,
    ]
  }

  @Test func aReceiverThatWasJustPluggedInAnswers() throws {
    let run = try start(["fix", "--json", "--source", "serial:\(link)"], environment: withoutDaemon)
    #expect(run.read { $0.contains("waiting for a receiver to be plugged in") }, "\(run.output)")
    let receiver = try plugIn()
    #expect(run.end() == 0, "\(run.output)")
    #expect(run.output.contains("\"latitude\""), "\(run.output)")
    withExtendedLifetime(receiver) {}
  }

  @Test func aReceiverOfADaemonThatWasJustPluggedInAnswers() throws {
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(["--source", "serial:\(link)"], at: place)
    defer { daemon.send(SIGKILL) }
    let run = try start(["fix", "--json"], environment: place.environment)
    #expect(run.read { $0.contains("waiting for a receiver to be plugged in") }, "\(run.output)")
    let receiver = try plugIn()
    #expect(run.end() == 0, "\(run.output)")
    #expect(run.output.contains("\"latitude\""), "\(run.output)")
    withExtendedLifetime(receiver) {}
  }

  /// A stream says that its receiver was unplugged, as text and as JSON, and so does the panel after its end.
  @Test func anUnpluggedReceiverIsNamed() throws {
    for (arguments, words) in [
      (["watch", "--json"], "\"event\":\"lost\""), (["watch", "--lines"], "fix lost: the receiver was disconnected"),
      (["watch"], "Fix lost: the receiver was disconnected"),
    ] {
      var receiver: HelperProcess? = try plugIn()
      let run = try start(arguments + ["--source", "serial:\(link)"], environment: withoutDaemon)
      #expect(run.read { $0.contains("latitude") || $0.contains("±") }, "\(run.output)")
      withExtendedLifetime(receiver) {}
      receiver = nil
      try FileManager.default.removeItem(atPath: link)
      #expect(run.read { $0.contains(words) }, "\(run.output)")
      run.send(SIGINT)
      #expect(run.end() == 130)
      if arguments.contains("--json") {
        #expect(run.output.contains("\"reason\":\"disconnected\""), "\(run.output)")
      } else {
        let last = run.output.split(separator: "\r\n").last { $0.contains("fix") } ?? ""
        #expect(last.contains("fix lost: the receiver was disconnected"), "\(run.output)")
      }
    }
  }

  /// `status` of a daemon whose receiver was unplugged.
  @Test func statusSaysThatNoReceiverIsConnected() throws {
    let place = try RunningDaemon.Place()
    var receiver: HelperProcess? = try plugIn()
    let daemon = try RunningDaemon.listening(["--source", "serial:\(link)"], at: place)
    defer { daemon.send(SIGKILL) }
    let watch = try start(["watch", "--json"], environment: place.environment)
    #expect(watch.read { $0.contains("latitude") }, "\(watch.output)")
    let before = try ProgramRun(["status", "--text"], environment: place.environment)
    #expect(before.output.contains("Receiver  on"), "\(before.output)")
    withExtendedLifetime(receiver) {}
    receiver = nil
    try FileManager.default.removeItem(atPath: link)
    #expect(watch.read { $0.contains("lost") }, "\(watch.output)")
    let after = try ProgramRun(["status", "--text"], environment: place.environment)
    #expect(after.output.contains("Receiver  none connected"), "\(after.output)")
  }

  /// Without a receiver, and after one was unplugged, `fix` and `doctor` name the same cause in the same words.
  @Test(arguments: [false, true]) func fixAndDoctorNameTheSameCause(wasPluggedIn: Bool) throws {
    let place = try RunningDaemon.Place()
    var receiver: HelperProcess? = wasPluggedIn ? try plugIn() : nil
    let daemon = try RunningDaemon.listening(["--source", "serial:\(link)"], at: place)
    defer { daemon.send(SIGKILL) }
    if wasPluggedIn {
      #expect(try ProgramRun(["fix"], environment: place.environment).status == 0)
      withExtendedLifetime(receiver) {}
      receiver = nil
      try FileManager.default.removeItem(atPath: link)
    }
    let fix = try ProgramRun(["fix", "--max-age", "0"], environment: place.environment)
    let doctor = try ProgramRun(["doctor"], environment: place.environment)
    #expect(fix.status == doctor.status && fix.status != 0, "\(fix.errors) \(doctor.output)")
    let finding = try #require(
      try JSONSerialization.jsonObject(with: Data(doctor.output.split(separator: "\n")[0].utf8)) as? [String: Any])
    let cause = String(try #require(finding["sentence"] as? String).dropLast())
    // In a container, `doctor` knows more: the device may be there, but outside.
    let isContainer = (finding["finding"] as? String)?.hasPrefix("container") == true
    #expect(
      isContainer || fix.errors.hasPrefix("locationctl: \(cause)"), "\(fix.errors) \(doctor.output)")
    #expect(finding["device"] as? String == link && fix.errors.contains(link), "\(fix.errors) \(doctor.output)")
  }

  /// `--wait` says what it waits for and for how long, and afterwards that it waited; in a pipe, too.
  @Test(arguments: [false, true]) func aWaitIsReported(isScript: Bool) throws {
    let command = "\"$0\" fix --json --wait --source serial:\(link)\(isScript ? " 2>&1 | cat" : "")"
    let run = try TerminalRun(
      ["-c", command, ProgramRun.locationctl], of: "/bin/sh", columns: 100, rows: 40, errorsToo: true,
      environment: ["TERM": "xterm", "LANG": "C.UTF-8"].merging(withoutDaemon) { $1 })
    #expect(run.read { $0.contains("No receiver is attached: waiting at most 120 s until one is plugged in.") })
    let receiver = try plugIn()
    #expect(run.end() == 0, "\(run.output)")
    #expect(run.output.contains(#/locationctl: Waited \d+(\.\d)? s for a receiver\./#), "\(run.output)")
    #expect(run.output.contains("\"latitude\""), "\(run.output)")
    withExtendedLifetime(receiver) {}
  }

  @Test func aWaitInVainIsReported() throws {
    let run = try ProgramRun(
      ["fix", "--wait", "--timeout", "0.3", "--source", "serial:\(link)"], environment: withoutDaemon)
    #expect(run.status == 69 && run.output == "", "\(run.errors)")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("waiting at most 0.3 s until one is plugged in"), "\(run.errors)")
    // The port did not appear, or the ports were not known yet.
    #expect(lines.last?.contains("before the timeout") == true, "\(run.errors)")
  }

  /// A timeout below the time of a plug counts, and the answer from memory does not wait.
  @Test(arguments: [["--timeout", "0.1"], ["--last"]]) func noReceiverIsReported(option: [String]) throws {
    let run = try ProgramRun(["fix", "--source", "serial:\(link)"] + option, environment: withoutDaemon)
    #expect(run.status == (option == ["--last"] ? 75 : 69), "\(run.errors)")
    #expect(run.output == "" && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }
}
