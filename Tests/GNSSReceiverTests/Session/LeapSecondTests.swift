import GNSSReceiver
import Geodesy
import LocationReplay
import Testing
import WireFormats

/// The leap seconds of a receiver whose time clocks get.
@Suite struct LeapSecondTests {
  private func leapSeconds(asks: Bool, _ dialect: Dialect) -> [NavTIMELS] {
    var bench = SessionBench(
      .of(dialect) {
        $0.isFactorySet = true
        $0.coldStart = .hot
      }, SessionBench.settings())
    bench.asksLeapSeconds = asks
    bench.run(until: .seconds(100))
    return bench.said.compactMap { if case .leapSeconds(let leap) = $0.action { leap } else { nil } }
  }

  /// It is asked at the start until it has the leap seconds, and again only after half an hour.
  @Test func aReceiverIsPolledOnceItIsKnown() throws {
    let answers = leapSeconds(asks: true, .ublox8)
    #expect((1...2).contains(answers.count))
    let leap = try #require(answers.last)
    #expect(leap.leapSeconds == 18 && !leap.isDefault)
  }

  @Test func withoutClocksNothingIsAsked() { #expect(leapSeconds(asks: false, .ublox8).isEmpty) }
}
