import Geodesy
import WireFormats

/// The time that a message contains.
enum MessageTime: Hashable, Sendable {
  /// UTC nanoseconds since midnight (NMEA, gpsd).
  case ofDay(Int64)
  /// GPS time of week in milliseconds (UBX iTOW).
  case ofWeek(UInt32)
  /// Both: the message relates one to the other.
  case ofBoth(day: Int64, week: UInt32)

  /// The UTC nanoseconds since midnight, if the message has them.
  var nanosecondsOfDay: Int64? {
    switch self {
    case .ofDay(let day), .ofBoth(let day, _): day
    case .ofWeek: nil
    }
  }

  /// The GPS time of week in milliseconds, if the message has it.
  var timeOfWeek: UInt32? {
    switch self {
    case .ofWeek(let week), .ofBoth(_, let week): week
    case .ofDay: nil
    }
  }
}

/// A moment that UBX reports as a time of day and nanoseconds to add, which may be negative (UBX-NAV-PVT and -TIMEUTC,
/// `nano`). Rounded to milliseconds because epochs lie on them and the rest is the error of the receiver's clock.
struct UTCMoment {
  /// Nanoseconds since midnight of the reported day plus `dayShift`.
  let nanosecondsOfDay: Int64
  /// -1 if the sum lies before midnight of the reported day, 1 if it lies in the next.
  let dayShift: Int

  init(_ time: TimeOfDay, adding nanoseconds: Int32) {
    let day = GNSSTime.nanosecondsPerDay
    // A day is added so that nothing is negative and division rounds one way.
    let sum = time.nanosecondsSinceMidnight + Int64(nanoseconds) + 500_000 + day
    let rounded = sum / 1_000_000 * 1_000_000
    nanosecondsOfDay = rounded % day
    dayShift = Int(rounded / day) - 1
  }
}

/// Relates GPS time of week to UTC time of day, which differ by the leap seconds since 1980.
///
/// Until a message has contained both, the leap seconds since 2017 are assumed (IERS Bulletin C 52: 18 s).
struct WeekTimeRelation: Sendable {
  private static let millisecondsPerDay: Int64 = 86_400_000
  private var leapMilliseconds: Int64 = 18_000

  /// Learns the difference from a message with both times.
  mutating func learn(nanosecondsOfDay: Int64, timeOfWeek: UInt32) {
    let day = (nanosecondsOfDay + 500_000) / 1_000_000
    var difference = (Int64(timeOfWeek) - day) % Self.millisecondsPerDay
    if difference < 0 { difference += Self.millisecondsPerDay }
    // Only whole seconds are leap seconds; the rest is rounding of the receiver's clock.
    leapMilliseconds = (difference + 500) / 1000 * 1000 % Self.millisecondsPerDay
  }

  /// The UTC nanoseconds since midnight at a time of week.
  func nanosecondsOfDay(at timeOfWeek: UInt32) -> Int64 {
    var day = (Int64(timeOfWeek) - leapMilliseconds) % Self.millisecondsPerDay
    if day < 0 { day += Self.millisecondsPerDay }
    return day * 1_000_000
  }
}
