import Geodesy
import Positioning
import Testing
import WireFormats

@Suite struct SightingFilterTests {
  private let filter = SightingFilter(
    maximumAge: .seconds(30), ownAddresses: Set([BSSID("02:00:00:00:00:01")].compactMap(\.self)))
  private let now = ScanSample.start

  private func sighting(_ change: (inout AccessPointEntry) -> Void) -> AccessPointSighting? {
    filter.sighting(ScanSample.entry(1) { change(&$0) }, at: now)
  }

  private func named(_ name: String) -> AccessPointSighting? { filter.sighting(ScanSample.entry(1, name), at: now) }

  @Test func whatIsTold() throws {
    let sighting = try #require(filter.sighting(ScanSample.entry(1, hundredths: -5748), at: now))
    #expect(
      sighting
        == AccessPointSighting(
          bssid: ScanSample.entry(1).bssid, signalDecibelMilliwatts: -57.48, frequencyMegahertz: 2437,
          heardAt: now - .seconds(1)))
  }

  @Test(arguments: ["home_nomap", "Home_NoMap", "_NOMAP", "a_optout", "A_OptOut_guest", "", "\0\0\0"])
  func whoIsLeftOut(_ name: String) { #expect(named(name) == nil) }

  @Test(arguments: ["nomap", "home_nomap_guest", "optout", "home"]) func whoIsNot(_ name: String) {
    #expect(named(name) != nil)
  }

  @Test func names() {
    #expect(filter.sighting(ScanSample.entry(1, nil), at: now) == nil)
    // Named where it was asked for by name, hidden in its beacon.
    #expect(sighting { $0.isHidden = true } == nil)
  }

  @Test(arguments: ["01:00:5e:00:00:01", "ff:ff:ff:ff:ff:ff", "00:00:00:00:00:00", "02:00:00:00:00:01"])
  func addressesOfNobodyElse(_ text: String) throws {
    let bssid = try #require(BSSID(text))
    #expect(sighting { $0.bssid = bssid } == nil)
  }

  /// Made up by the access point, and one all the same.
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
    func heard(_ seconds: Int64, boot: Bool) -> AccessPointSighting? {
      sighting {
        $0.heardAtBootNanoseconds = boot ? UInt64((now - .seconds(seconds)).nanoseconds) : nil
        $0.millisecondsAgo = boot ? 0 : UInt32(clamping: seconds * 1000)
      }
    }
    #expect(heard(30, boot: true)?.heardAt == now - .seconds(30) && heard(31, boot: true) == nil)
    #expect(heard(30, boot: false)?.heardAt == now - .seconds(30) && heard(31, boot: false) == nil)
    // A moment ahead is now; more is a mistake.
    #expect(heard(-1, boot: true)?.heardAt == now && heard(-2, boot: true) == nil)
    #expect(sighting { $0.heardAtBootNanoseconds = nil } == nil && sighting { $0.heardAtBootNanoseconds = .max } == nil)
  }
}
