import Geodesy
import Positioning
import Testing
import WireFormats

@Suite struct ScanDumpTests {
  private let start = ScanSample.start

  private func entry(_ number: UInt64, generation: UInt32 = 1) -> ScanDump.Input {
    .entry(ScanSample.entry(number) { $0.generation = generation }, isInterrupted: false)
  }

  private let end = ScanDump.Input.ended(errno: 0, isInterrupted: false)

  @Test func oneList() {
    var dump = ScanDump()
    #expect(dump.start(at: start) == [.ask] && dump.start(at: start).isEmpty)
    #expect(dump.nextDeadline == start + .seconds(2))
    #expect(dump.handle(entry(1), at: start + .seconds(1)).isEmpty && dump.handle(entry(2), at: start).isEmpty)
    let entries = (1...2).map { ScanSample.entry($0) { $0.generation = 1 } }
    #expect(dump.handle(end, at: start) == [.finished(entries)])
    #expect(dump.nextDeadline == nil && dump.handle(end, at: start).isEmpty && dump.handle(entry(3), at: start).isEmpty)
  }

  @Test func anEmptyList() {
    var dump = ScanDump()
    _ = dump.start(at: start)
    #expect(dump.handle(end, at: start) == [.finished([])])
  }

  /// The events after which the list is read again when it has ended; the entries that were read before are discarded.
  @Test(arguments: [0, 1, 2, 3]) func changed(_ way: Int) {
    var dump = ScanDump()
    _ = dump.start(at: start)
    _ = dump.handle(entry(1), at: start)
    var ended = end
    switch way {
    case 0: _ = dump.handle(.entry(ScanSample.entry(2) { $0.generation = 1 }, isInterrupted: true), at: start)
    case 1: _ = dump.handle(entry(2, generation: 2), at: start)
    case 2: _ = dump.handle(.lost, at: start)
    default: ended = .ended(errno: 0, isInterrupted: true)
    }
    #expect(dump.handle(ended, at: start) == [.ask])
    _ = dump.handle(entry(3), at: start)
    #expect(dump.handle(end, at: start) == [.finished([ScanSample.entry(3) { $0.generation = 1 }])])
  }

  /// A list that keeps changing is reported as it is after three more attempts.
  @Test func neverAtRest() {
    var dump = ScanDump()
    _ = dump.start(at: start)
    for _ in 1...3 {
      _ = dump.handle(entry(1), at: start)
      #expect(dump.handle(.ended(errno: 0, isInterrupted: true), at: start) == [.ask])
    }
    _ = dump.handle(entry(1), at: start)
    // Twice in a list that changes: the later entry counts.
    _ = dump.handle(entry(1, generation: 2), at: start)
    #expect(
      dump.handle(.ended(errno: 0, isInterrupted: true), at: start)
        == [.finished([ScanSample.entry(1) { $0.generation = 2 }])])
  }

  @Test func failures() {
    for (errno, failure) in [(19, .gone), (16, .refused(errno: 16)), (4, .refused(errno: 4))]
      as [(Int32, ScanDump.Failure)]
    {
      for input in [ScanDump.Input.refused(errno: errno), .ended(errno: errno, isInterrupted: false)] {
        var dump = ScanDump()
        _ = dump.start(at: start)
        #expect(dump.handle(input, at: start) == [.failed(failure)] && dump.nextDeadline == nil)
      }
    }
  }

  @Test func silence() {
    var dump = ScanDump()
    _ = dump.start(at: start)
    _ = dump.handle(entry(1), at: start + .seconds(1))
    #expect(dump.handle(.deadlinePassed, at: start + .milliseconds(2999)).isEmpty)
    #expect(dump.handle(.deadlinePassed, at: start + .seconds(3)) == [.failed(.noAnswer)])
  }

  @Test func moreThanThereCanBe() {
    var dump = ScanDump()
    _ = dump.start(at: start)
    for number in 0..<1500 { _ = dump.handle(entry(UInt64(number)), at: start) }
    guard case .finished(let entries)? = dump.handle(end, at: start).first else {
      Issue.record("no list")
      return
    }
    #expect(entries.count == 1000 && entries.last?.bssid == ScanSample.entry(999).bssid)
  }
}
