/// Relates GPS time of week to UTC time of day, which differ by the leap seconds since 1980.
///
/// Until a message has told both, the count since 2017 is taken (IERS Bulletin C 52: 18 s).
struct WeekTimeRelation: Sendable {
  private static let millisecondsPerDay: Int64 = 86_400_000
  private var leapMilliseconds: Int64 = 18_000

  /// A message told both.
  mutating func learn(nanosecondsOfDay: Int64, timeOfWeek: UInt32) {
    let day = (nanosecondsOfDay + 500_000) / 1_000_000
    var difference = (Int64(timeOfWeek) - day) % Self.millisecondsPerDay
    if difference < 0 { difference += Self.millisecondsPerDay }
    // Whole seconds alone are leap seconds; the rest is rounding of the receiver's clock.
    leapMilliseconds = (difference + 500) / 1000 * 1000 % Self.millisecondsPerDay
  }

  /// The UTC nanoseconds since midnight at a time of week.
  func nanosecondsOfDay(at timeOfWeek: UInt32) -> Int64 {
    var day = (Int64(timeOfWeek) - leapMilliseconds) % Self.millisecondsPerDay
    if day < 0 { day += Self.millisecondsPerDay }
    return day * 1_000_000
  }
}
