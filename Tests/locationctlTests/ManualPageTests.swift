import Foundation
import TestSupport
import Testing

/// The manual pages as a reader sees them, and beside the help of the programs.
@Suite struct ManualPageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/locationd/Packaging/man")

  private func pages() throws -> [(name: String, text: String)] {
    try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil).map {
      ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
    }
  }

  /// The macro Ql quotes all its arguments as one word: a list needs one Ql per word (B20).
  @Test func noListIsQuotedAsOneWord() throws {
    for page in try pages() {
      for line in page.text.split(separator: "\n") where line.contains(#/^\.(Pq |Po |Bq )*Ql [^"]* , /#) {
        Issue.record("\(page.name): \(line)")
      }
    }
  }

  /// What `locationd --help` lists is in the synopsis of locationd(8) (B21).
  @Test func theSynopsisOfTheDaemonIsComplete() throws {
    let help = try ProgramRun(["--help"], of: RunningDaemon.program)
    let helpers = help.output.matches(of: /(?m)^  ([a-z]+-[a-z]+) +\S/).map { String($0.output.1) }
    #expect(
      Set(helpers) == ["scan-helper", "fetch-helper", "net-helper", "fleet-helper", "time-helper", "event-agent"],
      "\(help.output)")
    let page = try #require(try pages().first { $0.name == "locationd.8" })
    let synopsis = page.text.split(separator: ".Sh DESCRIPTION")[0]
    for helper in helpers { #expect(synopsis.contains(helper)) }
  }
}
