import Geodesy
import Positioning
import Testing
import WireFormats

@Suite struct AccessPointFilterTests {
  private let filter = AccessPointFilter(
    maximumAge: .seconds(30), ownAddresses: Set([BSSID("02:00:00:00:00:01")].compactMap(\.self)))
  private let now = ScanSample.start

  private func sighting(_ change: (inout AccessPointEntry) -> Void) -> AccessPointObservation? {
    filter.observation(ScanSample.entry(1) { change(&$0) }, at: now)
  }

  private func named(_ name: String) -> AccessPointObservation? {
    filter.observation(ScanSample.entry(1, name), at: now)
  }

  @Test func whatIsTold() throws {
    let sighting = try #require(filter.observation(ScanSample.entry(1, hundredths: -5748), at: now))
    #expect(
      sighting
        == AccessPointObservation(
          bssid: ScanSample.entry(1).bssid, signalDecibelMilliwatts: -57.48, frequencyMegahertz: 2437,
          receivedAt: now - .seconds(1)))
  }

  @Test(arguments: ["home_nomap", "Home_NoMap", "_NOMAP", "a_optout", "A_OptOut_guest", "", "\0\0\0"])
  func whoIsLeftOut(_ name: String) { #expect(named(name) == nil) }

  @Test(arguments: ["nomap", "home_nomap_guest", "optout", "home"]) func whoIsNot(_ name: String) {
    #expect(named(name) != nil)
  }

  @Test func names() {
    #expect(filter.observation(ScanSample.entry(1, nil), at: now) == nil)
    // Its name is in the response to a probe for that name, but hidden in its beacon.
    #expect(sighting { $0.isHidden = true } == nil)
  }

  @Test(arguments: ["01:00:5e:00:00:01", "ff:ff:ff:ff:ff:ff", "00:00:00:00:00:00", "02:00:00:00:00:01"])
  func addressesOfNoOtherMachine(_ text: String) throws {
    let bssid = try #require(BSSID(text))
    #expect(sighting { $0.bssid = bssid } == nil)
  }

  /// The address is random, but it is nevertheless an access point.
  @Test func locallyAdministered() throws {
    let bssid = try #require(BSSID("02:00:00:00:00:02"))
    #expect(sighting { $0.bssid = bssid } != nil)
  }

  @Test(
    arguments: [(0, nil), (-1, -0.01), (-11_000, -110), (-11_001, nil), (2000, nil), (.min, nil), (.max, nil)]
      as [(Int32, Double?)])
  func signals(hundredths: Int32, expected: Double?) {
    #expect(sighting { $0.signal = .hundredthsOfDecibelMilliwatt(hundredths) }?.signalDecibelMilliwatts == expected)
  }

  @Test func signalsOfNoScale() {
    #expect(sighting { $0.signal = .share(70) }.map(\.signalDecibelMilliwatts) == .some(nil))
    #expect(sighting { $0.signal = nil }.map(\.signalDecibelMilliwatts) == .some(nil))
  }

  @Test func ages() {
    func received(_ seconds: Int64, boot: Bool) -> AccessPointObservation? {
      sighting {
        $0.receivedAtBootNanoseconds = boot ? UInt64((now - .seconds(seconds)).nanoseconds) : nil
        $0.millisecondsAgo = boot ? 0 : UInt32(clamping: seconds * 1000)
      }
    }
    #expect(received(30, boot: true)?.receivedAt == now - .seconds(30) && received(31, boot: true) == nil)
    #expect(received(30, boot: false)?.receivedAt == now - .seconds(30) && received(31, boot: false) == nil)
    // A time slightly ahead counts as now; a time further ahead is an error.
    #expect(received(-1, boot: true)?.receivedAt == now && received(-2, boot: true) == nil)
    #expect(
      sighting { $0.receivedAtBootNanoseconds = nil } == nil && sighting { $0.receivedAtBootNanoseconds = .max } == nil)
  }
}
