import Foundation
import LocationIPC
import Testing
import locationctl

/// `--plain` prints only whole lines, on a real terminal, for screen readers.
@Suite struct PlainOutputTests {
  private static let ways: [(arguments: [String], environment: [String: String])] = [
    (["--plain"], [:]), ([], ["LOCATIONCTL_PLAIN": "1"]), ([], ["TERM": "dumb"]),
  ]

  private func terminal(_ arguments: [String], _ changes: [String: String]) throws -> TerminalRun {
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("plain-\(UUID().uuidString)").path
    let environment = ["TERM": "xterm", "LANG": "C.UTF-8", "LOCATIOND_STATE": state].merging(changes) { $1 }
    return try TerminalRun(arguments, columns: 80, rows: 24, errorsToo: true, environment: environment)
  }

  @Test(arguments: ways.indices) func theSkyIsATable(way: Int) throws {
    let (option, changes) = Self.ways[way]
    let run = try terminal(["sky", "--source", "simulator", "--count", "2"] + option, changes)
    #expect(run.end() == 0)
    #expect(run.output.contains("NAME  SYSTEM"))
    #expect(!run.output.contains("\u{1B}"), "\(run.output)")
  }

  /// A terminal ends each line with CR LF; a CR alone would be a redrawn line.
  @Test(arguments: ways.indices) func waitingIsReportedOnceInWholeLines(way: Int) throws {
    let (option, changes) = Self.ways[way]
    let run = try terminal(["fix", "--source", "simulator", "--max-age", "0"] + option, changes)
    #expect(run.end() == 0)
    #expect(run.output.contains("Position"))
    #expect(!run.output.contains("\u{1B}"), "\(run.output)")
    #expect(!run.output.replacingOccurrences(of: "\r\n", with: "\n").contains("\r"))
    let lines = run.output.split(separator: "\r\n")
    #expect(lines.contains { $0.hasPrefix("locationctl: ") }, "\(lines)")
    #expect(Set(lines).count == lines.count, "\(lines)")
  }

  @Test func withoutItTheProgressIsRedrawn() throws {
    let run = try terminal(["fix", "--source", "simulator", "--max-age", "0"], [:])
    #expect(run.end() == 0)
    #expect(run.output.contains("\u{1B}[K"))
  }

  @Test(arguments: [
    (LocationProgress.waitingForSource, "Waiting for a receiver to be plugged in."),
    (.waitingForPort(path: "/dev/ttyACM0"), "Waiting for /dev/ttyACM0, which another process uses."),
    (.listening(path: "/dev/ttyACM0", baud: 9600), "Listening on /dev/ttyACM0."),
    (.searching(path: "/dev/ttyACM0", satellitesInView: 7, satellitesUsed: 3), "No fix yet from /dev/ttyACM0."),
    (.converging(radius68Meters: 4.21), "There is a fix; waiting for better accuracy."),
  ]) func anAnnouncementHasNoFiguresThatChange(progress: LocationProgress, expected: String) {
    #expect(ProgressLine.announcement(progress) == expected)
  }
}
