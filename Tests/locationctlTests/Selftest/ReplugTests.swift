import Foundation
import TestSupport
import Testing

/// `locationctl selftest` on a terminal, where it asks a person to unplug the receiver.
@Suite(.serialized) struct ReplugTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("replug-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var link: String { folder.appendingPathComponent("gps").path }

  private func plugIn() throws -> HelperProcess {
    let receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot", "rate=4"], environment: [:])
    let path = String(decoding: try #require(receiver.next()), as: UTF8.self)
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    return receiver
  }

  private func start(_ arguments: String...) throws -> TerminalRun {
    try TerminalRun(
      ["selftest", "--minutes", "0.05", "--timeout", "10", "--source", "serial:\(link)"] + arguments, columns: 100,
      rows: 40,
      errorsToo: true, inputToo: true,
      environment: [
        "TERM": "xterm", "LANG": "C.UTF-8", "LOCATIOND_STATE": folder.appendingPathComponent("state").path,
        "LOCATIOND_SOCKET": folder.appendingPathComponent("socket").path,
      ])
  }

  @Test func aReceiverThatComesBackPasses() throws {
    var receiver: HelperProcess? = try plugIn()
    let run = try start()
    #expect(run.read { $0.contains("Unplug the receiver now.") }, "\(run.output)")
    receiver = nil
    try FileManager.default.removeItem(atPath: link)
    #expect(run.read { $0.contains("Plug the receiver in again.") }, "\(run.output)")
    receiver = try plugIn()
    #expect(run.end() == 0, "\(run.output)")
    #expect(run.output.contains("✓ replug"), "\(run.output)")
    // The bar.
    #expect(run.output.contains("\r[") && run.output.contains("% measuring updates"))
    withExtendedLifetime(receiver) {}
    try? FileManager.default.removeItem(at: folder)
  }

  /// The report is on the terminal before the question, and is written only after "yes".
  @Test(arguments: [("y\n", true), ("n\n", false)])
  func theReportIsShownBeforeItIsWritten(answer: String, isWritten: Bool) throws {
    let receiver = try plugIn()
    let file = folder.appendingPathComponent("report.json").path
    let run = try start("--no-replug", "--report", file)
    #expect(run.read { $0.contains("Write it? [Y/n]") }, "\(run.output)")
    #expect(run.output.contains("\"report\":\"selftest\""))
    #expect(!run.output.contains("Unplug"))
    #expect(!FileManager.default.fileExists(atPath: file))
    try run.type(answer)
    #expect(run.end() == (isWritten ? 0 : 130))
    #expect(FileManager.default.fileExists(atPath: file) == isWritten)
    withExtendedLifetime(receiver) {}
    try? FileManager.default.removeItem(at: folder)
  }
}
