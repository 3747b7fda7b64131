/// The moment that a message speaks of, as far as it says.
enum MessageTime: Hashable, Sendable {
  /// UTC nanoseconds since midnight (NMEA).
  case ofDay(Int64)
  /// GPS time of week in milliseconds (UBX iTOW).
  case ofWeek(UInt32)
  /// Both: the message tells how the two are related.
  case ofBoth(day: Int64, week: UInt32)

  /// The UTC nanoseconds since midnight, if told.
  var nanosecondsOfDay: Int64? {
    switch self {
    case .ofDay(let day), .ofBoth(let day, _): day
    case .ofWeek: nil
    }
  }

  /// The time of week, if told.
  var timeOfWeek: UInt32? {
    switch self {
    case .ofWeek(let week), .ofBoth(_, let week): week
    case .ofDay: nil
    }
  }
}
