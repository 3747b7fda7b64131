import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy
import LocationReplay
import LocationdServer
import LocationdService
import Testing

/// Which clients may cause settings of a receiver, when they are restored, and what is stored for the next start.
@Suite struct CareTests {
  typealias Bench = CoreBench
  static let generations: [Dialect] = [.ublox6, .ublox7, .ublox8, .ublox9]

  private static func factorySet(
    _ dialect: Dialect, _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
  ) -> SimulatedReceiver.Configuration {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.isFactorySet = true
    change(&configuration)
    return configuration
  }

  private static func watch(_ number: UInt32 = 1, _ change: (inout UpdateOptions) -> Void = { _ in })
    -> ServiceCore.Input
  {
    var options = UpdateOptions()
    change(&options)
    return .request(Bench.client, .startUpdates(RequestID(number), options))
  }

  @Test(arguments: generations)
  func aStreamSetsAndRestoresBeforeThePortIsClosed(dialect: Dialect) throws {
    var run = ReceiverRun(Self.factorySet(dialect))
    let before = try #require(run.receiver.memory)
    run.send(Self.watch { $0.activity = .automotiveNavigation })
    run.run(until: .seconds(8))
    #expect(run.receiver.memory?.dynamicModel == 4)
    #expect(run.receiver.memory?.outputs.isEmpty == false)
    run.send(Bench.cancel())
    #expect(run.core.isReleasing || run.receiver.memory == before)
    run.run(until: .seconds(12))
    #expect(run.receiver.memory == before)
    #expect(!run.isOpen && run.closings == 1 && !run.core.isReleasing)
  }

  /// The sea model gives no position above 500 m, so it is not set for a vessel on a mountain lake or at an unknown height.
  @Test(arguments: [(height: 3.0, model: DynamicModel.sea), (560, .portable)])
  func aVesselGetsTheSeaModelAtSeaLevelAlone(height: Double, model: DynamicModel) throws {
    var run = ReceiverRun(Self.factorySet(.ublox9) { $0.geoidSeparation = Meters(455 - height) })
    let before = try #require(run.receiver.memory)
    run.send(Self.watch { $0.activity = .maritime })
    run.run(until: .seconds(20))
    #expect(run.receiver.memory?.dynamicModel == model.rawValue)
    run.send(Bench.cancel())
    run.run(until: .seconds(26))
    #expect(run.receiver.memory == before)
  }

  @Test(arguments: generations)
  func oneRequestForOneFixSetsNothing(dialect: Dialect) throws {
    var run = ReceiverRun(Self.factorySet(dialect), isUblox: true)
    let before = try #require(run.receiver.memory)
    run.send(Bench.locate { $0.desiredRadius68 = Meters(0.001) })
    run.run(until: .seconds(30))
    #expect(run.receiver.memory == before)
    run.send(Bench.cancel())
    #expect(!run.isOpen)
  }

  @Test func whereNothingMayBeSetNothingIs() throws {
    var run = ReceiverRun(Self.factorySet(.ublox9), isUblox: true)
    let before = try #require(run.receiver.memory)
    run.send(
      Self.watch {
        $0.activity = .fitness
        $0.setsReceivers = false
      })
    run.run(until: .seconds(10))
    #expect(run.receiver.memory == before)
  }

  /// Two streams get the settings that serve both; the last one's settings are restored when it ends.
  @Test func requestsAreJoined() throws {
    var run = ReceiverRun(Self.factorySet(.ublox9))
    let before = try #require(run.receiver.memory)
    run.send(
      Self.watch(1) {
        $0.activity = .automotiveNavigation
        $0.rateHertz = 2
      })
    run.send(
      Self.watch(2) {
        $0.activity = .fitness
        $0.rateHertz = 5
      })
    run.run(until: .seconds(8))
    #expect(run.receiver.memory?.dynamicModel == DynamicModel.portable.rawValue)
    #expect(run.receiver.memory?.measurementPeriod == 200)
    run.send(Bench.cancel(2))
    run.run(until: .seconds(10))
    #expect(run.receiver.memory?.dynamicModel == DynamicModel.automotive.rawValue)
    #expect(run.receiver.memory?.measurementPeriod == 500)
    // A request for one fix continues: the port stays open, with the receiver restored.
    run.send(Bench.locate(3) { $0.maximumAge = .zero })
    run.send(Bench.cancel(1))
    run.run(until: .seconds(10.02))
    #expect(run.isOpen && run.closings == 0)
    #expect(run.receiver.memory == before)
  }

  @Test func aReceiverThatAnswersNoMoreKeepsNoPortOpen() {
    var run = ReceiverRun(Self.factorySet(.ublox9))
    run.send(Self.watch())
    run.run(until: .seconds(8))
    run.unplugSilently()
    run.send(Bench.cancel())
    #expect(run.core.isReleasing)
    run.run(until: .seconds(15))
    #expect(!run.isOpen && !run.core.isReleasing)
  }

  @Test func aRequestDuringTheRestoreFindsThePortOpen() {
    var run = ReceiverRun(Self.factorySet(.ublox9) { $0.faults = [.lateAcknowledgements(.milliseconds(300))] })
    run.send(Self.watch())
    run.run(until: .seconds(10))
    let outputs = run.receiver.memory?.outputs
    run.send(Bench.cancel())
    run.run(until: .seconds(10.4))
    #expect(run.core.isReleasing && run.isOpen)
    run.send(Self.watch(2))
    run.run(until: .seconds(18))
    #expect(run.closings == 0 && run.receiver.memory?.outputs == outputs)
  }

  /// The port is opened again after a silence, and the settings from before are still restored: another poll would return the
  /// changed ones.
  @Test(arguments: generations)
  func settingsAreRestoredAfterThePortIsReopened(dialect: Dialect) throws {
    var run = ReceiverRun(
      Self.factorySet(dialect) { $0.faults = [.stall(.seconds(10)..<Duration.seconds(24))] })
    let before = try #require(run.receiver.memory)
    run.send(Self.watch { $0.activity = .automotiveNavigation })
    run.run(until: .seconds(9))
    #expect(run.receiver.memory?.dynamicModel == 4)
    run.run(until: .seconds(35))
    #expect(run.closings == 1 && run.isOpen, "it was opened anew")
    run.send(Bench.cancel())
    run.run(until: .seconds(45))
    #expect(!run.isOpen)
    #expect(run.receiver.memory == before)
  }

  // MARK: - The next start

  /// Nothing synchronizes the machine's clock, but a receiver has agreed with it since power-on: the time is sent with an
  /// uncertainty of two seconds. After a reboot, or if the receiver did not agree, it is not sent.
  @Test(arguments: [
    (secondsAhead: 1.0, nextBoot: "0d2a5f0c-1111-4222-8333-444455556666", tells: true),
    (30, "0d2a5f0c-1111-4222-8333-444455556666", false), (1, "ffffffff-1111-4222-8333-444455556666", false),
  ]) func aClockThatAReceiverConfirmedIsReported(secondsAhead: Double, nextBoot: String, tells: Bool) throws {
    let boot = "0d2a5f0c-1111-4222-8333-444455556666"
    let configuration = Self.factorySet(.ublox9) { $0.announcesSimulation = false }
    let clock = configuration.startTime + .seconds(secondsAhead)
    var first = ReceiverRun(configuration, wallClock: clock, wallClockError: nil, bootID: boot)
    first.send(Self.watch())
    first.run(until: .seconds(10))
    #expect((first.core.memory.agreedBootID == boot) == (secondsAhead < 2))
    let memory = ServiceMemory(text: first.core.memory.text)
    #expect(memory.agreedBootID == first.core.memory.agreedBootID)

    var second = ReceiverRun(
      Self.factorySet(.ublox9) { $0.coldStart = .cold }, memory: memory, wallClock: clock, wallClockError: nil,
      bootID: nextBoot)
    second.send(Self.watch())
    second.run(until: .seconds(8))
    // UBX-MGA-INI-TIME_UTC (0x13 0x40, type 0x10).
    let reported = second.first {
      if case .write(_, let bytes) = $0 { bytes.starts(with: [0xB5, 0x62, 0x13, 0x40, 24, 0, 0x10]) } else { false }
    }
    #expect((reported != nil) == tells)
  }

  /// Two runs of a service with a u-blox without a battery: a cold start of 30 s, then the hot start of the simulated receiver.
  @Test(arguments: generations)
  func theNextStartIsHot(dialect: Dialect) throws {
    let configuration = Self.factorySet(dialect) { $0.coldStart = .cold }
    var first = ReceiverRun(configuration)
    first.send(Self.watch())
    first.run(until: .seconds(70))
    first.send(Bench.cancel())
    first.run(until: .seconds(80))
    #expect(try #require(first.firstFix) >= .seconds(26))
    #expect(first.kept.count == 1)

    // The fix of a simulated receiver is not kept for another day; the receiver is still simulated.
    var memory = first.core.memory
    #expect(memory.lastFix == nil)
    memory.lastFix = try #require(
      first.done.compactMap { entry in
        if case .send(_, .update(_, let fix, _)) = entry.action { fix } else { nil }
      }.last)
    memory.lastFix?.isSimulated = false
    var second = ReceiverRun(configuration, memory: memory)
    second.kept = first.kept
    second.send(Self.watch())
    second.run(until: .seconds(40))
    #expect(try #require(second.firstFix) < .seconds(7))
  }
}
