import Geodesy

/// UTC times in a capture: ISO 8601 with `Z` and as many decimals as are needed, at most nine.
enum UTCText {
  /// The text of `time`.
  static func string(of time: GNSSTime) -> String {
    guard let date = time.date else { return "" }
    let nanoseconds = time.nanosecondsSinceMidnight
    let seconds = nanoseconds / 1_000_000_000
    var fraction = padded(nanoseconds % 1_000_000_000, to: 9)
    while fraction.last == "0" { fraction.removeLast() }
    return padded(Int64(date.year), to: 4) + "-" + padded(Int64(date.month), to: 2) + "-"
      + padded(Int64(date.day), to: 2)
      + "T" + padded(seconds / 3600, to: 2) + ":" + padded(seconds / 60 % 60, to: 2) + ":" + padded(seconds % 60, to: 2)
      + (fraction.isEmpty ? "" : "." + fraction) + "Z"
  }

  /// The time in `text`; `nil` if `text` does not have the form that `string(of:)` returns, except that the decimals
  /// may end in zeros.
  static func time(_ text: ArraySlice<UInt8>) -> GNSSTime? {
    var rest = text
    guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest), skip("-", &rest),
      let day = number(2, &rest), skip("T", &rest), let hour = number(2, &rest), skip(":", &rest),
      let minute = number(2, &rest), skip(":", &rest), let second = number(2, &rest)
    else { return nil }
    var nanosecond = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let digits = rest.prefix { isDigit($0) }
      guard (1...9).contains(digits.count), let fraction = number(digits.count, &rest) else { return nil }
      nanosecond = (digits.count..<9).reduce(fraction) { scaled, _ in scaled * 10 }
    }
    guard skip("Z", &rest), rest.isEmpty, let date = CalendarDate(year: year, month: month, day: day),
      let timeOfDay = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    else { return nil }
    return GNSSTime(date: date, timeOfDay: timeOfDay)
  }

  private static func padded(_ value: Int64, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func skip(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    rest.popFirst() == UInt8(ascii: character)
  }

  /// The next `count` digits, at most nine.
  private static func number(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
