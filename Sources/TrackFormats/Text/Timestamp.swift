package import Geodesy

/// A time broken into its UTC parts, rounded to the millisecond once, so that date and time always belong together.
package struct Timestamp: Hashable, Sendable {
  package let date: CalendarDate
  /// Milliseconds since that date's midnight, 0…86,399,999.
  package let milliseconds: Int64

  /// The parts of `time`, or `nil` outside the calendar.
  package init?(_ time: GNSSTime) {
    let rounded = time + .microseconds(500)
    // The midnight before the count's first day lies outside the count.
    guard rounded.nanosecondsSince1970 >= .min + GNSSTime.nanosecondsPerDay, let date = rounded.date else { return nil }
    self.date = date
    self.milliseconds = rounded.nanosecondsSinceMidnight / 1_000_000
  }

  /// ISO 8601, UTC, milliseconds: `2026-03-01T12:34:56.000Z`.
  package var iso8601: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func add(_ value: Int64, _ width: Int, _ end: Unicode.Scalar) {
      FixedDecimal.append(value, width: width, to: &bytes)
      bytes.append(UInt8(ascii: end))
    }
    add(Int64(date.year), 4, "-")
    add(Int64(date.month), 2, "-")
    add(Int64(date.day), 2, "T")
    add(milliseconds / 3_600_000, 2, ":")
    add(milliseconds / 60_000 % 60, 2, ":")
    add(milliseconds / 1000 % 60, 2, ".")
    add(milliseconds % 1000, 3, "Z")
    return String(decoding: bytes, as: UTF8.self)
  }
  /// `12:34:56.000`.
  package var clock: String { "\(hour):\(minute):\(second).\(thousandths)" }
  /// `123456.000`, as in NMEA 0183.
  package var nmeaTime: String { "\(hour)\(minute)\(second).\(thousandths)" }
  /// `010326`: day, month, year, as in NMEA 0183.
  package var nmeaDate: String { "\(day)\(month)\(FixedDecimal.padded(Int64(date.year) % 100, to: 2))" }

  private var month: String { FixedDecimal.padded(Int64(date.month), to: 2) }
  private var day: String { FixedDecimal.padded(Int64(date.day), to: 2) }
  private var hour: String { FixedDecimal.padded(milliseconds / 3_600_000, to: 2) }
  private var minute: String { FixedDecimal.padded(milliseconds / 60_000 % 60, to: 2) }
  private var second: String { FixedDecimal.padded(milliseconds / 1000 % 60, to: 2) }
  private var thousandths: String { FixedDecimal.padded(milliseconds % 1000, to: 3) }
}
