import Geodesy
import Positioning
import Testing
import WireFormats

/// Interfaces that appear and disappear, and scan results of other programs.
@Suite struct ScanRadioTests {
  private let notice = ScanEvent(interfaceIndex: 3, radioIndex: 0)

  @Test func theBeginning() {
    var bench = RadioBench()
    #expect(bench.joined == [16] && bench.sent == [NetlinkRequest.family(sequence: 1)])
    bench.answer(.family(ScanSample.family))
    bench.answer(.acknowledged)
    #expect(bench.joined == [16, 13, 14] && bench.sent.last == NetlinkRequest.interfaces(family: 28, sequence: 2))
    bench.answer([.interface(ScanSample.interface(3)), .interface(ScanSample.interface(4)), .listEnded(errno: 0)])
    // The known results are read immediately: one list per radio.
    #expect(bench.sent.last == NetlinkRequest.accessPoints(family: 28, sequence: 3, interface: 3))
    bench.list([ScanSample.entry(1), ScanSample.entry(2, "home_nomap")])
    #expect(bench.received.map { $0.map(\.bssid) } == [[ScanSample.entry(1).bssid]])
    #expect(bench.sent.count == 3 && bench.outlooks == [.listening(nil)] && bench.radio.nextDeadline == nil)
  }

  @Test func noKernel() {
    var bench = RadioBench()
    bench.answer(.refused(errno: 2))
    #expect(bench.outlooks == [.deaf(.noKernelSupport)] && bench.radio.nextDeadline == nil)
    // A radio is plugged in, and its driver is loaded.
    bench.send(.family(ScanSample.family))
    #expect(bench.command == 5)
    bench.answer(.listEnded(errno: 0))
    #expect(bench.outlooks == [.deaf(.noKernelSupport), .starting, .deaf(.noRadio)])
    bench.send(.interface(ScanSample.interface(3)))
    #expect(bench.outlooks.last == .listening(nil) && bench.command == 32)
  }

  @Test func aKernelThatIsSilent() {
    var bench = RadioBench()
    #expect(bench.wait() == .seconds(2))
    #expect(bench.outlooks == [.deaf(.noAnswer)])
  }

  @Test func scansOfOthers() {
    var bench = RadioBench([ScanSample.interface(3)])
    let requests = bench.sent.count
    bench.send(.scanStarted(notice))
    #expect(bench.sent.count == requests)
    bench.send(.scanFinished(notice))
    #expect(bench.sent.count == requests + 1 && bench.command == 32)
    bench.list([ScanSample.entry(1), ScanSample.entry(2)])
    #expect(bench.received.last?.count == 2 && bench.asked.isEmpty)
    bench.send(.scanAborted(notice))
    #expect(bench.sent.count == requests + 2)
  }

  /// If an event comes while a list is read, the list is read once more afterwards.
  @Test func oneAtATime() {
    var bench = RadioBench([ScanSample.interface(3), ScanSample.interface(4, radio: 1)])
    bench.send(.scanFinished(notice))
    let requests = bench.sent.count
    for _ in 1...5 {
      bench.send(.scanFinished(notice))
      bench.send(.scanFinished(ScanEvent(interfaceIndex: 4, radioIndex: 1)))
    }
    #expect(bench.sent.count == requests)
    bench.list([])
    bench.list([])
    bench.list([])
    #expect(bench.sent.count == requests + 2)
  }

  @Test func aListThatChanges() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.send(.scanFinished(notice))
    let before = bench.sequence
    bench.answer([.accessPoint(ScanSample.entry(1)), .listEnded(errno: 0)], isInterrupted: true)
    #expect(bench.sequence == before + 1 && bench.command == 32)
    bench.list([ScanSample.entry(2)])
    #expect(bench.received.last?.map(\.bssid) == [ScanSample.entry(2).bssid])
  }

  @Test func anInterfaceThatGoes() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.send(.scanFinished(notice))
    bench.send(.interfaceGone(index: 3))
    bench.answer(.listEnded(errno: 19))
    #expect(bench.outlooks.last == .deaf(.noRadio))
    // The interfaces are read again, once.
    #expect(bench.wait() == .seconds(1) && bench.command == 5)
    bench.answer(.listEnded(errno: 0))
    #expect(bench.radio.nextDeadline == nil)
  }

  /// After lost messages, everything is read again, but not immediately.
  @Test func overflow() {
    var bench = RadioBench([ScanSample.interface(3)])
    let requests = bench.sent.count
    for _ in 1...10 { bench.handle(.lost) }
    #expect(bench.sent.count == requests && bench.wait() == .seconds(1))
    bench.answer([.interface(ScanSample.interface(3)), .listEnded(errno: 0)])
    bench.list([])
    #expect(bench.sent.count == requests + 2 && bench.radio.nextDeadline == nil)
  }

  @Test func listsThatNeverCome() {
    var bench = RadioBench()
    bench.answer(.family(ScanSample.family))
    // Two seconds without an answer, then a pause, each twice as long as the previous one.
    for pause in [1, 2, 4, 8, 16, 32, 64, 64] {
      #expect(bench.wait() == .seconds(2))
      #expect(bench.wait() == .seconds(pause))
    }
  }

  /// The addresses of the machine's own interfaces are not used for positions.
  @Test func ownAccessPoint() {
    let own = ScanSample.interface(4, .accessPoint, address: "00:01:e3:00:00:01")
    var bench = RadioBench([ScanSample.interface(3), own])
    bench.send(.scanFinished(notice))
    bench.list([ScanSample.entry(1), ScanSample.entry(2)])
    #expect(bench.received.last?.map(\.bssid) == [ScanSample.entry(2).bssid])
    #expect(bench.outlooks.last == .listening(.servesOthers(name: "wlan4")))
  }

  @Test func onDemand() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.handle(.list)
    bench.list([ScanSample.entry(1)])
    #expect(bench.received.last?.count == 1 && bench.asked.isEmpty)
  }

  /// An event of an interface that was not reported before.
  @Test func anUnknownInterface() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.send(.scanFinished(ScanEvent(interfaceIndex: 9, radioIndex: 9)))
    #expect(bench.command == 5)
  }

  @Test func answersOfBefore() {
    var bench = RadioBench([ScanSample.interface(3)])
    bench.send(.scanFinished(notice))
    let stale = NetlinkEnvelope(sequence: bench.sequence - 1, portID: 1, isInterrupted: false)
    bench.handle(.received(stale, .accessPoint(ScanSample.entry(7))))
    bench.handle(.received(stale, .listEnded(errno: 0)))
    bench.list([ScanSample.entry(1)])
    #expect(bench.received.last?.map(\.bssid) == [ScanSample.entry(1).bssid])
  }
}
