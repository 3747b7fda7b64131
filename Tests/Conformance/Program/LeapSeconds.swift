import Geodesy

/// GPS time minus UTC (IERS Bulletin C), for logs whose messages contain only a time of week.
enum LeapSeconds {
  private static let table: [(year: Int16, month: UInt8, seconds: Int)] = [
    (1999, 1, 13), (2006, 1, 14), (2009, 1, 15), (2012, 7, 16), (2015, 7, 17), (2017, 1, 18),
  ]

  static func count(on date: CalendarDate?) -> Int {
    guard let date else { return 18 }
    return table.last { (date.year, date.month) >= ($0.year, $0.month) }?.seconds ?? 13
  }
}
