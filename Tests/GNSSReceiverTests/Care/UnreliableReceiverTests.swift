import GNSSReceiver
import Geodesy
import LocationReplay
import Testing

/// Receivers that refuse, lose answers, or restart at the wrong moment: in every case, their previous settings are known, and
/// their current settings are not mistaken.
@Suite struct UnreliableReceiverTests {
  static let generations = ConfigurationTests.generations

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
        $0.identity = "usb-1546-01a8-port-1.2"
        settings(&$0)
      })
  }

  private func stranded(_ bench: SessionBench) -> [Int] {
    bench.said.compactMap { if case .released(let count) = $0.action { count } else { nil } }
  }

  /// The acknowledgment of a poll is not taken for that of the setting that follows it: a refusal is recognized, and the accuracy
  /// is polled like that of a receiver that may not be changed.
  @Test(arguments: generations)
  func aRefusalIsNotMistakenForTheAnswerBefore(dialect: Dialect) throws {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) {
      $0.faults = [.refusedSettings]
    }
    bench.run(until: .seconds(20))
    let radius = try #require(bench.fixes.last).horizontalRadius68.value
    #expect((1.7...1.9).contains(radius), "the receiver's own, not the dilution model's 4.14 m")
    bench.send(.release)
    #expect(stranded(bench) == [0])
    #expect(bench.pendingDeliveries == nil)
  }

  /// The receiver was set, and then refuses to be restored: that is reported, and the pending restore is kept.
  @Test(arguments: generations)
  func unrestoredSettingsAreReported(dialect: Dialect) throws {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) {
      $0.faults = [.refusedSettingsAfter(.seconds(15))]
    }
    bench.run(until: .seconds(15))
    let set = try #require(bench.receiver.memory)
    #expect(set.dynamicModel == DynamicModel.automotive.rawValue)
    bench.send(.release)
    bench.run(until: .seconds(25))
    #expect(stranded(bench) == [set.outputs.count + 1])
    #expect(bench.receiver.memory == set)
    #expect(bench.pendingDeliveries?.count == set.outputs.count + 1)
  }

  /// Answers are lost and late at random, with 40 seeds: no setting stays unrestored without a report.
  @Test(arguments: generations, 0..<40)
  func chanceLeavesNothingBehind(dialect: Dialect, seed: UInt64) throws {
    let longest: [Duration] = [.milliseconds(300), .milliseconds(1500), .milliseconds(2600), .milliseconds(5000)]
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive, rateHertz: 2)) {
      $0.faults = [
        .erraticAcknowledgements(upTo: longest[Int(seed % 4)], oneLostIn: [0, 3, 6, 12][Int(seed / 4 % 4)], seed: seed)
      ]
    }
    let before = try #require(bench.receiver.memory)
    bench.run(until: .seconds(50))
    bench.send(.configure(ReceiverConfigurationRequest(dynamicModel: .pedestrian)))
    bench.run(until: .seconds(100))
    bench.send(.release)
    bench.run(until: .seconds(220))
    let count = try #require(stranded(bench).last)
    #expect(bench.receiver.memory == before || count > 0, "\(count) told")
    #expect((bench.pendingDeliveries == nil) == (count == 0))
  }

  /// The receiver loses power while it is restored, at any moment of the restore; the port stays open.
  @Test(arguments: generations)
  func aRestartWhileItIsRestoredEndsWell(dialect: Dialect) throws {
    for milliseconds in stride(from: 0, through: 1200, by: 100) {
      var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) {
        $0.faults = [.lateAcknowledgements(.milliseconds(150))]
      }
      let before = try #require(bench.receiver.memory)
      bench.run(until: .seconds(12))
      bench.send(.release)
      bench.run(until: .seconds(12) + .milliseconds(milliseconds))
      bench.interruptPower()
      bench.inject(Sentence("GNTXT,01,01,02,u-blox AG - www.u-blox.com"))
      bench.run(until: .seconds(30))
      #expect(stranded(bench) == [0])
      #expect(bench.receiver.memory == before)
    }
  }

  /// Generation 10 has only configuration keys: the hardware around the receiver shows its port.
  @Test(arguments: [(isUblox: true, port: UInt8(3)), (false, 1)])
  func generation10IsSetByKeysAlone(isUblox: Bool, port: UInt8) throws {
    var bench = bench(.ublox9, ReceiverConfigurationRequest(dynamicModel: .automotive, rateHertz: 5)) {
      $0.hasSettingMessages = false
      $0.port = port
      $0.uniqueID = [0xC0, 0xFF, 0xEE, 1, 2, 3]
    } settings: {
      $0.isUblox = isUblox
    }
    let before = try #require(bench.receiver.memory)
    bench.run(until: .seconds(12))
    #expect(bench.receiver.memory?.outputs == [0x07, 0x36, 0x61])
    #expect(bench.receiver.memory?.measurementPeriod == 200)
    bench.send(.release)
    bench.run(until: .seconds(15))
    #expect(bench.receiver.memory == before && before.lastingWrites == 0)
  }

  /// Sending data for the first fix on a slow line takes longer than the timeout of a pending setting: the session makes no loop
  /// of repetitions meanwhile.
  @Test(arguments: generations)
  func helpOnASlowLineHoldsUpTheSettings(dialect: Dialect) {
    var bench = bench(dialect, ReceiverConfigurationRequest(dynamicModel: .automotive)) {
      $0.coldStart = .cold
      $0.pacing = .dribbled(chunkBytes: 32)
    } settings: {
      $0.hasLineSpeed = true
    }
    bench.run(until: .seconds(14))
    bench.help = ReceiverAssistance()
    var data = AssistanceData(key: ReceiverKey("x"))
    for _ in 0..<60 { _ = data.append([UInt8](repeating: 0, count: 100)) }
    bench.help?.data = data
    bench.interruptPower()
    bench.inject(Sentence("GNTXT,01,01,02,u-blox AG - www.u-blox.com"))
    // The bench records a failure if a deadline does not advance.
    bench.run(until: .seconds(60))
    #expect(bench.receiver.memory?.dynamicModel == DynamicModel.automotive.rawValue)
  }
}
