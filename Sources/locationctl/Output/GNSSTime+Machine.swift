import FoundationEssentials
import Geodesy

extension GNSSTime {
  /// The time of this machine's clock, for events to which no receiver assigns a time.
  static var ofThisMachine: GNSSTime {
    let milliseconds = (Date().timeIntervalSince1970 * 1000).rounded()
    // 64 bits hold about 292 years of nanoseconds before and after 1970; a clock beyond them counts as 1970.
    guard milliseconds.magnitude < 9.2e12 else { return GNSSTime(nanosecondsSince1970: 0) }
    return GNSSTime(nanosecondsSince1970: Int64(milliseconds) * 1_000_000)
  }
}
