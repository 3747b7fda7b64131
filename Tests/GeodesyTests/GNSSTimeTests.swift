import Geodesy
import Testing

@Suite struct GNSSTimeTests {
  private func time(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0)
    throws -> GNSSTime?
  {
    GNSSTime(
      date: try #require(CalendarDate(year: year, month: month, day: day)),
      timeOfDay: try #require(TimeOfDay(hour: hour, minute: minute, second: second)))
  }

  // `date -u -d … +%s`
  @Test(arguments: [
    (1970, 1, 1, 0, 0), (1980, 1, 6, 0, 315_964_800), (2000, 2, 29, 12, 951_825_600), (2026, 11, 21, 4, 1_795_233_600),
    (1969, 12, 31, 23, -3600), (2262, 4, 11, 23, 9_223_369_200),
  ])
  func countsLikePOSIX(year: Int, month: Int, day: Int, hour: Int, seconds: Int64) throws {
    let time = try #require(try time(year, month, day, hour))
    #expect(time.nanosecondsSince1970 == seconds * 1_000_000_000)
    #expect(time.date == CalendarDate(year: year, month: month, day: day))
    #expect(time.nanosecondsSinceMidnight == Int64(hour) * 3_600_000_000_000)
  }

  @Test func leapSecondIsTheNextMidnight() throws {
    #expect(try time(2016, 12, 31, 23, 59, 60) == (try time(2017, 1, 1)))
  }

  @Test func beyondTheCountThereIsInvalid() throws {
    #expect(try time(2262, 4, 12) == nil)
    #expect(try time(9999, 12, 31) == nil)
    #expect(try time(1, 1, 1) == nil)
    #expect(try time(1677, 9, 22) != nil)
  }

  @Test(arguments: [Int64.min, -1, 0, 86_399_999_999_999, 86_400_000_000_000, Int64.max])
  func dateAndTimeOfDayAreTheWholeTime(nanoseconds: Int64) throws {
    let time = GNSSTime(nanosecondsSince1970: nanoseconds)
    let date = try #require(time.date)
    #expect((0..<GNSSTime.nanosecondsPerDay).contains(time.nanosecondsSinceMidnight))
    // In two parts: the first instant may be in the middle of a day, so that its midnight would be out of range.
    let sum = (Int128(date.daysSince1970) * Int128(GNSSTime.nanosecondsPerDay)) + Int128(time.nanosecondsSinceMidnight)
    #expect(sum == Int128(nanoseconds))
  }

  @Test func saturates() {
    let last = GNSSTime(nanosecondsSince1970: .max)
    let first = GNSSTime(nanosecondsSince1970: .min)
    #expect(last + .seconds(1) == last)
    #expect(first + .seconds(-1) == first)
    #expect(last - first == .nanoseconds(Int64.max))
    #expect(first - last == .nanoseconds(Int64.min))
    #expect(first < last)
  }
}
