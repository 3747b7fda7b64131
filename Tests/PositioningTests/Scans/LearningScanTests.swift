import Geodesy
import Positioning
import Testing
import WireFormats

/// Scans that only serve learning, by radios that nothing else uses.
@Suite struct LearningScanTests {
  private let notice = ScanEvent(interfaceIndex: 3, radioIndex: 0)
  private let wish = ScanPolicy(idlePeriod: .seconds(10))

  private func network(at now: Instant) -> AccessPointEntry {
    ScanSample.entry(1, at: now) { $0.status = .associated }
  }

  @Test func aRadioOnNoNetworkScans() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.handle(.wanted(wish))
    // The first step is to check whether the radio is connected to a network.
    #expect(bench.asked.isEmpty && bench.command == 32)
    bench.list([])
    #expect(bench.asked.map(\.frequencies) == [[2412, 2437, 2462]])
    bench.handle(.helperAnswered(interface: 3, errno: 0))
    bench.send(.scanFinished(notice))
    bench.list([])
    let sent = bench.sent.count
    #expect(bench.wait() == .seconds(10) && bench.asked.count == 1 && bench.sent.count == sent + 1)
    bench.list([])
    #expect(bench.asked.count == 2)
  }

  @Test func aRadioOnANetworkIsLeftToIt() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.handle(.wanted(wish))
    bench.list([network(at: bench.now)])
    #expect(bench.asked.isEmpty)
    for _ in 1...5 {
      // Only the connection is checked.
      #expect(bench.wait() == .seconds(60) && bench.command == 32)
      bench.list([network(at: bench.now)])
      #expect(bench.asked.isEmpty)
    }
    // The radio has left the network.
    _ = bench.wait()
    bench.list([])
    #expect(bench.asked.count == 1)
  }

  /// For a position request, the radio scans also if it is connected to a network.
  @Test func aPositionIsWorthAScan() {
    var bench = RadioBench([ScanSample.interface(3)], [network(at: ScanSample.start)])
    bench.handle(.wanted(ScanPolicy(period: .seconds(30), idlePeriod: .seconds(10))))
    #expect(bench.asked.count == 1)
  }

  /// The state during a position check is no reason for later scans.
  @Test func aPositionCheckReportsTheCurrentState() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.handle(.wanted(wish))
    // Other programs have scanned meanwhile, so that no scan is due.
    bench.list([ScanSample.entry(1, at: bench.now), ScanSample.entry(2, at: bench.now)])
    #expect(bench.asked.isEmpty)
    #expect(bench.wait() == .seconds(9) && bench.asked.isEmpty && bench.command == 32)
    bench.list([network(at: bench.now)])
    #expect(bench.asked.isEmpty)
  }

  /// A list that does not come delays nothing, and causes no rapid requests.
  @Test func aListThatDoesNotCome() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.handle(.wanted(wish))
    let begin = bench.now
    var steps = 0
    while bench.now < begin + .seconds(600), bench.wait() != nil { steps += 1 }
    #expect(bench.asked.isEmpty && steps < 600)
    while bench.command != 32, bench.wait() != nil {}
    bench.list([])
    #expect(bench.asked.count <= 1)
  }

  @Test func neverWhereItServesOthers() {
    var bench = RadioBench([ScanSample.interface(3), ScanSample.interface(4, .accessPoint)])
    bench.handle(.wanted(wish))
    #expect(bench.asked.isEmpty && bench.radio.nextDeadline == nil)
  }
}
