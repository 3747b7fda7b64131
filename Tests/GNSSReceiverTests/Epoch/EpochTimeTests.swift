import GNSSReceiver
import Geodesy
import Testing

/// To which day and which second an epoch belongs.
@Suite struct EpochTimeTests {
  /// The receiver's clock is a little slow: it reports midnight, with a correction of minus two milliseconds.
  @Test func aMomentBeforeMidnightIsOfTheDayBefore() {
    var line = LineBench()
    for (index, nanoseconds) in [0, 0, -2_000_000, -2_000_000, -2_000_000].enumerated() {
      let second = 86_398 + index
      line.receive(
        LineBench.pvt(day: second < 86_400 ? 5 : 6, second: second % 86_400, nanoseconds: Int32(nanoseconds)))
      line.wait(1000)
    }
    let times = line.fixes.map(\.time)
    #expect(times.count == 5)
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(steps == [.seconds(1), .milliseconds(998), .seconds(1), .seconds(1)])
    #expect(times[2].date == CalendarDate(year: 2026, month: 6, day: 5))
  }

  /// A receiver without a fix for more than a day reports no time either: its date advances meanwhile.
  @Test func aPromptAfterADayWithoutAFixHasTheDayOfNow() {
    var line = LineBench()
    func receive(_ second: Int, date: String) {
      line.receive(LineBench.gga(second), "GPGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.0,2.0")
      line.wait(30)
      line.receive(LineBench.rmc(second, date: date))
      line.wait(970)
    }
    for second in 36_000..<36_005 { receive(second, date: "050626") }
    for _ in 0..<90 {
      line.receive("GPGGA,,,,,,0,00,,,M,,M,,", "GPRMC,,V,,,,,,,,,,N")
      line.wait(1_000_000)
    }
    line.forget()
    let second = 36_005 + 90_000 - 86_400
    for index in 0..<2 { receive(second + index, date: "060626") }
    #expect(line.epochs.compactMap(\.fix?.time.date).allSatisfy { $0 == CalendarDate(year: 2026, month: 6, day: 6) })
    #expect(line.fixes.count == 2)
  }

  @Test func aDateThatTheReceiverDoesNotConfirmIsNotConfirmed() {
    var line = LineBench()
    line.receive("GPGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.0,2.0", LineBench.rmc(36_000))
    #expect(line.prompt.first?.fix?.timeValidity == .dateUnconfirmed)
  }

  /// A date that advances steadily, but is years away from a machine's clock that has been set, is not confirmed.
  @Test func aSteadyDateFarFromTheClockIsNotConfirmed() {
    for (years, expected) in [(0, TimeValidity.confirmed), (9, .dateUnconfirmed)] {
      var line = LineBench {
        $0.wallClock = GNSSTime(nanosecondsSince1970: 1_780_653_600_000_000_000) + .seconds(-years * 31_557_600)
        $0.eraFloor = CalendarDate(year: 2016, month: 1, day: 1)
        $0.wallClockReadAt = Instant(nanoseconds: 1_000_000_000_000)
      }
      for index in 0..<5 {
        line.receive(LineBench.rmc(36_000 + index), LineBench.gga(36_000 + index))
        line.wait(1000)
      }
      #expect(line.fixes.last?.timeValidity == expected)
    }
  }
}
