import Geodesy
import Glibc
import LinuxIO
import Testing

@Suite struct ProcessRecordTests {
  /// Recorded (Linux 6.18), with its terminal, 34816 (pts/0), and its start, 5847210.
  private func stat(name: String, terminal: String = "34816", start: String = "5847210") -> [UInt8] {
    Array(
      """
      23272 (\(name)) S 23265 23272 21644 \(terminal) 23272 4194304 98 0 0 0 0 0 0 0 20 0 1 0 \(start) 3133440 423 \
      18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0

      """.utf8)
  }

  @Test func readsStartAndTerminal() throws {
    let record = try #require(ProcessRecord(stat(name: "cat")))
    #expect(record.startTicks == 5_847_210)
    // 100 ticks per second (USER_HZ).
    #expect(record.startedAt == Instant(nanoseconds: 58_472_100_000_000))
    #expect(record.hasTerminal)
    #expect(ProcessRecord(stat(name: "cat", terminal: "0"))?.hasTerminal == false)
    #expect(ProcessRecord(stat(name: "cat", start: "\(Int64.max)"))?.startedAt == Instant(nanoseconds: .max))
  }

  @Test(arguments: [")", ") S 1 1 1 0", "a) R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 (", "\n", "", "((("])
  func isNotMisledByNames(_ name: String) {
    #expect(ProcessRecord(stat(name: name))?.startTicks == 5_847_210)
    #expect(ProcessRecord(stat(name: name))?.hasTerminal == true)
  }

  @Test func refusesWhatIsInvalid() throws {
    let whole = stat(name: "cat")
    let start = try #require(String(decoding: whole, as: UTF8.self).split(separator: "5847210").first).utf8.count
    for count in 0...start + 8 { #expect(ProcessRecord(Array(whole.prefix(count))) == nil) }
    #expect(ProcessRecord(Array(whole.prefix(start + 9))) != nil)
    #expect(ProcessRecord(stat(name: "cat", start: "-1")) == nil)
    #expect(ProcessRecord(stat(name: "cat", start: "x")) == nil)
    #expect(ProcessRecord([]) == nil)
  }

  @Test func readsTheUserAndTheNumbers() throws {
    func status(_ lines: String) -> ProcessStatus? { ProcessStatus(Array("Name:\tcat\n\(lines)\n".utf8)) }
    let plain = try #require(status("Uid:\t1000\t1001\t1002\t1003\nGid:\t0\t0\t0\t0\nNSpid:\t23272"))
    #expect(plain.userID == 1001)
    #expect(plain.numbers == 1)
    #expect(status("Uid:\t0\t0\t0\t0\nNSpid:\t23272\t2")?.numbers == 2)
    // A kernel without namespaces.
    #expect(status("Uid:\t0\t0\t0\t0")?.numbers == 1)
    #expect(status("Uid:\t0\t0\t0") == nil)
    #expect(status("Uid:\t0\t-1\t0\t0") == nil)
    #expect(status("Gid:\t0\t0\t0\t0") == nil)
    // The first line counts.
    #expect(status("Uid:\t5\t5\t5\t5\nUid:\t0\t0\t0\t0")?.userID == 5)
  }
}
