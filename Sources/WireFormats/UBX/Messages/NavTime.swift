package import Geodesy

/// UBX-NAV-TIMEUTC (0x01 0x21): UTC time and date.
package struct NavTIMEUTC: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  package let accuracyNanoseconds: UInt32
  /// Nanoseconds to add to `time`, −1e9…1e9.
  package let nanoseconds: Int32
  package let date: CalendarDate?
  package let time: TimeOfDay?
  /// Whether the week is known; until then `date` is the firmware's default.
  package let isDateValid: Bool
  /// Whether the leap seconds are known.
  package let isUTCValid: Bool

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 20 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    accuracyNanoseconds = payload.u4(4)
    nanoseconds = payload.i4(8)
    date = CalendarDate(year: Int(payload.u2(12)), month: Int(payload.u1(14)), day: Int(payload.u1(15)))
    time = TimeOfDay(hour: Int(payload.u1(16)), minute: Int(payload.u1(17)), second: Int(payload.u1(18)))
    isDateValid = payload.u1(19) & 2 != 0
    isUTCValid = payload.u1(19) & 4 != 0
    guard (-1_000_000_000...1_000_000_000).contains(nanoseconds), timeOfWeekMilliseconds < 604_800_000 else {
      return nil
    }
  }
}

/// UBX-NAV-TIMELS (0x01 0x26): leap seconds and their source.
package struct NavTIMELS: Hashable, Sendable {
  package let timeOfWeekMilliseconds: UInt32
  /// Current count of leap seconds since 1980; `nil` if unknown.
  package let leapSeconds: Int8?
  /// Whether the count is the firmware's default, not yet received.
  package let isDefault: Bool

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 24, payload.u4(0) < 604_800_000 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    isDefault = payload.u1(8) == 0
    leapSeconds = payload.u1(23) & 1 != 0 ? payload.i1(9) : nil
  }
}
