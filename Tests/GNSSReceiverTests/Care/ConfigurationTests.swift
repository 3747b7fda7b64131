import GNSSReceiver
import Geodesy
import LocationReplay
import Testing

/// A service's own receiver is set as clients want it, and left as it was: against a u-blox of each generation, also one that
/// refuses, answers late, or forgets to answer.
@Suite struct ConfigurationTests {
  static let generations: [Dialect] = [.ublox6, .ublox7, .ublox8, .ublox9]

  private func bench(
    _ dialect: Dialect, _ requestedConfiguration: ReceiverConfigurationRequest?,
    _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in },
    settings: (inout ReceiverSettings) -> Void = { _ in }
  ) -> SessionBench {
    SessionBench(
      .of(dialect) {
        $0.isFactorySet = true
        change(&$0)
      },
      SessionBench.settings {
        $0.requestedConfiguration = requestedConfiguration
        settings(&$0)
      })
  }

  /// NAV messages that a generation gets to say, by their identifiers.
  private static func added(_ dialect: Dialect) -> [UInt8] {
    switch dialect {
    case .ublox6: [0x02, 0x12]
    case .ublox7: [0x07]
    case .ublox8: [0x07, 0x61]
    default: [0x07, 0x36, 0x61]
    }
  }

  @Test(arguments: generations)
  func accuracyIsAddedAndTakenBack(dialect: Dialect) throws {
    var bench = bench(dialect, ReceiverConfigurationRequest())
    let before = try #require(bench.receiver.memory)
    #expect(before.outputs.isEmpty)
    bench.run(until: .seconds(8))
    #expect(bench.receiver.memory?.outputs == Self.added(dialect))
    // NMEA goes on: others may read the same line.
    let identity = bench.said.compactMap { if case .identified(let identity) = $0.action { identity } else { nil } }
      .last
    #expect(identity?.speaksNMEA == true)
    // The radius is the receiver's own, not the dilution model's 4.14 m: 1.2 m an axis.
    let radius = try #require(bench.fixes.last).horizontalRadius68.value
    #expect((1.7...1.9).contains(radius))
    bench.send(.release)
    bench.run(until: .seconds(12))
    #expect(bench.first { $0 == .released(notPutBack: 0) } != nil)
    #expect(bench.receiver.memory == before)
  }

  /// Each epoch is told once: nothing is polled for what comes by itself.
  @Test(arguments: generations)
  func configuredMessagesAreNotPolled(dialect: Dialect) {
    var bench = bench(dialect, ReceiverConfigurationRequest())
    bench.run(until: .seconds(8))
    let writtenBefore = bench.written.count
    bench.run(until: .seconds(30))
    #expect(bench.written.count == writtenBefore)
    #expect(bench.complete.count == 30)
  }

  @Test(arguments: generations, [3.2, 4.9])
  func aModelIsSetChangedAndRestored(dialect: Dialect, moment: Double) throws {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive, rateHertz: 5))
    let before = try #require(bench.receiver.memory)
    bench.run(until: .seconds(9))
    #expect(bench.receiver.memory?.dynamicModel == DynamicModel.automotive.rawValue)
    #expect(bench.receiver.memory?.measurementPeriod == 200)
    bench.send(.configure(ReceiverConfigurationRequest(dynamicModel: .pedestrian)))
    bench.run(until: .seconds(9 + moment))
    #expect(bench.receiver.memory?.dynamicModel == DynamicModel.pedestrian.rawValue)
    #expect(bench.receiver.memory?.measurementPeriod == before.measurementPeriod)
    // Nobody's any more, and still open.
    bench.send(.configure(nil))
    bench.run(until: .seconds(16))
    #expect(bench.receiver.memory == before)
    #expect(bench.first { $0 == .released(notPutBack: 0) } == nil)
  }

  @Test(arguments: generations)
  func powerIsSparedAndGivenBack(dialect: Dialect) throws {
    var bench = bench(dialect, ReceiverConfigurationRequest(sparingPeriod: .seconds(10)))
    let before = try #require(bench.receiver.memory)
    bench.run(until: .seconds(9))
    #expect(bench.receiver.memory?.powerMode == 1)
    #expect(bench.receiver.memory?.updatePeriodMilliseconds == 10_000)
    bench.send(.release)
    bench.run(until: .seconds(14))
    #expect(bench.receiver.memory == before)
  }

  /// On a slow line a wish for many epochs would choke it.
  @Test func theLineLimitsTheRate() {
    var bench = bench(.ublox8, ReceiverConfigurationRequest(rateHertz: 10)) { _ in
    } settings: {
      $0.hasLineSpeed = true
    }
    bench.run(until: .seconds(9))
    #expect(bench.receiver.memory?.measurementPeriod == 1000)
  }

  // MARK: - Receivers that do not do as they are told

  @Test(arguments: generations)
  func refusalChangesNothing(dialect: Dialect) throws {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) {
      $0.faults = [.refusedSettings]
    }
    let before = try #require(bench.receiver.memory)
    bench.run(until: .seconds(15))
    #expect(bench.receiver.memory == before)
    let writtenBefore = bench.written.count
    bench.run(until: .seconds(20))
    // It is not asked again and again; the accuracy is polled for as for a guest.
    #expect(bench.written.count - writtenBefore <= 5)
    bench.send(.release)
    #expect(bench.first { $0 == .released(notPutBack: 0) } != nil)
    #expect(bench.complete.count == 20)
  }

  static let unreliable: [Fault] = [
    .lateAcknowledgements(.milliseconds(900)), .lateAcknowledgements(.milliseconds(2500)),
    .forgottenAcknowledgements(every: 2), .forgottenAcknowledgements(every: 3), .forgottenAcknowledgements(every: 5),
  ]

  @Test(arguments: generations, unreliable)
  func nothingIsLeftBehind(dialect: Dialect, fault: Fault) throws {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) { $0.faults = [fault] }
    let before = try #require(bench.receiver.memory)
    bench.run(until: .seconds(60))
    #expect(bench.complete.count == 60)
    bench.send(.release)
    bench.run(until: .seconds(120))
    #expect(bench.first { $0 == .released(notPutBack: 0) } != nil)
    #expect(bench.receiver.memory == before)
  }

  /// What comes a little late, or is lost now and then, still gets everything set.
  @Test(arguments: generations, [unreliable[0], unreliable[3], unreliable[4]])
  func slowReceiversAreConfigured(dialect: Dialect, fault: Fault) {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) { $0.faults = [fault] }
    bench.run(until: .seconds(60))
    #expect(bench.receiver.memory?.outputs == Self.added(dialect))
    #expect(bench.receiver.memory?.dynamicModel == DynamicModel.automotive.rawValue)
  }

  /// What was written last is done, and nobody hears so: it is put back all the same.
  @Test(arguments: generations)
  func unconfirmedSettingsAreRestored(dialect: Dialect) throws {
    for first in 3...14 {
      // From some answer on none is said, until it is told to be put back.
      var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) {
        $0.faults = [.deafenedAfter(answers: first, until: .seconds(40))]
      }
      let before = try #require(bench.receiver.memory)
      bench.run(until: .seconds(41))
      bench.send(.release)
      bench.run(until: .seconds(80))
      #expect(bench.receiver.memory == before, "after \(first) answers")
    }
  }

  /// It says its banner and has forgotten what it was told.
  @Test(arguments: generations)
  func aReceiverThatRestartsIsSetAgain(dialect: Dialect) {
    var bench = bench(dialect, ReceiverConfigurationRequest())
    bench.run(until: .seconds(8))
    bench.interruptPower()
    #expect(bench.receiver.memory?.outputs == [])
    bench.inject(Sentence("GNTXT,01,01,02,u-blox AG - www.u-blox.com"))
    bench.run(until: .seconds(16))
    #expect(bench.receiver.memory?.outputs == Self.added(dialect))
  }

  // MARK: - Sleep

  /// It is silent without being taken for lost, says nothing for so long, and is set again afterwards.
  @Test(arguments: generations)
  func itSleepsAndIsSetAgain(dialect: Dialect) {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive))
    bench.run(until: .seconds(9.5))
    bench.send(.powerDown(.seconds(60)))
    bench.run(until: .seconds(69))
    #expect(bench.complete.count == 10)
    #expect(!bench.states.contains(.silent) && bench.first { $0 == .reopen } == nil)
    bench.run(until: .seconds(80))
    #expect(bench.complete.count >= 19)
    #expect(bench.receiver.memory?.outputs == Self.added(dialect))
    #expect(bench.receiver.memory?.dynamicModel == DynamicModel.automotive.rawValue)
  }

  @Test(arguments: generations)
  func itIsWokenByAByte(dialect: Dialect) {
    var bench = bench(dialect, ReceiverConfigurationRequest())
    bench.run(until: .seconds(9.5))
    bench.send(.powerDown(nil))
    bench.run(until: .seconds(3600))
    #expect(bench.complete.count == 10)
    bench.send(.wakeUp)
    bench.run(until: .seconds(3610))
    #expect(bench.complete.count >= 19)
  }

  /// Who has not said that it is a u-blox is not told to sleep, as it would not wake.
  @Test func othersStayAwake() {
    var bench = SessionBench(
      .of(.nmea411), SessionBench.settings { $0.requestedConfiguration = ReceiverConfigurationRequest() })
    bench.run(until: .seconds(9.5))
    bench.send(.powerDown(.seconds(60)))
    bench.run(until: .seconds(20))
    #expect(bench.complete.count == 20)
  }

  /// A guest leaves it alone, whatever it could do.
  @Test(arguments: generations)
  func aGuestSetsNothing(dialect: Dialect) throws {
    var bench = bench(dialect, nil)
    let before = try #require(bench.receiver.memory)
    bench.run(until: .seconds(20))
    #expect(bench.receiver.memory == before)
    bench.send(.release)
    #expect(bench.said.last?.action == .released(notPutBack: 0))
  }
}
