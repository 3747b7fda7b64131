import GNSSReceiver
import Geodesy
import Testing

private func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate? {
  CalendarDate(year: year, month: month, day: day)
}
private func second(_ seconds: Int64) -> GNSSTime { GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000) }

@Suite struct EraResolverTests {
  @Test(arguments: [
    // A receiver that lost one era, two eras, no era, and one that is ahead of the machine.
    ((2006, 12, 16), (2026, 8, 1), 1), ((1987, 5, 2), (2026, 8, 1), 2), ((2026, 11, 21), (2026, 11, 21), 0),
    ((2043, 1, 1), (2043, 1, 1), 0), ((2026, 7, 31), (2026, 7, 31), 0), ((2025, 6, 20), (2045, 2, 3), 1),
    // An earliest date from a clock that was set too far ahead: the date stays as reported.
    ((2025, 7, 30), (2025, 7, 30), 0),
  ])
  func addsWholeEras(reported: (Int, Int, Int), resolved: (Int, Int, Int), eras: Int) throws {
    let resolver = EraResolver(floor: day(2026, 8, 1))
    let date = try #require(day(reported.0, reported.1, reported.2))
    let result = try #require(resolver.resolve(date))
    #expect(result.date == day(resolved.0, resolved.1, resolved.2))
    #expect(result.erasAdded == eras)
  }

  @Test func takesAnyDateWithoutAFloor() throws {
    let date = try #require(day(1999, 8, 22))
    #expect(EraResolver(floor: nil).resolve(date)?.date == date)
  }

  @Test func givesUpBeyondTheCalendar() throws {
    let resolver = EraResolver(floor: day(9999, 12, 31))
    #expect(resolver.resolve(try #require(day(9998, 6, 1))) == nil)
  }

  @Test(arguments: [(79, 2079), (80, 1980), (99, 1999), (0, 2000), (26, 2026)])
  func readsTwoDigitYears(reported: Int, year: Int) {
    #expect(EraResolver.fullYear(ofTwoDigits: reported) == year)
  }
}

@Suite struct TimeConfirmationTests {
  @Test func threeFixesInARowConfirm() {
    var confirmation = TimeConfirmation()
    #expect(
      confirmation.validity(of: second(1), hasDate: true, is3DFix: true, receiverConfirms: nil) == .dateUnconfirmed)
    #expect(
      confirmation.validity(of: second(2), hasDate: true, is3DFix: true, receiverConfirms: nil) == .dateUnconfirmed)
    #expect(confirmation.validity(of: second(3), hasDate: true, is3DFix: true, receiverConfirms: nil) == .confirmed)
    #expect(
      confirmation.validity(of: second(4), hasDate: true, is3DFix: false, receiverConfirms: nil) == .dateUnconfirmed)
    #expect(
      confirmation.validity(of: second(5), hasDate: true, is3DFix: true, receiverConfirms: nil) == .dateUnconfirmed)
  }

  @Test func aJumpInTimeStartsTheCountAgain() {
    var confirmation = TimeConfirmation()
    for time: Int64 in [1, 2] {
      _ = confirmation.validity(of: second(time), hasDate: true, is3DFix: true, receiverConfirms: nil)
    }
    #expect(
      confirmation.validity(of: second(500), hasDate: true, is3DFix: true, receiverConfirms: nil) == .dateUnconfirmed)
    #expect(
      confirmation.validity(of: second(499), hasDate: true, is3DFix: true, receiverConfirms: nil) == .dateUnconfirmed)
  }

  @Test func theReceiversWordGoesBeforeTheCount() {
    var confirmation = TimeConfirmation()
    #expect(confirmation.validity(of: second(1), hasDate: true, is3DFix: false, receiverConfirms: true) == .confirmed)
    for time: Int64 in 2...9 {
      #expect(
        confirmation.validity(of: second(time), hasDate: true, is3DFix: true, receiverConfirms: false)
          == .dateUnconfirmed)
    }
  }

  @Test func withoutADateNothingIsConfirmed() {
    var confirmation = TimeConfirmation()
    for time: Int64 in 1...9 {
      #expect(
        confirmation.validity(of: second(time), hasDate: false, is3DFix: true, receiverConfirms: nil) == .timeOfDayOnly)
    }
  }
}

@Suite struct EpochSequenceTests {
  @Test func aRepeatIsNotNew() {
    var sequence = EpochSequence()
    #expect(sequence.verdict(on: second(10)) == .new)
    #expect(sequence.verdict(on: second(10)) == .repeated)
    #expect(sequence.verdict(on: second(11)) == .new)
  }

  @Test func aStepBackIsJunkUntilItGoesOn() {
    var sequence = EpochSequence()
    #expect(sequence.verdict(on: second(100)) == .new)
    #expect(sequence.verdict(on: second(50)) == .backwards)
    #expect(sequence.verdict(on: second(101)) == .new)
    #expect(sequence.verdict(on: second(51)) == .backwards)
    #expect(sequence.verdict(on: second(51)) == .repeated)
    #expect(sequence.verdict(on: second(52)) == .backwards)
    #expect(sequence.verdict(on: second(53)) == .new)
    #expect(sequence.verdict(on: second(54)) == .new)
  }
}

@Suite struct StuckPositionDetectorTests {
  /// Passes latitudes and speeds, `step` apart.
  private func verdicts(_ epochs: [(Int64, Double?)], step: Duration = .seconds(1)) -> [Bool] {
    var detector = StuckPositionDetector()
    var time = GNSSTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    return epochs.map {
      time = time + step
      return detector.isFrozen(
        latitudeNanodegrees: $0.0, longitudeNanodegrees: 7, at: time, speedMetersPerSecond: $0.1)
    }
  }

  @Test func movingWithoutMovingIsFrozen() {
    #expect(verdicts(Array(repeating: (1, 12), count: 7)) == [false, false, false, false, false, true, true])
  }

  @Test func standingStillIsNot() {
    #expect(verdicts(Array(repeating: (1, 0.1), count: 100)).allSatisfy { !$0 })
    #expect(verdicts(Array(repeating: (1, nil), count: 100)).allSatisfy { !$0 })
  }

  /// At 5 Hz, the transmitted position of a walker, in steps of 1.85 m, changes only in every seventh epoch.
  @Test func aCoarsePositionIsNotFrozen() {
    let walk = (0..<100).map { (Int64($0 / 8), Double?(1.2)) }
    #expect(verdicts(walk, step: .milliseconds(200)).allSatisfy { !$0 })
    let frozen = Array(repeating: (Int64(1), Double?(1.2)), count: 100)
    #expect(verdicts(frozen, step: .milliseconds(200)).last == true)
  }

  @Test func aChangeThaws() {
    #expect(verdicts(Array(repeating: (1, 12), count: 6) + [(2, 12)]).last == false)
  }
}
