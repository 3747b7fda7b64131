package import Geodesy
import LinuxIO
import LocationdConfiguration
import TrackFormats

/// Times on the command line: `2026-03-01`, `2026-03-01T12:34`, `2026-03-01 12:34:56.7`, `today`, `yesterday`, `yesterday 19:00`, `19:00`
/// (today), `now` and `-2h` (two hours ago). They are local unless they end in `Z` or a UTC offset.
package enum TimeArgument {
  /// Whether a text that names only a day or a minute stands for its beginning or its end.
  package enum End: Hashable, Sendable { case from, to }

  /// The time that `text` names; `nil` if it is not a time. A day or a minute at either end of a period is included in
  /// the period as a whole.
  ///
  /// - Parameter now: the time that words such as `yesterday` are relative to.
  package static func time(_ text: String, _ end: End, now: GNSSTime) -> GNSSTime? {
    if text == "now" { return now }
    // A bare number could be a typing error just as well as a number of seconds.
    if text.hasPrefix("-"), text.last?.isLetter == true,
      let duration = DurationArgument(argument: String(text.dropFirst()))
    {
      return now + .seconds(-duration.seconds)
    }
    guard let dated = dated(text, now: now) else { return nil }
    return absolute(dated, end)
  }

  /// Whether `text`, for which `time` returns `nil`, has the form of a time: with another year, or with smaller
  /// numbers, it would be one.
  package static func isOutOfRange(_ text: String, now: GNSSTime) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    if text.hasPrefix("-") {
      var short = ""
      for character in text where !(character.isNumber && short.last?.isNumber == true) {
        short.append(character.isNumber ? "1" : character)
      }
      return time(short, .from, now: now) != nil
    }
    guard digits.count >= 4, text.dropFirst(digits.count).first == "-" else { return false }
    return time("2000" + text.dropFirst(digits.count), .from, now: now) != nil
  }

  /// The text with a date in place of a word such as `today`, or before a time of day without a date.
  private static func dated(_ text: String, now: GNSSTime) -> String? {
    for (word, days) in [("today", 0), ("yesterday", -1)] where text.hasPrefix(word) {
      let rest = text.dropFirst(word.count)
      guard let day = day(now, plus: days), rest.isEmpty || rest.first == " " || rest.first == "T" else { return nil }
      return day + rest
    }
    let bytes = Array(text.utf8)
    guard bytes.count >= 5, bytes[2] == UInt8(ascii: ":") else { return text }
    return day(now, plus: 0).map { "\($0)T\(text)" }
  }

  /// The local date this many days after that of `now`: `2026-03-01`.
  private static func day(_ now: GNSSTime, plus days: Int) -> String? {
    guard let clock = LocalTime.clock(of: now)?.clock,
      let stamp = Timestamp(clock + .seconds(days * 86_400))?.iso8601
    else { return nil }
    return String(stamp.prefix(10))
  }

  private static func absolute(_ text: String, _ end: End) -> GNSSTime? {
    var bytes = Array(text.utf8)
    var span = Duration.zero
    if bytes.count == 10 || (bytes.count == 11 && bytes[10] == UInt8(ascii: "Z")) {
      bytes.insert(contentsOf: "T00:00:00".utf8, at: 10)
      span = .seconds(86_400)
    } else if bytes.count == 16 || (bytes.count > 16 && bytes[16] != UInt8(ascii: ":")) {
      bytes.insert(contentsOf: ":00".utf8, at: 16)
      span = .seconds(60)
    }
    guard let reading = DateTimeText.parse(String(decoding: bytes, as: UTF8.self)) else { return nil }
    // Computes the end of a local day from the calendar, because a day may have 23 hours.
    let clock = end == .to && span > .zero ? reading.clock + span + .nanoseconds(-1) : reading.clock
    if let offset = reading.offset { return clock + (.zero - offset) }
    return LocalTime.utc(of: clock)
  }
}
