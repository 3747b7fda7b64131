import Geodesy
import Testing

@Suite struct TimeOfDayTests {
  @Test func countsFromMidnight() {
    #expect(TimeOfDay(hour: 0, minute: 0, second: 0)?.nanosecondsSinceMidnight == 0)
    #expect(TimeOfDay(hour: 1, minute: 2, second: 3, nanosecond: 4)?.nanosecondsSinceMidnight == 3_723_000_000_004)
    #expect(
      TimeOfDay(hour: 23, minute: 59, second: 60, nanosecond: 999_999_999)?.nanosecondsSinceMidnight
        == 86_400_999_999_999)
  }

  @Test(arguments: [
    (24, 0, 0, 0), (-1, 0, 0, 0), (0, 60, 0, 0), (0, -1, 0, 0), (0, 0, 61, 0), (0, 0, -1, 0), (0, 0, 0, 1_000_000_000),
    (0, 0, 0, -1), (Int.max, Int.min, Int.max, Int.min),
  ])
  func rejectsTimesThatDoNotExist(hour: Int, minute: Int, second: Int, nanosecond: Int) {
    #expect(TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond) == nil)
  }

  @Test func isOrdered() throws {
    let earlier = try #require(TimeOfDay(hour: 9, minute: 59, second: 59, nanosecond: 999_999_999))
    let later = try #require(TimeOfDay(hour: 10, minute: 0, second: 0))
    #expect(earlier < later)
    #expect(!(later < earlier))
  }
}
