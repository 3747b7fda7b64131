package import Geodesy

/// When a photograph was taken, as its camera tells it (EXIF 2.31, `DateTimeOriginal` and the tags beside it).
package struct PhotographTime: Hashable, Sendable {
  /// The camera's clock, written as if it were UTC.
  package let clock: GNSSTime
  /// How far that clock is ahead of UTC, where the camera says it.
  package let offset: Duration?

  /// The time that the texts of the three tags tell: `2026:03:01 12:34:56`, `789` and `+01:00`.
  package init?(clock text: String, fraction: String?, offset: String?) {
    let bytes = Array(text.utf8)
    let separators: [(Int, String)] = [(4, ":"), (7, ":"), (10, " "), (13, ":"), (16, ":")]
    guard bytes.count == 19, separators.allSatisfy({ bytes[$0.0] == $0.1.utf8.first }),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]), let day = Self.number(bytes[8..<10]),
      let hour = Self.number(bytes[11..<13]), let minute = Self.number(bytes[14..<16]),
      let second = Self.number(bytes[17..<19]),
      let date = CalendarDate(year: year, month: month, day: day),
      let timeOfDay = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: Self.nanoseconds(fraction)),
      let clock = GNSSTime(date: date, timeOfDay: timeOfDay)
    else { return nil }
    self.clock = clock
    self.offset = offset.flatMap { Self.offset($0) }
  }

  /// `+01:00`, `-03:30` or `Z`; `nil` for anything else.
  package static func offset(_ text: String) -> Duration? {
    if text == "Z" { return .zero }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]),
      let minutes = number(bytes[4..<6]), hours <= 14, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    switch bytes[0] {
    case UInt8(ascii: "+"): return .seconds(seconds)
    case UInt8(ascii: "-"): return .seconds(-seconds)
    default: return nil
    }
  }

  /// Digits after the decimal point; cameras fill up with blanks.
  private static func nanoseconds(_ fraction: String?) -> Int {
    let digits = Array((fraction ?? "").utf8.prefix { (0x30...0x39).contains($0) }.prefix(9))
    guard let value = number(digits[...]) else { return 0 }
    return (digits.count..<9).reduce(value) { scaled, _ in scaled * 10 }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }
}
