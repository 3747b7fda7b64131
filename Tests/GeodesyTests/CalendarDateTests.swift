import Geodesy
import Testing

@Suite struct CalendarDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (2000, 2, 29, 11_016), (1980, 1, 6, 3_657), (2026, 11, 21, 20_778), (1, 1, 1, -719_162),
  ])
  func countsDays(year: Int, month: Int, day: Int, days: Int) {
    let date = CalendarDate(year: year, month: month, day: day)
    #expect(date?.daysSince1970 == days)
    #expect(CalendarDate(daysSince1970: days) == date)
  }

  @Test func everyDayOfFourCenturiesComesBack() {
    for days in stride(from: -20_000, through: 130_000, by: 1) {
      #expect(CalendarDate(daysSince1970: days)?.daysSince1970 == days)
    }
  }

  @Test(arguments: [(2023, 2, 29), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (0, 1, 1), (1900, 2, 29)])
  func rejectsDaysThatDoNotExist(year: Int, month: Int, day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) == nil)
  }
}
