import FleetDestinations
import Geodesy
import Testing

/// Schedules in local time.
@Suite struct FleetScheduleTests {
  /// A time of 2026-11 (the 23rd is a Monday) in UTC.
  private func time(_ day: Int, _ hour: Int, _ minute: Int = 0) throws -> GNSSTime {
    let date = try #require(CalendarDate(year: 2026, month: 11, day: day))
    let timeOfDay = try #require(TimeOfDay(hour: hour, minute: minute, second: 0))
    return try #require(GNSSTime(date: date, timeOfDay: timeOfDay))
  }

  @Test func workingHours() throws {
    let schedule = try #require(FleetSchedule("Mo-Fr 07:00-18:00"))
    for (day, hour, minute, expected) in [
      (23, 6, 59, false), (23, 7, 0, true), (23, 17, 59, true), (23, 18, 0, false), (27, 12, 0, true),
      (28, 12, 0, false),
      (29, 12, 0, false),
    ] {
      #expect(schedule.includes(try time(day, hour, minute), offset: .zero) == expected, "\(day) \(hour):\(minute)")
    }
    // 06:30 UTC is 07:30 in Berlin, and Sunday 23:30 UTC is Monday 08:30 in Tokyo.
    #expect(schedule.includes(try time(23, 6, 30), offset: .seconds(3600)))
    #expect(schedule.includes(try time(22, 23, 30), offset: .seconds(9 * 3600)))
    #expect(!schedule.includes(try time(22, 23, 30), offset: .zero))
    #expect(!schedule.includes(try time(23, 7, 30), offset: .seconds(-5 * 3600)))
  }

  @Test func aPeriodPastMidnightBelongsToTheDayOfItsBeginning() throws {
    let schedule = try #require(FleetSchedule("Fr 22:00-06:00; Sa,Su 10:00-24:00"))
    for (day, hour, expected) in [
      (27, 21, false), (27, 22, true), (28, 5, true), (28, 6, false), (28, 10, true), (28, 23, true), (29, 0, false),
      (27, 5, false),
    ] {
      #expect(schedule.includes(try time(day, hour), offset: .zero) == expected, "\(day) \(hour)")
    }
  }

  @Test(arguments: ["Mo-Fr 07:00-18:00", "22:00-06:00", "Sa,Su 10:00-24:00; Mo-We 00:00-01:30", "Tu 01:00-02:00"])
  func textIsReadAsItIsWritten(text: String) { #expect(FleetSchedule(text)?.text == text) }

  @Test func daysWrapAroundTheWeek() throws {
    let schedule = try #require(FleetSchedule("Sa-Mo 10:00-11:00"))
    #expect(schedule.text == "Mo,Sa,Su 10:00-11:00" || schedule.text == "Mo,Sa-Su 10:00-11:00")
    #expect(schedule.includes(try time(23, 10), offset: .zero))
    #expect(!schedule.includes(try time(24, 10), offset: .zero))
  }

  @Test(arguments: [
    "", ";", "Mo", "07:00", "Mo 7:00-8:00", "Mo 07:00-07:00", "Mo 24:00-25:00", "Mo 24:00-06:00", "Xx 07:00-08:00",
    "Mo- 07:00-08:00", "Mo 07:60-08:00", "mo 07:00-08:00", "Mo 07:00-08:00;", "Mo Tu 07:00-08:00",
  ])
  func otherTextIsNoSchedule(text: String) { #expect(FleetSchedule(text) == nil) }
}
