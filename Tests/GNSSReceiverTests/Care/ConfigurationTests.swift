import GNSSReceiver
import Geodesy
import LocationReplay
import Testing

/// The service sets its own receiver to the clients' requirements, and restores it afterwards: with a u-blox of each generation,
/// also one that refuses, answers late, or does not answer.
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

  /// The NAV messages that are enabled for each generation, by their identifiers.
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
    // NMEA stays enabled, because other programs may read the same line.
    let identity = bench.said.compactMap { if case .identified(let identity) = $0.action { identity } else { nil } }
      .last
    #expect(identity?.speaksNMEA == true)
    // The radius is the receiver's own, from 1.2 m per axis, and not the 4.14 m of the dilution model.
    let radius = try #require(bench.fixes.last).horizontalRadius68.value
    #expect((1.7...1.9).contains(radius))
    bench.send(.release)
    bench.run(until: .seconds(12))
    #expect(bench.first { $0 == .released(notPutBack: 0) } != nil)
    #expect(bench.receiver.memory == before)
  }

  /// Each epoch is reported once: nothing is polled that comes by itself.
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
    // No client uses the receiver any more, but it is still open.
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

  /// On a slow line, the requested number of epochs would exceed the line's capacity.
  @Test func theLineLimitsTheRate() {
    var bench = bench(.ublox8, ReceiverConfigurationRequest(rateHertz: 10)) { _ in
    } settings: {
      $0.hasLineSpeed = true
    }
    bench.run(until: .seconds(9))
    #expect(bench.receiver.memory?.measurementPeriod == 1000)
  }

  // MARK: - Receivers that refuse settings or do not answer

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
    // The setting is not repeated again and again; the accuracy is polled like that of a receiver that may not be changed.
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

  /// All settings succeed even if answers come a little late or are lost now and then.
  @Test(arguments: generations, [unreliable[0], unreliable[3], unreliable[4]])
  func slowReceiversAreConfigured(dialect: Dialect, fault: Fault) {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) { $0.faults = [fault] }
    bench.run(until: .seconds(60))
    #expect(bench.receiver.memory?.outputs == Self.added(dialect))
    #expect(bench.receiver.memory?.dynamicModel == DynamicModel.automotive.rawValue)
  }

  /// The last setting took effect, but its confirmation was lost: it is restored nevertheless.
  @Test(arguments: generations)
  func unconfirmedSettingsAreRestored(dialect: Dialect) throws {
    for first in 3...14 {
      // After a certain answer, none is sent until the settings are restored.
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

  /// The receiver sends its banner and has lost its settings.
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

  /// The sleeping receiver is not considered lost, is silent for the given time, and is set again afterwards.
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

  /// A receiver that has not been identified as a u-blox is not sent to sleep, because it would not wake.
  @Test func othersStayAwake() {
    var bench = SessionBench(
      .of(.nmea411), SessionBench.settings { $0.requestedConfiguration = ReceiverConfigurationRequest() })
    bench.run(until: .seconds(9.5))
    bench.send(.powerDown(.seconds(60)))
    bench.run(until: .seconds(20))
    #expect(bench.complete.count == 20)
  }

  /// A session that may not change the receiver does not send it to sleep, whatever the receiver supports.
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
