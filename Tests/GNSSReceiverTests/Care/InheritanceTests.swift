import GNSSReceiver
import Geodesy
import LocationReplay
import TestSupport
import Testing

/// A killed process leaves a receiver with changed settings; the next process restores them, except those that somebody else has
/// set since.
@Suite struct InheritanceTests {
  static let generations = ConfigurationTests.generations

  private static let settings = SessionBench.settings {
    $0.requestedConfiguration = ReceiverConfigurationRequest(dynamicModel: .automotive, rateHertz: 2)
    $0.identity = "usb-1546-01a8-port-1.2"
  }

  private static func bench(_ dialect: Dialect) -> SessionBench {
    SessionBench(.of(dialect) { $0.isFactorySet = true }, settings)
  }

  /// If the process is killed at any moment, the pending restore is known from what was saved before.
  @Test(arguments: generations)
  func theNextSessionRestoresSettingsOfAKilledOne(dialect: Dialect) throws {
    var changed = 0
    for step in 0..<40 {
      var bench = Self.bench(dialect)
      let before = try #require(bench.receiver.memory)
      bench.run(until: .milliseconds(1000 + 100 * step))
      if bench.receiver.memory != before { changed += 1 }
      #expect(bench.receiver.memory == before || bench.pendingDeliveries != nil)
      // The configuration as read from a file.
      bench.inherited = bench.pendingDeliveries.flatMap { SavedReceiverConfiguration(text: $0.text) }
      #expect(bench.inherited == bench.pendingDeliveries)
      bench.begin(Self.settings)
      bench.run(until: .seconds(20))
      #expect(bench.receiver.memory?.dynamicModel == DynamicModel.automotive.rawValue)
      bench.send(.release)
      bench.run(until: .seconds(30))
      #expect(bench.receiver.memory == before, "killed after step \(step)")
      #expect(bench.pendingDeliveries == nil)
    }
    #expect(changed > 10)
  }

  /// Everything is saved at once, before the first setting is written; this does not wear out a memory card.
  @Test(arguments: generations)
  func itIsWrittenDownOnce(dialect: Dialect) {
    var bench = Self.bench(dialect)
    bench.run(until: .seconds(20))
    #expect(bench.timesOwed == 1)
    bench.send(.release)
    bench.run(until: .seconds(30))
    #expect(bench.timesOwed == 2 && bench.pendingDeliveries == nil)
  }

  /// The owner has changed the setting since, or the receiver has lost its power: that setting stays.
  @Test(arguments: generations, [true, false])
  func settingsChangedByOthersAreKept(dialect: Dialect, losesPower: Bool) throws {
    var bench = Self.bench(dialect)
    bench.run(until: .seconds(15))
    bench.inherited = bench.pendingDeliveries
    if losesPower {
      bench.interruptPower()
    } else {
      // UBX-CFG-RATE (0x06 0x08): 250 ms.
      bench.command(0x06, 0x08, [250, 0, 1, 0, 1, 0])
    }
    let theirs = bench.receiver.memory?.measurementPeriod
    #expect(theirs == (losesPower ? 1000 : 250))
    bench.begin(Self.settings)
    bench.run(until: .seconds(30))
    #expect(bench.receiver.memory?.measurementPeriod == 500)
    bench.send(.release)
    bench.run(until: .seconds(40))
    #expect(bench.receiver.memory?.measurementPeriod == theirs)
    #expect(bench.receiver.memory?.dynamicModel == 0)
  }

  /// Another receiver under the same name, or the same receiver at another of its ports.
  @Test func whatIsAnothersIsLeftAlone() throws {
    var first = Self.bench(.ublox9)
    first.run(until: .seconds(15))
    let pendingDeliveries = try #require(first.pendingDeliveries)
    for change in [
      { $0.uniqueID = [9, 9, 9, 9, 9] }, { $0.port = 3 },
    ] as [(inout SimulatedReceiver.Configuration) -> Void] {
      var second = SessionBench(
        .of(.ublox9) {
          $0.isFactorySet = true
          change(&$0)
        }, Self.settings)
      second.command(0x06, 0x08, [0xF4, 1, 1, 0, 1, 0])
      let before = try #require(second.receiver.memory)
      second.inherited = pendingDeliveries
      second.run(until: .seconds(15))
      second.send(.release)
      second.run(until: .seconds(25))
      #expect(second.receiver.memory == before)
    }
  }

  /// A session that may not change the receiver reads and restores nothing.
  @Test func aGuestRestoresNothing() throws {
    var bench = Self.bench(.ublox9)
    bench.run(until: .seconds(15))
    bench.inherited = bench.pendingDeliveries
    let left = try #require(bench.receiver.memory)
    bench.begin(SessionBench.settings { $0.isUblox = true })
    bench.run(until: .seconds(30))
    #expect(bench.receiver.memory == left)
  }

  // MARK: - The file

  private static let text = """
    model NEO-M9N
    firmware SPG 4.04
    number 5C0FFEE001
    port 1 keys
    was pvt 1 00
    was measurementPeriod 500 E803

    """

  @Test func whatIsUnderstoodIsTheWholeOfIt() throws {
    let settings = try #require(SavedReceiverConfiguration(text: Self.text))
    #expect(settings.count == 2)
    #expect(settings.text.hasSuffix(Self.text))
    // A file with an entry that is not understood is rejected as a whole, and nothing of it is written to a receiver.
    for (from, to) in [
      ("was pvt 1 00", "was pvt 1 0000"), ("was pvt 1 00", "was pvt 1 0"), ("was pvt 1 00", "was pvt -1 00"),
      ("was pvt 1 00", "was pvt 1 0G"), ("was pvt 1 00", "was flash 1 00"), ("was pvt 1 00", "was eoe 99999999999 00"),
      ("was pvt 1 00", "was measurementPeriod 1 0000"), ("port 1 keys", "port 9 keys"),
      ("port 1 keys", "port 1 cables"),
      ("port 1 keys", "port 1 messages"), ("port 1 keys", ""), ("model NEO-M9N", "model NEO\u{1B}[2J"),
      ("was pvt 1 00", "cfg 1 00"),
    ] {
      let damaged = Self.text.split(separator: "\n").map { $0 == from ? to : String($0) }.joined(separator: "\n")
      #expect(SavedReceiverConfiguration(text: damaged) == nil, "\(to)")
    }
    #expect(SavedReceiverConfiguration(text: "") == nil)
    #expect(SavedReceiverConfiguration(text: String(Self.text.prefix(60))) == nil)
  }

  /// A message of generation 8 is written exactly as saved: only a message that the receiver can have reported is accepted.
  @Test func messagesAreThoseOfTheirSetting() {
    func settings(_ was: String) -> SavedReceiverConfiguration? {
      SavedReceiverConfiguration(text: "port 3 messages\nwas \(was)\n")
    }
    #expect(settings("pvt 1 0107000000000000") != nil)
    #expect(settings("pvt 1 0102000000000000") == nil)
    #expect(settings("pvt 1 0607000000000000") == nil)
    #expect(settings("measurementPeriod 200 E80301000100") != nil)
    #expect(settings("dynamicModel 4 FFFF00") == nil)
  }

  @Test(arguments: 0..<50)
  func anyFileIsReadWithoutHarm(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = Array(Self.text.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    let settings = SavedReceiverConfiguration(text: String(decoding: bytes, as: UTF8.self))
    #expect((settings?.count ?? 0) <= 16)
  }
}
