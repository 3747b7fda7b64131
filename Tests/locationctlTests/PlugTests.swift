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

  /// A timeout below the time of a plug counts, and the answer from memory does not wait.
  @Test(arguments: [["--timeout", "0.1"], ["--last"]]) func noReceiverIsReported(option: [String]) throws {
    let run = try ProgramRun(["fix", "--source", "serial:\(link)"] + option, environment: withoutDaemon)
    #expect(run.status == (option == ["--last"] ? 75 : 69), "\(run.errors)")
    #expect(run.output == "" && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }
}
