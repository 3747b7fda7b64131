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

/// UBX-NAV-TIMELS (0x01 0x26; UBX-21048598, section 3.15): leap seconds, their source, and the next leap second.
package struct NavTIMELS: Hashable, Sendable {
  /// The source of the receiver's information about the leap second (`srcOfLsChange`).
  package enum ChangeSource: UInt8, Hashable, Sendable, CaseIterable {
    case none = 0
    case gps = 2
    case sbas = 3
    case beidou = 4
    case galileo = 5
    case glonass = 6
    case navic = 7

    /// Whether the source is a navigation system rather than an augmentation system.
    package var isConstellation: Bool {
      switch self {
      case .gps, .beidou, .galileo, .glonass, .navic: true
      case .none, .sbas: false
      }
    }
  }

  package let timeOfWeekMilliseconds: UInt32
  /// Current count of leap seconds since 1980; `nil` if unknown.
  package let leapSeconds: Int8?
  /// Whether the count is the firmware's default, not yet received.
  package let isDefault: Bool
  /// The source of `change`; `none` also for a number that the document does not define.
  package let changeSource: ChangeSource
  /// The next leap second: +1 an inserted second, −1 a deleted one, 0 none is scheduled.
  package let change: Int8
  /// Seconds until the next leap second; if none is scheduled, the negative of the seconds since the last one; `nil` if
  /// unknown.
  package let secondsToChange: Int32?

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 24, payload.u4(0) < 604_800_000 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    isDefault = payload.u1(8) == 0
    leapSeconds = payload.u1(23) & 1 != 0 ? payload.i1(9) : nil
    changeSource = ChangeSource(rawValue: payload.u1(10)) ?? .none
    change = payload.i1(11)
    secondsToChange = payload.u1(23) & 2 != 0 ? payload.i4(12) : nil
  }
}

/// UBX-TIM-TP (0x0D 0x01; UBX-21048598): the time and the error of the next pulse.
package struct TimTP: Hashable, Sendable {
  /// Time of week of the pulse, in the time base of the pulse.
  package let timeOfWeekMilliseconds: UInt32
  /// The week of the pulse, in the same time base.
  package let week: UInt16
  /// Whether the time base is UTC; otherwise it is the time of a navigation system.
  package let isUTC: Bool
  /// Quantization error of the pulse in picoseconds, to be added to the time of the pulse; `nil` if the receiver marks it
  /// as invalid.
  package let quantizationErrorPicoseconds: Int32?

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 16, payload.u4(0) < 604_800_000 else { return nil }
    timeOfWeekMilliseconds = payload.u4(0)
    week = payload.u2(12)
    isUTC = payload.u1(14) & 1 != 0
    quantizationErrorPicoseconds = payload.u1(14) & 0x10 == 0 ? payload.i4(8) : nil
  }
}
