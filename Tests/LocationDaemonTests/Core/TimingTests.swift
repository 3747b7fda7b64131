import GNSSReceiver
import Geodesy
import LocationIPC
import LocationdService
import Testing

/// Receivers while the machine's clocks get their time.
@Suite struct TimingTests {
  typealias Bench = CoreBench
  private let receiver = Bench.receiver("usb-1")

  private func epochs(_ actions: [ServiceCore.Action]) -> [GNSSEpoch] {
    actions.compactMap { if case .timed(Bench.first, .epoch(let epoch)) = $0 { epoch } else { nil } }
  }

  @Test func theReceiverIsOpenWithoutARequest() throws {
    var bench = Bench()
    #expect(bench.send(.deviceAppeared(receiver), at: 0) == [])
    #expect(bench.send(.setTiming(true), at: 1) == [.open(Bench.first, receiver)])
    #expect(bench.send(.opened(Bench.first, baud: 9600), at: 1) == [])
    let epoch = try #require(epochs(bench.receive(Bench.burst(2), on: Bench.first, at: 2)).first)
    #expect(epoch.time == Bench.wallClock + .seconds(2))
    #expect(epoch.timing?.beganAt == Bench.at(2))
    #expect(epoch.timing?.firstMessage?.formatter == "RMC")
    #expect(bench.send(.setTiming(false), at: 3) == [.close(Bench.first)])
  }

  @Test func aRequestThatEndsDoesNotCloseIt() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(.setTiming(true), at: 1)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 1)
    _ = bench.send(Bench.watch(), at: 2)
    #expect(bench.send(Bench.cancel(), at: 3) == [])
    // And without the time, the end of the request would.
    _ = bench.send(Bench.watch(), at: 4)
    #expect(bench.send(.setTiming(false), at: 5) == [])
    #expect(bench.send(Bench.cancel(), at: 6) == [.close(Bench.first)])
  }

  @Test func simulatorsAndRecordingsGiveNoTime() {
    var bench = Bench()
    var simulated = receiver
    simulated.isSimulated = true
    var recorded = Bench.receiver("file", path: "/tmp/log")
    recorded.recording = "/tmp/log"
    _ = bench.send(.deviceAppeared(simulated), at: 0)
    _ = bench.send(.deviceAppeared(recorded), at: 0)
    #expect(bench.send(.setTiming(true), at: 1) == [])
  }

  @Test func withoutItNoEpochIsReported() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.watch(), at: 1)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 1)
    #expect(epochs(bench.receive(Bench.burst(2), on: Bench.first, at: 2)).isEmpty)
  }
}
