import Geodesy
import Positioning
import Testing
import WireFormats

/// When the machine starts scans itself, and on which channels.
@Suite struct OwnScanTests {
  private let notice = ScanEvent(interfaceIndex: 3, radioIndex: 0)

  private func bench(_ entries: [AccessPointEntry] = []) -> RadioBench {
    RadioBench([ScanSample.interface(3)], entries)
  }

  /// The helper starts the scan, which ends with this list.
  private func scan(_ bench: inout RadioBench, _ entries: [AccessPointEntry]) {
    bench.handle(.helperAnswered(interface: 3, errno: 0))
    bench.send(.scanStarted(notice))
    bench.pass(.seconds(1))
    bench.send(.scanFinished(notice))
    bench.list(entries)
  }

  @Test func neverUnasked() {
    let bench = bench()
    #expect(bench.asked.isEmpty && bench.radio.nextDeadline == nil)
  }

  /// 1, 6 and 11 first, then all channels; afterwards the received access points decide.
  @Test func channels() throws {
    var bench = bench()
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    #expect(bench.asked.map(\.frequencies) == [[2412, 2437, 2462]])
    scan(&bench, [ScanSample.entry(1, mhz: 2462, at: bench.now)])
    #expect(bench.wait() == .seconds(30) && bench.asked.last?.frequencies == [])
    let found = (1...3).map { ScanSample.entry($0, mhz: [2412, 5180, 5180][Int($0) - 1], at: bench.now) }
    scan(&bench, found)
    #expect(bench.wait() == .seconds(30) && bench.asked.last?.frequencies == [2412, 5180])
    // The access points are gone: the channels start from the beginning.
    scan(&bench, [])
    #expect(bench.wait() == .seconds(30) && bench.asked.last?.frequencies == [2412, 2437, 2462])
    #expect(bench.asked.count == 4)
  }

  /// The recent results of other programs' scans need not be scanned again.
  @Test func observationsOfOthers() {
    var bench = bench([ScanSample.entry(1), ScanSample.entry(2)])
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    #expect(bench.asked.isEmpty && bench.wait() == .seconds(29) && bench.asked.count == 1)
    #expect(bench.asked.last?.frequencies == [2437])
  }

  /// The access point to which this machine is connected is always received; it alone gives no position.
  @Test func oneIsNotEnough() {
    var bench = bench([ScanSample.entry(1)])
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    #expect(bench.asked.count == 1)
  }

  @Test func scansOfOthersDoAsWell() {
    var bench = bench([ScanSample.entry(1), ScanSample.entry(2)])
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    for _ in 1...10 {
      bench.pass(.seconds(20))
      bench.send(.scanFinished(notice))
      bench.list([ScanSample.entry(1, at: bench.now), ScanSample.entry(2, at: bench.now)])
    }
    #expect(bench.asked.isEmpty)
    bench.handle(.wanted(ScanPolicy(period: nil)))
    #expect(bench.radio.nextDeadline == nil)
  }

  @Test func noneWhileOneIsUnderWay() {
    var bench = bench()
    bench.send(.scanStarted(notice))
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    #expect(bench.asked.isEmpty)
    bench.send(.scanFinished(notice))
    bench.list([])
    #expect(bench.asked.isEmpty && bench.wait() == .seconds(30) && bench.asked.count == 1)
  }

  /// Half a second, doubled each time, up to 32 s; from the beginning again after a scan.
  @Test(arguments: [11, 16] as [Int32]) func busy(errno: Int32) {
    var bench = bench()
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    for milliseconds in [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 32_000] {
      bench.handle(.helperAnswered(interface: 3, errno: errno))
      #expect(bench.wait() == .milliseconds(milliseconds))
    }
    #expect(bench.asked.count == 9 && bench.outlooks == [.listening(nil)])
    scan(&bench, [])
    _ = bench.wait()
    bench.handle(.helperAnswered(interface: 3, errno: errno))
    #expect(bench.wait() == .milliseconds(500))
  }

  @Test func brokenOff() {
    var bench = bench()
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    bench.handle(.helperAnswered(interface: 3, errno: 0))
    bench.send(.scanAborted(notice))
    bench.list([])
    #expect(bench.wait() == .milliseconds(500) && bench.asked.count == 2)
  }

  /// The kernel reports that the scan has started, and never that it has ended.
  @Test func aScanWithoutAnEnd() {
    var bench = bench()
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    bench.handle(.helperAnswered(interface: 3, errno: 0))
    #expect(bench.wait() == .seconds(20) && bench.asked.count == 1)
    #expect(bench.wait() == .milliseconds(500) && bench.asked.count == 2)
  }

  /// Without a helper, the kernel is asked directly; a missing privilege is reported, and the next attempt comes much later.
  @Test func withoutTheHelper() {
    var bench = bench()
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    bench.handle(.helperAnswered(interface: 3, errno: nil))
    #expect(
      bench.sent.last
        == NetlinkRequest.scan(
          family: 28, sequence: bench.sequence, interface: 3, frequencies: [2412, 2437, 2462]))
    bench.answer(.refused(errno: 1))
    #expect(bench.outlooks.last == .listening(.noPrivilege) && bench.wait() == .seconds(300))
    bench.handle(.helperAnswered(interface: 3, errno: nil))
    bench.answer(.acknowledged)
    #expect(bench.outlooks.last == .listening(nil))
    // A new requirement is tried immediately.
    bench.send(.scanFinished(notice))
    bench.list([])
    _ = bench.wait()
    bench.handle(.helperAnswered(interface: 3, errno: 1))
    let asked = bench.asked.count
    bench.handle(.wanted(ScanPolicy(period: .seconds(10))))
    #expect(bench.asked.count == asked + 1)
  }

  @Test func interfaceDown() {
    var bench = bench()
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    bench.handle(.helperAnswered(interface: 3, errno: 100))
    #expect(bench.outlooks.last == .listening(.interfaceDown(name: "wlan3")) && bench.wait() == .milliseconds(500))
    // Another program scans on the interface: it is up again.
    bench.send(.scanFinished(notice))
    #expect(bench.outlooks.last == .listening(nil))
  }

  @Test func channelsThatTheRadioLacks() {
    var bench = bench()
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    bench.handle(.helperAnswered(interface: 3, errno: 22))
    #expect(bench.wait() == .milliseconds(500) && bench.asked.last?.frequencies == [])
    bench.handle(.helperAnswered(interface: 3, errno: 22))
    #expect(bench.outlooks.last == .listening(.refused(name: "wlan3", errno: 22)) && bench.wait() == .seconds(300))
  }

  /// Never on a radio that works as an access point for others, and again when it no longer does.
  @Test func anAccessPointOfOurOwn() {
    let own = ScanSample.interface(4, .accessPoint)
    var bench = RadioBench([ScanSample.interface(3), own])
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    #expect(bench.asked.isEmpty && bench.radio.nextDeadline == nil)
    bench.send(.interface(ScanSample.interface(4)))
    #expect(bench.asked.map(\.interface) == [3] && bench.outlooks.last == .listening(nil))
    bench.send(.interface(own))
    bench.handle(.helperAnswered(interface: 3, errno: 16))
    #expect(bench.wait() == nil && bench.asked.count == 1)
  }

  /// Another radio may scan.
  @Test func twoRadios() {
    var bench = RadioBench([ScanSample.interface(3, .accessPoint), ScanSample.interface(4, radio: 1)])
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    #expect(bench.asked.map(\.interface) == [4] && bench.outlooks.last == .listening(nil))
  }

  /// For any input, scans are requested no more often than required, or than the back-off permits.
  @Test func neverTooOften() {
    var bench = bench()
    bench.handle(.wanted(ScanPolicy(period: .seconds(30))))
    let begin = bench.now
    while bench.now < begin + .seconds(3600) {
      let now = bench.now
      if bench.asked.count % 3 == 0 { bench.handle(.list) }
      if bench.command == 32 { bench.list([]) }
      scan(&bench, [])
      guard bench.wait() != nil else { break }
      if bench.now == now { break }
    }
    #expect(bench.now >= begin + .seconds(3600) && (110...121).contains(bench.asked.count))
  }

  @Test func sentences() {
    let problems: [RadioProblem] = [
      .noKernelSupport, .noRadio, .noAnswer, .noSocket(errno: 97), .noPrivilege, .interfaceDown(name: "wlan0"),
      .servesOthers(name: "wlan0"), .refused(name: "wlan0", errno: 95),
    ]
    for problem in problems {
      #expect(problem.sentence.hasSuffix(".") && problem.sentence.contains(": "))
      #expect(problem.sentence.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
    #expect(Set(problems.map(\.sentence)).count == problems.count)
  }

  /// The observations of two radios are one list, with the last observation of each access point.
  @Test func twoRadiosReceiveTogether() {
    var bench = RadioBench([ScanSample.interface(3), ScanSample.interface(4, radio: 1)])
    for (radio, numbers) in [(UInt32(0), [UInt64(1), 2]), (1, [2, 3])] {
      bench.send(.scanFinished(ScanEvent(interfaceIndex: 3 + radio, radioIndex: radio)))
      bench.list(numbers.map { ScanSample.entry($0, hundredths: radio == 0 ? -6000 : -7000, at: bench.now) })
      bench.pass(.seconds(1))
    }
    #expect(bench.received.last?.map { $0.bssid.rawValue & 0xFF } == [1, 2, 3])
    // The radio is unplugged, and its observations are removed.
    bench.send(.interfaceGone(index: 4))
    bench.send(.scanFinished(notice))
    bench.list([ScanSample.entry(1, at: bench.now)])
    #expect(bench.received.last?.count == 1)
  }

  /// An access point that opts out is reported as such, and is also left out if it is listed a second time under another name.
  @Test func accessPointsThatOptOut() throws {
    var bench = bench()
    bench.send(.scanFinished(notice))
    bench.list([ScanSample.entry(1, "home_NOMAP"), ScanSample.entry(1, "home"), ScanSample.entry(2)])
    #expect(bench.received.last?.map { $0.bssid.rawValue & 0xFF } == [2])
    #expect(bench.optedOut.map { $0.rawValue & 0xFF } == [1])
  }
}
