package import Geodesy

/// A time split into its UTC parts, rounded to the millisecond once, so that date and time are always consistent.
package struct Timestamp: Hashable, Sendable {
  package let date: CalendarDate
  /// Milliseconds since that date's midnight, 0…86,399,999.
  package let milliseconds: Int64

  /// The parts of `time`, or `nil` outside the calendar's range.
  package init?(_ time: GNSSTime) {
    let rounded = time + .microseconds(500)
    // The first day in the range of `GNSSTime` is incomplete: its midnight, from which milliseconds count, is not
    // representable.
    guard rounded.nanosecondsSince1970 >= .min + GNSSTime.nanosecondsPerDay, let date = rounded.date else { return nil }
    self.date = date
    self.milliseconds = rounded.nanosecondsSinceMidnight / 1_000_000
  }

  /// ISO 8601, UTC, milliseconds: `2026-03-01T12:34:56.000Z`.
  package var iso8601: String {
    var bytes = [UInt8](repeating: 0, count: 24)
    var text = TextCursor(bytes.mutableSpan)
    write(to: &text)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the 24 characters of `iso8601`.
  package func write(to text: inout TextCursor) {
    text.write(Int64(date.year), width: 4)
    text.write(UInt8(ascii: "-"))
    text.write(Int64(date.month), width: 2)
    text.write(UInt8(ascii: "-"))
    text.write(Int64(date.day), width: 2)
    text.write(UInt8(ascii: "T"))
    text.write(milliseconds / 3_600_000, width: 2)
    text.write(UInt8(ascii: ":"))
    text.write(milliseconds / 60_000 % 60, width: 2)
    text.write(UInt8(ascii: ":"))
    // Seconds, a point, and thousandths.
    text.write(milliseconds % 60_000, width: 5, decimals: 3)
    text.write(UInt8(ascii: "Z"))
  }

  /// Appends the characters of `iso8601`.
  package func appendISO8601(to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 24))
    var text = TextCursor(bytes.mutableSpan, at: start)
    write(to: &text)
  }

  /// Appends `123456.000`, as in NMEA 0183.
  package func appendNMEATime(to bytes: inout [UInt8]) {
    FixedDecimal.append(milliseconds / 3_600_000, width: 2, to: &bytes)
    FixedDecimal.append(milliseconds / 60_000 % 60, width: 2, to: &bytes)
    FixedDecimal.append(milliseconds / 1000 % 60, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    FixedDecimal.append(milliseconds % 1000, width: 3, to: &bytes)
  }

  /// Appends `010326`, as in NMEA 0183: day, month, year.
  package func appendNMEADate(to bytes: inout [UInt8]) {
    FixedDecimal.append(Int64(date.day), width: 2, to: &bytes)
    FixedDecimal.append(Int64(date.month), width: 2, to: &bytes)
    FixedDecimal.append(Int64(date.year) % 100, width: 2, to: &bytes)
  }

  /// `12:34:56.000`.
  package var clock: String { "\(hour):\(minute):\(second).\(thousandths)" }

  private var hour: String { FixedDecimal.padded(milliseconds / 3_600_000, to: 2) }
  private var minute: String { FixedDecimal.padded(milliseconds / 60_000 % 60, to: 2) }
  private var second: String { FixedDecimal.padded(milliseconds / 1000 % 60, to: 2) }
  private var thousandths: String { FixedDecimal.padded(milliseconds % 1000, to: 3) }
}
