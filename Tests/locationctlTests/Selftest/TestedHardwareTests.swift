import Foundation
import Testing

/// `make tested`: the list of tested hardware, from reports that strangers have sent.
@Suite struct TestedHardwareTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tested-\(UUID().uuidString)")
    for path in [
      ".ci/tested", "Documentation/schemas/selftest-report.schema.json", "Hardware/reports/virtual-ublox8.json",
    ] {
      let target = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Self.root.appendingPathComponent(path), to: target)
    }
  }

  private func tested(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun([folder.appendingPathComponent(".ci/tested").path] + arguments, of: "/usr/bin/python3")
  }

  private var page: String {
    get throws {
      try String(contentsOf: folder.appendingPathComponent("Documentation/TestedHardware.md"), encoding: .utf8)
    }
  }

  /// Adds the virtual report with changes.
  private func add(_ name: String, replacing texts: [(String, String)]) throws {
    var text = try String(
      contentsOf: folder.appendingPathComponent("Hardware/reports/virtual-ublox8.json"), encoding: .utf8)
    for (old, new) in texts {
      try #require(text.contains(old))
      text = text.replacingOccurrences(of: old, with: new)
    }
    try Data(text.utf8).write(to: folder.appendingPathComponent("Hardware/reports/\(name).json"))
  }

  @Test func virtualReportsDoNotCount() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try tested().output == "0 reports of real receivers, 1 of virtual ones.\n")
    #expect(try page.contains("**No real receiver has been tested yet.**"))
    #expect(
      try page
        == String(contentsOf: Self.root.appendingPathComponent("Documentation/TestedHardware.md"), encoding: .utf8))
    #expect(try tested("--check").status == 0)
  }

  @Test func aRealReportCountsAndMakesTheOldPageWrong() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try tested().status == 0)
    try add(
      "real",
      replacing: [
        ("\"virtual\":true", "\"virtual\":false"), ("\"processors\":", "\"board\":\"Raspberry Pi 5\",\"processors\":"),
      ])
    #expect(try tested("--check").status == 1)
    #expect(try tested().output == "1 reports of real receivers, 1 of virtual ones.\n")
    #expect(try page.contains("**1 report of a real receiver.**") && page.contains("| Raspberry Pi 5 |"))
  }

  /// Text of a stranger stays text in the page.
  @Test func hostileTextStaysText() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try add(
      "hostile",
      replacing: [("\"processors\":", "\"board\":\"a | b](http://x) <script>`\\n# Heading\",\"processors\":")])
    #expect(try tested().status == 0)
    #expect(try page.contains("| a ? b?(http://x) ?script???? Heading |"))
  }

  @Test(arguments: [
    ("\"report\":\"selftest\"", "\"report\":\"other\""), ("\"virtual\":true", "\"virtual\":\"no\""),
    ("\"outcome\":\"passed\"", "\"outcome\":\"perfect\""), ("\"minutes\":", "\"hours\":"), ("{\n", "[\n"),
  ]) func whatIsNoReportIsRefused(old: String, new: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try add("bad", replacing: [(old, new)])
    let run = try tested()
    #expect(run.status == 1)
    #expect(run.errors.contains("bad.json is no report"))
  }
}
