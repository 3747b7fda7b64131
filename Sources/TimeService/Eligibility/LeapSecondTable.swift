package import Geodesy

/// The built-in difference between GPS time and UTC. A receiver that was started cold uses its firmware's value until it has received
/// the current one, which takes up to 12.5 minutes; a value that is in this table is right at once.
///
/// IERS Bulletin C; the file `leap-seconds.list` of the IERS as in tzdata 2025b.
package struct LeapSecondTable: Hashable, Sendable {
  /// The last time up to which the table is certain.
  package var validUntil: GNSSTime

  /// - Parameter validUntil: a later end, from the line `#@` of the machine's own `leap-seconds.list`, if that file contains no
  ///   leap second after the built-in ones.
  package init(validUntil: GNSSTime? = nil) {
    self.validUntil = max(validUntil ?? Self.builtInEnd, Self.builtInEnd)
  }

  /// 2026-06-28, the end of the validity of the list.
  private static let builtInEnd = GNSSTime(nanosecondsSince1970: 1_782_604_800_000_000_000)
  /// The seconds since 1970 from which a difference applies.
  private static let entries: [(start: Int64, seconds: Int8)] = [
    // 2017-01-01, 2015-07-01, 2012-07-01, 2009-01-01, 2006-01-01, 1999-01-01.
    (1_483_228_800, 18), (1_435_708_800, 17), (1_341_100_800, 16), (1_230_768_000, 15), (1_136_073_600, 14),
    (915_148_800, 13),
  ]

  /// GPS − UTC in seconds at `time`; `nil` before the table's earliest entry (1999) and after its end.
  package func seconds(at time: GNSSTime) -> Int8? {
    guard time <= validUntil else { return nil }
    let second = time.nanosecondsSince1970 / 1_000_000_000
    return Self.entries.first { $0.start <= second }?.seconds
  }
}
