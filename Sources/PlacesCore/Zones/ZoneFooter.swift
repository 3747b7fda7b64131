/// The rule of a time zone for the future: the TZ string of POSIX.1-2017, section 8.3, with the hours −167…167 of RFC 9636. Days are
/// given as `Mm.w.d` (RFC 9636's files use nothing else); a rule with other days is not read.
struct ZoneFooter: Hashable, Sendable {
  private struct Change: Hashable {
    var month: Int
    /// 5 is the last one of the month.
    var week: Int
    /// 0 is Sunday.
    var weekday: Int
    /// Seconds of local time after midnight.
    var time: Int
  }

  private var standard: ZoneRules.LocalTime
  private var daylight: ZoneRules.LocalTime?
  private var begin: Change?
  private var end: Change?

  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard let name = Self.name(&rest), let west = Self.seconds(&rest) else { return nil }
    standard = ZoneRules.LocalTime(offset: -west, isDaylight: false, abbreviation: name)
    guard !rest.isEmpty else { return }
    guard let summer = Self.name(&rest) else { return nil }
    let offset = rest.first == UInt8(ascii: ",") ? standard.offset + 3600 : Self.seconds(&rest).map { -$0 }
    guard let offset, let first = Self.change(&rest), let second = Self.change(&rest), rest.isEmpty else { return nil }
    daylight = ZoneRules.LocalTime(offset: offset, isDaylight: true, abbreviation: summer)
    (begin, end) = (first, second)
  }

  func localTime(at time: Int64) -> ZoneRules.LocalTime {
    guard let daylight else { return standard }
    let last = changes(around: time).last { $0.at <= time }
    return last?.isDaylight == true ? daylight : standard
  }

  func nextTransition(after time: Int64) -> Int64? { changes(around: time).first { $0.at > time }?.at }

  /// The changes of the year before a moment, its year and the year after, in order.
  private func changes(around time: Int64) -> [(at: Int64, isDaylight: Bool)] {
    guard let daylight, let begin, let end, abs(time) < 1 << 40 else { return [] }
    let year = Int(Double(time) / 31_556_952) + 1970
    var changes: [(at: Int64, isDaylight: Bool)] = []
    for year in year - 1...year + 1 {
      changes.append((Self.moment(begin, year) - Int64(standard.offset), true))
      changes.append((Self.moment(end, year) - Int64(daylight.offset), false))
    }
    return changes.sorted { $0.at < $1.at }
  }

  /// The local time of a change, as if it were UTC.
  private static func moment(_ change: Change, _ year: Int) -> Int64 {
    let first = days(year, change.month, 1)
    // 1970-01-01 was a Thursday.
    let weekday = ((first + 4) % 7 + 7) % 7
    var day = first + (change.weekday - weekday + 7) % 7 + 7 * (change.week - 1)
    let next = change.month == 12 ? days(year + 1, 1, 1) : days(year, change.month + 1, 1)
    if day >= next { day -= 7 }
    return Int64(day) * 86_400 + Int64(change.time)
  }

  /// Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let ofEra = y - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  private static func name(_ rest: inout ArraySlice<UInt8>) -> String? {
    var name: [UInt8] = []
    if rest.first == UInt8(ascii: "<") {
      rest.removeFirst()
      while let byte = rest.popFirst(), byte != UInt8(ascii: ">") { name.append(byte) }
    } else {
      while let byte = rest.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) {
        name.append(byte)
        rest.removeFirst()
      }
    }
    return name.count >= 3 ? String(decoding: name, as: UTF8.self) : nil
  }

  /// `[+-]hh[:mm[:ss]]`.
  private static func seconds(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var sign = 1
    if let byte = rest.first, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
      sign = byte == UInt8(ascii: "-") ? -1 : 1
      rest.removeFirst()
    }
    guard let hours = number(&rest), hours <= 167 else { return nil }
    var total = hours * 3600
    for unit in [60, 1] where rest.first == UInt8(ascii: ":") {
      rest.removeFirst()
      guard let part = number(&rest), part < 60 else { return nil }
      total += part * unit
    }
    return sign * total
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var value: Int?
    while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), value ?? 0 < 1000 {
      value = (value ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
      rest.removeFirst()
    }
    return value
  }

  /// `,Mm.w.d[/time]`.
  private static func change(_ rest: inout ArraySlice<UInt8>) -> Change? {
    guard rest.popFirst() == UInt8(ascii: ","), rest.popFirst() == UInt8(ascii: "M"), let month = number(&rest),
      rest.popFirst() == UInt8(ascii: "."), let week = number(&rest), rest.popFirst() == UInt8(ascii: "."),
      let weekday = number(&rest), (1...12).contains(month), (1...5).contains(week), (0...6).contains(weekday)
    else { return nil }
    var time = 7200
    if rest.first == UInt8(ascii: "/") {
      rest.removeFirst()
      guard let given = seconds(&rest) else { return nil }
      time = given
    }
    return Change(month: month, week: week, weekday: weekday, time: time)
  }
}
