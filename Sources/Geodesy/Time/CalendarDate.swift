/// A date of the proleptic Gregorian calendar.
package struct CalendarDate: Hashable, Comparable, Sendable {
  /// Year, 1…9999.
  package let year: Int16
  /// Month, 1…12.
  package let month: UInt8
  /// Day of the month, 1…31, never beyond the month's end.
  package let day: UInt8

  /// The date, or `nil` if there is no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    self.year = Int16(year)
    self.month = UInt8(month)
    self.day = UInt8(day)
  }

  /// The number of days in a month (1…12) of a year.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01; negative before. Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
  /// `days_from_civil`.
  package var daysSince1970: Int {
    let y = Int(year) - (month <= 2 ? 1 : 0)
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * ((Int(month) + 9) % 12) + 2) / 5 + Int(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date `days` after 1970-01-01, or `nil` outside the years 1…9999. Howard Hinnant, `civil_from_days`.
  package init?(daysSince1970 days: Int) {
    guard (-719_162...2_932_896).contains(days) else { return nil }
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: day)
  }

  package static func < (a: CalendarDate, b: CalendarDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}

extension GNSSTime {
  /// Whether this reading of a machine's clock shows that the clock was set since power-on: it is not before the day of the
  /// build. `true` if the day of the build is unknown.
  package func isBelievable(after built: CalendarDate?) -> Bool {
    guard let built, let date else { return true }
    return date >= built
  }
}

/// A UTC time of day as receivers report it; a leap second is second 60.
package struct TimeOfDay: Hashable, Comparable, Sendable {
  /// Hour, 0…23.
  package let hour: UInt8
  /// Minute, 0…59.
  package let minute: UInt8
  /// Second, 0…60.
  package let second: UInt8
  /// Nanosecond of the second, 0…999,999,999.
  package let nanosecond: UInt32

  /// The time, or `nil` if a part is out of range.
  package init?(hour: Int, minute: Int, second: Int, nanosecond: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      (0...999_999_999).contains(nanosecond)
    else { return nil }
    self.hour = UInt8(hour)
    self.minute = UInt8(minute)
    self.second = UInt8(second)
    self.nanosecond = UInt32(nanosecond)
  }

  /// Nanoseconds since midnight, 0…86,400,999,999,999 (a leap second exceeds 86,400 s).
  package var nanosecondsSinceMidnight: Int64 {
    Int64((Int(hour) * 60 + Int(minute)) * 60 + Int(second)) * 1_000_000_000 + Int64(nanosecond)
  }

  package static func < (a: TimeOfDay, b: TimeOfDay) -> Bool {
    a.nanosecondsSinceMidnight < b.nanosecondsSinceMidnight
  }
}
