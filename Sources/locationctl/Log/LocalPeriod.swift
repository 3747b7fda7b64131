package import Geodesy
import LinuxIO

/// A day or a month of the local time zone, including days of 23 or 25 hours.
package struct LocalPeriod: Hashable, Sendable {
  package enum Unit: String, CaseIterable, Sendable { case day, month }

  package let unit: Unit
  /// The first day of the period.
  package let date: CalendarDate
  /// The beginning of the period and the beginning of the next one.
  package let range: Range<GNSSTime>
  /// The abbreviation of the zone at the beginning of the period, such as `CET`.
  package let zone: String

  /// The period that contains `time`; `nil` if the system cannot convert it.
  package init?(_ unit: Unit, containing time: GNSSTime) {
    guard let local = LocalTime.clock(of: time), let day = local.clock.date else { return nil }
    let (first, next): (CalendarDate?, CalendarDate?) =
      switch unit {
      case .day: (day, CalendarDate(daysSince1970: day.daysSince1970 + 1))
      case .month:
        (
          CalendarDate(year: Int(day.year), month: Int(day.month), day: 1),
          CalendarDate(
            year: Int(day.year) + (day.month == 12 ? 1 : 0), month: day.month == 12 ? 1 : Int(day.month) + 1, day: 1)
        )
      }
    guard let first, let next, let begin = Self.midnight(first), let end = Self.midnight(next), begin < end,
      let zone = LocalTime.clock(of: begin)?.zone
    else { return nil }
    (self.unit, date, range, self.zone) = (unit, first, begin..<end, zone)
  }

  /// `2026-03-01`, or `2026-03` for a month.
  package var text: String {
    let month = "\(Self.digits(Int(date.year), 4))-\(Self.digits(Int(date.month), 2))"
    return unit == .month ? month : "\(month)-\(Self.digits(Int(date.day), 2))"
  }

  /// `pattern` with `%Y`, `%m` and `%d` replaced by year, month and day, and `%%` by a percent sign; `nil` if another
  /// letter follows a percent sign.
  package func path(_ pattern: String) -> String? {
    var (result, rest) = ("", Substring(pattern))
    while let character = rest.popFirst() {
      guard character == "%" else {
        result.append(character)
        continue
      }
      switch rest.popFirst() {
      case "Y": result += Self.digits(Int(date.year), 4)
      case "m": result += Self.digits(Int(date.month), 2)
      case "d": result += Self.digits(Int(date.day), 2)
      case "%": result.append("%")
      default: return nil
      }
    }
    return result
  }

  private static func midnight(_ date: CalendarDate) -> GNSSTime? {
    GNSSTime(nanosecondsSince1970: Int64(date.daysSince1970) * GNSSTime.nanosecondsPerDay).localToUTC
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

extension GNSSTime {
  /// The time at which local clocks show this time.
  fileprivate var localToUTC: GNSSTime? { LocalTime.utc(of: self) }
}
