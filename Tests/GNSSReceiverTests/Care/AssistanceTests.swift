import GNSSReceiver
import Geodesy
import LocationReplay
import Testing

/// A u-blox without a battery gets a faster first fix with the data that it had the last time.
@Suite struct AssistanceTests {
  static let generations: [Dialect] = [.ublox6, .ublox7, .ublox8, .ublox9]

  private static func configuration(
    _ dialect: Dialect, _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
  ) -> SimulatedReceiver.Configuration {
    .of(dialect) {
      $0.coldStart = .cold
      $0.isFactorySet = true
      change(&$0)
    }
  }

  private static func settings(_ change: (inout ReceiverSettings) -> Void = { _ in }) -> ReceiverSettings {
    SessionBench.settings {
      $0.identity = "usb-1546-01a8-port-1.2"
      $0.requestedConfiguration = ReceiverConfigurationRequest()
      change(&$0)
    }
  }

  /// The data of a receiver from a first run, from its cold start to its release.
  private func learned(_ dialect: Dialect) throws -> (data: AssistanceData, firstFix: Duration, fix: PositionFix) {
    var bench = SessionBench(Self.configuration(dialect), Self.settings())
    bench.run(until: .seconds(75))
    bench.send(.release)
    bench.run(until: .seconds(85))
    let data = bench.said.compactMap { if case .storeAssistance(let data) = $0.action { data } else { nil } }
    #expect(bench.first { $0 == .released(notPutBack: 0) } != nil)
    return (try #require(data.last), try #require(Self.firstFix(bench)), try #require(bench.fixes.last))
  }

  private static func firstFix(_ bench: SessionBench) -> Duration? {
    bench.first { if case .epoch(let epoch) = $0 { epoch.fix?.kind == .threeDimensional } else { false } }
  }

  private func help(_ data: AssistanceData?, _ fix: PositionFix?) -> ReceiverAssistance {
    var help = ReceiverAssistance()
    help.data = data
    help.place = fix.map { AssistancePosition($0, age: .seconds(3600)) }
    return help
  }

  /// From 30 s down to the simulated receiver's hot start: 2 s after the last useful message.
  @Test(arguments: generations)
  func theSecondStartIsHot(dialect: Dialect) throws {
    let (data, cold, fix) = try learned(dialect)
    #expect(cold >= .seconds(30))
    var bench = SessionBench(Self.configuration(dialect), Self.settings())
    bench.help = help(data, fix)
    bench.run(until: .seconds(40))
    let first = try #require(Self.firstFix(bench))
    #expect(first < .seconds(7), "\(first)")
  }

  /// No single part is enough for a receiver that needs all three; and wrong data does no harm.
  @Test(arguments: generations)
  func missingDataIsIgnored(dialect: Dialect) throws {
    let (data, _, fix) = try learned(dialect)
    var far = fix
    far.coordinate = try #require(Coordinate(checkingLatitude: -33, longitude: 151))
    let cases: [(ReceiverAssistance, tellsTime: Bool)] = [
      (help(data, fix), false), (help(nil, fix), true), (help(data, nil), true), (help(data, far), true),
    ]
    for (help, tellsTime) in cases {
      var bench = SessionBench(Self.configuration(dialect), Self.settings())
      bench.help = help
      bench.tellsTime = tellsTime
      bench.run(until: .seconds(40))
      #expect(try #require(Self.firstFix(bench)) >= .seconds(30))
    }
  }

  /// The session does not wait for a receiver that has its fix, and sends no data to it.
  @Test(arguments: generations)
  func aReceiverWithAFixIsNotHelped(dialect: Dialect) {
    var bench = SessionBench(Self.configuration(dialect) { $0.coldStart = .hot }, Self.settings())
    bench.help = help(nil, nil)
    bench.run(until: .seconds(10))
    #expect(bench.first { if case .recall = $0 { true } else { false } } == nil)
  }

  /// A request for one fix also gets the data, but reads none from the receiver, because that would delay the fix.
  @Test(arguments: generations)
  func aGuestHelpsAndReadsNothing(dialect: Dialect) throws {
    let (data, _, fix) = try learned(dialect)
    var bench = SessionBench(
      Self.configuration(dialect),
      Self.settings {
        $0.requestedConfiguration = nil
        $0.isUblox = true
      })
    bench.help = help(data, fix)
    bench.run(until: .seconds(60))
    #expect(try #require(Self.firstFix(bench)) < .seconds(7))
    bench.send(.release)
    #expect(bench.said.last?.action == .released(notPutBack: 0))
    #expect(bench.first { if case .storeAssistance = $0 { true } else { false } } == nil)
  }

  /// A line of 9600 baud can also transmit the data, one message after the other.
  @Test(arguments: generations)
  func aSlowLineCarriesIt(dialect: Dialect) throws {
    let (data, _, fix) = try learned(dialect)
    var bench = SessionBench(
      Self.configuration(dialect) { $0.pacing = .dribbled(chunkBytes: 32) },
      Self.settings { $0.hasLineSpeed = true })
    bench.help = help(data, fix)
    bench.run(until: .seconds(40))
    // Five kilobytes take five seconds.
    #expect(try #require(Self.firstFix(bench)) < .seconds(16))
  }

  @Test func dataBelongToTheirReceiver() throws {
    #expect(try learned(.ublox9).data.key == ReceiverKey("ublox-5C0FFEE001"))
    // A receiver without a serial number: the key is the hardware to which it is connected, and its firmware.
    #expect(try learned(.ublox7).data.key.text == "usb-1546-01a8-port-1-2-1-00--59842-")
    #expect(ReceiverKey("../../etc/passwd").text == "------etc-passwd")
    #expect(ReceiverKey(String(repeating: "a", count: 300)).text.utf8.count == 100)
  }

  /// Data from a receiver that sends without end is bounded.
  @Test func dataAreBounded() {
    var data = AssistanceData(key: ReceiverKey("x"))
    var count = 0
    while data.append([UInt8](repeating: 0, count: 172)) { count += 1 }
    #expect(count == 64 * 1024 / 172 && data.bytes.count <= 64 * 1024)
  }
}
