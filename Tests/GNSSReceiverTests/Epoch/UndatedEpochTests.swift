import GNSSReceiver
import Geodesy
import Testing

/// A recording that begins with times but no date: the date that follows also applies to its first fixes.
@Suite struct UndatedEpochTests {
  /// 2026-06-05, 12:00, by the machine's clock, which differs from the recording's.
  private func replay(waits: Bool = true) -> LineBench {
    LineBench {
      $0.wallClock = GNSSTime(nanosecondsSince1970: 1_780_660_800_000_000_000)
      $0.wallClockReadAt = Instant(nanoseconds: 1_000_000_000_000)
      $0.eraFloor = nil
      $0.waitsForDate = waits
    }
  }

  private func dates(_ line: LineBench) -> [CalendarDate?] { line.fixes.map(\.time.date) }

  @Test func theFirstFixesGetTheDateThatFollows() {
    var line = replay()
    for index in 0..<6 {
      line.receive(LineBench.gga(36_000 + index))
      if index >= 2 { line.receive(LineBench.rmc(36_000 + index, date: "010307")) }
      line.wait(1000)
    }
    #expect(line.fixes.count == 6)
    #expect(dates(line).allSatisfy { $0 == CalendarDate(year: 2007, month: 3, day: 1) })
    #expect(line.fixes.map(\.time.nanosecondsSinceMidnight) == (0..<6).map { Int64(36_000 + $0) * 1_000_000_000 })
    #expect(zip(line.fixes.dropFirst(), line.fixes).allSatisfy { $0.receivedAt > $1.receivedAt })
    #expect(line.fixes.allSatisfy { $0.timeValidity != .timeOfDayOnly })
  }

  @Test func beforeMidnightIsTheDayBefore() {
    var line = replay()
    for index in 0..<4 {
      line.receive(LineBench.gga((86_398 + index) % 86_400))
      if index >= 2 { line.receive(LineBench.rmc((86_398 + index) % 86_400, date: "010307")) }
      line.wait(1000)
    }
    let eve = CalendarDate(year: 2007, month: 2, day: 28)
    let day = CalendarDate(year: 2007, month: 3, day: 1)
    #expect(dates(line) == [eve, eve, day, day])
  }

  /// No fix is lost if no date arrives: the fixes are reported after ten epochs, at the end of the recording, or after
  /// ten seconds.
  @Test(arguments: [(30, 30), (3, 3), (1, 1)]) func withoutADateTheClockStandsInAndSaysSo(epochs: Int, reported: Int) {
    var line = replay()
    for index in 0..<epochs {
      line.receive(LineBench.gga(36_000 + index))
      line.wait(1000)
    }
    line.end()
    #expect(line.fixes.count == reported)
    #expect(line.fixes.allSatisfy { $0.timeValidity == .timeOfDayOnly })
    #expect(dates(line).allSatisfy { $0 == CalendarDate(year: 2026, month: 6, day: 5) })
  }

  @Test func aPauseLetsGo() {
    var line = replay()
    line.receive(LineBench.gga(36_000))
    line.wait(20_000)
    #expect(line.fixes.count == 1)
  }

  @Test func aLiveReceiverIsNotHeldBack() {
    var line = replay(waits: false)
    line.receive(LineBench.gga(36_000))
    line.wait(1000)
    #expect(line.fixes.count == 1)
  }

  /// Two digits of a year (Navico GoFree): the date comes from RMC, and no fix is lost.
  @Test(arguments: ["26", "2026", "114"]) func aWrongYearInZDALosesNothing(year: String) {
    var line = LineBench()
    for index in 0..<5 {
      let clock = LineBench.clock(36_000 + index)
      line.receive(
        LineBench.rmc(36_000 + index), "GPZDA,\(clock),05,06,\(year),-02,00", LineBench.gga(36_000 + index))
      line.wait(1000)
    }
    #expect(line.fixes.count == 5)
    #expect(dates(line).allSatisfy { $0 == CalendarDate(year: 2026, month: 6, day: 5) })
  }
}
