/// The time at which a fix is valid: UTC as a receiver reports it, counted without leap seconds like POSIX time.
package struct GNSSTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00 UTC.
  package var nanosecondsSince1970: Int64

  /// The time `nanosecondsSince1970`.
  package init(nanosecondsSince1970: Int64) { self.nanosecondsSince1970 = nanosecondsSince1970 }

  /// The time of `timeOfDay` on `date`; `nil` outside the years 1677…2262, where the count would overflow.
  package init?(date: CalendarDate, timeOfDay: TimeOfDay) {
    let (day, overflow) = Int64(date.daysSince1970).multipliedReportingOverflow(by: Self.nanosecondsPerDay)
    let (sum, carry) = day.addingReportingOverflow(timeOfDay.nanosecondsSinceMidnight)
    guard !overflow, !carry else { return nil }
    self.init(nanosecondsSince1970: sum)
  }

  /// Nanoseconds in a day of 86,400 seconds.
  package static let nanosecondsPerDay: Int64 = 86_400_000_000_000

  /// The date of this time.
  package var date: CalendarDate? {
    CalendarDate(daysSince1970: Int(Self.floorDivide(nanosecondsSince1970, by: Self.nanosecondsPerDay)))
  }

  /// Nanoseconds since midnight of that date.
  package var nanosecondsSinceMidnight: Int64 {
    let remainder = nanosecondsSince1970 % Self.nanosecondsPerDay
    return remainder < 0 ? remainder + Self.nanosecondsPerDay : remainder
  }

  /// Whole seconds since 1970, rounded down also before it, and the nanoseconds after them, 0..<1,000,000,000.
  package var secondsAndNanoseconds: (seconds: Int64, nanoseconds: Int64) {
    let seconds = Self.floorDivide(nanosecondsSince1970, by: 1_000_000_000)
    return (seconds, nanosecondsSince1970 &- seconds &* 1_000_000_000)
  }

  /// The earliest and the latest time that can be represented.
  package static let distantPast = GNSSTime(nanosecondsSince1970: .min)
  package static let distantFuture = GNSSTime(nanosecondsSince1970: .max)

  package static func < (a: GNSSTime, b: GNSSTime) -> Bool { a.nanosecondsSince1970 < b.nanosecondsSince1970 }

  /// The time `duration` later; saturates.
  package static func + (time: GNSSTime, duration: Duration) -> GNSSTime {
    let (sum, overflow) = time.nanosecondsSince1970.addingReportingOverflow(duration.wholeNanoseconds)
    return GNSSTime(nanosecondsSince1970: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// The time from `b` to `a`; saturates.
  package static func - (a: GNSSTime, b: GNSSTime) -> Duration {
    let (difference, overflow) = a.nanosecondsSince1970.subtractingReportingOverflow(b.nanosecondsSince1970)
    return .nanoseconds(overflow ? (a < b ? .min : .max) : difference)
  }

  private static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

/// How reliable the time of a fix is.
package enum TimeValidity: UInt8, Hashable, Comparable, Sendable {
  /// No time came with the position, for example because it is from Wi-Fi; the time of arrival replaces it.
  case none = 0
  /// The receiver sent a time of day; the date is from the machine's clock.
  case timeOfDayOnly = 1
  /// Date and time of day from a receiver that has not confirmed them yet; leap seconds may be off.
  case dateUnconfirmed = 2
  /// Confirmed: by the receiver itself (UBX `validDate`, `validTime`, `fullyResolved`) or by three consecutive 3D fixes
  /// inside the plausible era.
  case confirmed = 3

  package static func < (a: TimeValidity, b: TimeValidity) -> Bool { a.rawValue < b.rawValue }
}
