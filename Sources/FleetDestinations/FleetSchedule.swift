package import Geodesy

/// When positions may be sent, in local time: `Mo-Fr 07:00-18:00`, `Sa,Su 10:00-12:00`, several separated by `;`. The days may be
/// missing, for every day. A period that ends before it begins continues on the next day: `Fr 22:00-06:00`.
package struct FleetSchedule: Hashable, Sendable {
  private struct Period: Hashable, Sendable {
    /// Bit 0 is Monday.
    let days: UInt8
    /// Minutes of the day, 0…1440.
    let begin: Int
    let end: Int
  }

  private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
  private static let minutesPerDay = 1440
  /// The most periods.
  package static let mostPeriods = 16

  private let periods: [Period]

  /// `nil` for text that is no schedule.
  package init?(_ text: String) {
    guard text.utf8.count <= 512 else { return nil }
    var periods: [Period] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let words = part.split(separator: " ")
      guard (1...2).contains(words.count), let times = words.last,
        let days = words.count == 1 ? 0x7F : Self.days(words[0])
      else { return nil }
      let ends = times.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let begin = Self.minute(ends[0]), let end = Self.minute(ends[1]),
        begin < Self.minutesPerDay,
        begin != end
      else { return nil }
      periods.append(Period(days: days, begin: begin, end: end))
    }
    guard (1...Self.mostPeriods).contains(periods.count) else { return nil }
    self.periods = periods
  }

  /// The schedule as text, which `init(_:)` reads.
  package var text: String {
    periods.map { period in
      let days = Self.names.indices.filter { period.days & 1 << UInt8($0) != 0 }
      let name =
        switch days.count {
        case 7: ""
        case 3... where days[days.count - 1] - days[0] == days.count - 1:
          "\(Self.names[days[0]])-\(Self.names[days[days.count - 1]]) "
        default: days.map { Self.names[$0] }.joined(separator: ",") + " "
        }
      return name + Self.text(period.begin) + "-" + Self.text(period.end)
    }.joined(separator: "; ")
  }

  /// Whether positions may be sent at a time; `offset`: local time minus UTC.
  package func includes(_ time: GNSSTime, offset: Duration) -> Bool {
    let local = time + offset
    let minute = Int(local.nanosecondsSinceMidnight / 60_000_000_000)
    guard let date = local.date else { return false }
    // 1970-01-01 was a Thursday, the fourth day of the week.
    let day = (date.daysSince1970 % 7 + 7 + 3) % 7
    let yesterday = (day + 6) % 7
    return periods.contains { period in
      let (isToday, wasYesterday) = (period.days & 1 << UInt8(day) != 0, period.days & 1 << UInt8(yesterday) != 0)
      return period.begin < period.end
        ? isToday && (period.begin..<period.end).contains(minute)
        : isToday && minute >= period.begin || wasYesterday && minute < period.end
    }
  }

  private static func days(_ text: Substring) -> UInt8? {
    var days: UInt8 = 0
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { names.firstIndex(of: String($0)) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
      var day = first
      days |= 1 << UInt8(day)
      while day != last {
        day = (day + 1) % 7
        days |= 1 << UInt8(day)
      }
    }
    return days
  }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60, hour * 60 + minute <= minutesPerDay
    else { return nil }
    return hour * 60 + minute
  }

  private static func text(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return two(minute / 60) + ":" + two(minute % 60)
  }
}
