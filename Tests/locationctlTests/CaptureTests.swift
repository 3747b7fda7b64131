import Foundation
import Testing

/// Captures of receivers, played by the real command and compared with output that a person read and found correct.
@Suite struct CaptureTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Captures")
  private static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".capture") }.map { String($0.dropLast(".capture".count)) }.sorted()
  }()

  @Test func thereAreCaptures() { #expect(Self.names.count >= 5) }

  @Test(arguments: names)
  func playsAsExpected(name: String) throws {
    let run = try ProgramRun(["replay", "--raw", Self.folder.appendingPathComponent("\(name).capture").path])
    let expected = try String(
      contentsOf: Self.folder.appendingPathComponent("\(name).expected.jsonl"), encoding: .utf8)
    #expect(run.status == 0)
    #expect(run.errors == "")
    let (lines, expectedLines) = (run.output.split(separator: "\n"), expected.split(separator: "\n"))
    #expect(lines.count == expectedLines.count)
    for (line, expectedLine) in zip(lines, expectedLines) { #expect(line == expectedLine) }
  }

  /// If a capture ends in the middle of a line, everything before that line is played, and the damage is reported.
  @Test func aCutCaptureIsPlayedAsFarAsItGoes() throws {
    let name = try #require(Self.names.first)
    let whole = try Data(contentsOf: Self.folder.appendingPathComponent("\(name).capture"))
    let cut = FileManager.default.temporaryDirectory.appendingPathComponent("cut-\(UUID().uuidString).capture")
    try whole.dropLast(whole.count / 3).write(to: cut)
    defer { try? FileManager.default.removeItem(at: cut) }
    let run = try ProgramRun(["replay", cut.path])
    #expect(run.status == 65)
    #expect(run.output.contains("latitude"))
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(run.errors.contains("the file ends within this line"), "\(run.errors)")
  }
}
