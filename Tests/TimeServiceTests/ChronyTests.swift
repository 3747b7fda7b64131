import Foundation
import Geodesy
import Testing
import TimeService

private let isWanted =
  ProcessInfo.processInfo.environment["LOCATION_PEERS"] == "1"
  && FileManager.default.isExecutableFile(atPath: "/usr/sbin/chronyd")

/// Our datagrams at a real chronyd, which keeps its hands off the clock (`-x`). It takes half a minute.
@Suite(.enabled(if: isWanted, "needs LOCATION_PEERS=1 and chronyd (Debian package chrony)"))
struct ChronyTests {
  private struct Report: Decodable {
    struct Clock: Decodable {
      var samples: Int
      var mean: Double
      var deviation: Double
    }
    var clocks: [String: Clock]
    var selectedAfterSeconds: Double?
  }

  private func line<let size: Int>(_ at: Int64, _ name: String, _ bytes: InlineArray<size, UInt8>) -> String {
    let digits = (0..<size).map { index in
      let text = String(bytes[index], radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    return "\(at) \(name) \(digits.joined())\n"
  }

  /// The clock is claimed to be 50.123 ms behind: by messages, and by pulses, whose second chronyd takes from the messages.
  @Test func chronydReadsOurSamples() throws {
    let start = Int64(Date().timeIntervalSince1970 * 1e9) + 2_000_000_000
    var lines = ""
    for second in 0..<24 as Range<Int64> {
      let at = start + second * 1_000_000_000
      let system = GNSSTime(nanosecondsSince1970: at)
      lines += line(at, "GNSS", SockSample(system: system, offsetSeconds: 0.050123).encoded)
      lines += line(at + 1000, "PPS", SockSample(system: system, offsetSeconds: 0.050456, isPulse: true).encoded)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("datagrams")
    try Data(lines.utf8).write(to: file)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Clients/chrony_sock.py")
    let process = Process()
    process.executableURL = script
    process.arguments = [file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let report = try JSONDecoder().decode(Report.self, from: text)
    let messages = try #require(report.clocks["GNSS"])
    #expect(messages.samples >= 20 && abs(messages.mean - 0.050123) < 2e-6 && messages.deviation < 2e-6)
    let pulses = try #require(report.clocks["PPS"])
    #expect(pulses.samples >= 10 && abs(pulses.mean - 0.050456) < 2e-6)
    #expect(report.selectedAfterSeconds != nil)
  }
}
