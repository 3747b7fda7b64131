package import Geodesy

/// Times in the form of XML Schema (`xsd:dateTime`).
package enum DateTimeText {
  /// A time and its offset from UTC; `offset` is `nil` if the text does not contain one.
  package struct Reading: Hashable, Sendable {
    /// The local time as if it were UTC.
    package let clock: GNSSTime
    /// How far that local time is ahead of UTC.
    package let offset: Duration?
  }

  /// `2026-03-01T12:34:56.789+01:00`; fraction and zone are optional, and a space may replace the `T`. `nil` for anything else. A
  /// leap second becomes the second after it.
  package static func parse(_ text: some StringProtocol) -> Reading? {
    var rest = Array(text.utf8)[...]
    guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest), skip("-", &rest),
      let day = number(2, &rest), skip("T", &rest) || skip(" ", &rest), let hour = number(2, &rest), skip(":", &rest),
      let minute = number(2, &rest), skip(":", &rest), let second = number(2, &rest), second <= 60
    else { return nil }
    var nanosecond = 0
    if skip(".", &rest) {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      nanosecond = digits.prefix(9).reduce(0) { $0 * 10 + Int($1) - 0x30 }
      for _ in min(digits.count, 9)..<9 { nanosecond *= 10 }
    }
    guard let date = CalendarDate(year: year, month: month, day: day),
      let timeOfDay = TimeOfDay(hour: hour, minute: minute, second: min(second, 59), nanosecond: nanosecond),
      let time = GNSSTime(date: date, timeOfDay: timeOfDay)
    else { return nil }
    let clock = second == 60 ? time + .seconds(1) : time
    if rest.isEmpty { return Reading(clock: clock, offset: nil) }
    if skip("Z", &rest) { return rest.isEmpty ? Reading(clock: clock, offset: .zero) : nil }
    let isBehind = skip("-", &rest)
    guard isBehind || skip("+", &rest), let hours = number(2, &rest), skip(":", &rest), let minutes = number(2, &rest),
      rest.isEmpty, hours <= 14, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return Reading(clock: clock, offset: .seconds(isBehind ? -seconds : seconds))
  }

  private static func skip(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func number(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }
}
