import Geodesy
import Positioning
import WireFormats

/// Entries, interfaces and times for the tests of scans.
enum ScanSample {
  /// 1,000 s after the start of the machine.
  static let start = Instant(nanoseconds: 1_000_000_000_000)

  static let family = WirelessFamily(id: 28, scanGroup: 14, configurationGroup: 13)

  /// An access point that was received one second before `now`.
  static func entry(
    _ number: UInt64, _ name: String? = "bench", mhz: UInt32 = 2437, hundredths: Int32 = -6000, at now: Instant = start,
    _ change: (inout AccessPointEntry) -> Void = { _ in }
  ) -> AccessPointEntry {
    guard let bssid = BSSID(rawValue: 0x0001_E300_0000 + number) else { preconditionFailure("no address") }
    var entry = AccessPointEntry(bssid: bssid)
    entry.frequencyMegahertz = mhz
    entry.signal = .hundredthsOfDecibelMilliwatt(hundredths)
    entry.receivedAtBootNanoseconds = UInt64((now - .seconds(1)).nanoseconds)
    entry.name = name.flatMap { NetworkName(Array($0.utf8).span) }
    entry.isHidden = entry.name?.isHidden ?? true
    change(&entry)
    return entry
  }

  static func interface(
    _ index: UInt32, radio: UInt32 = 0, _ kind: WirelessInterface.Kind = .station, address: String? = nil
  ) -> WirelessInterface {
    let name = Array("wlan\(index)".utf8)
    return WirelessInterface(
      index: index, radioIndex: radio, kind: kind, name: InlineText(name.span, from: 0, to: name.count),
      address: address.flatMap { BSSID($0) })
  }
}
