import Geodesy
import Positioning
import TestSupport
import WireFormats

/// Observations as a radio reports them, with manufacturers' addresses and random ones, for requests to a provider.
enum HeardStreet {
  static let start = Instant(nanoseconds: 1_000_000_000_000)
  /// 2026-08-01T12:00:00 UTC.
  static let wall = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)

  static func address(_ number: UInt64) -> BSSID {
    guard let address = BSSID(rawValue: 0x0001_e300_0000 + number) else { preconditionFailure("no address") }
    return address
  }

  static func sighting(_ bssid: BSSID, signal: Double? = -60, _ megahertz: Int? = 2437, at: Instant = start)
    -> AccessPointObservation
  {
    AccessPointObservation(
      bssid: bssid, signalDecibelMilliwatts: signal, frequencyMegahertz: megahertz, receivedAt: at)
  }

  /// The access points `numbers`, with the strongest one first.
  static func received(_ numbers: some Sequence<UInt64>, at: Instant = start) -> [AccessPointObservation] {
    numbers.enumerated().map { sighting(address($1), signal: -40 - Double($0), at: at) }
  }

  /// Any addresses, of any kind.
  static func any(_ random: inout SplitMix64) -> [AccessPointObservation] {
    (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in
      BSSID(rawValue: UInt64.random(in: 0..<1 << 48, using: &random)).map {
        sighting(
          $0, signal: Bool.random(using: &random) ? Double.random(in: -110...0, using: &random) : nil,
          Bool.random(using: &random) ? Int.random(in: 400...71_000, using: &random) : nil,
          at: start - .milliseconds(Int.random(in: 0...30_000, using: &random)))
      }
    }
  }
}
