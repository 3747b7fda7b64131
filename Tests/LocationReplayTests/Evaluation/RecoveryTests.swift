import Geodesy
import LocationReplay
import Testing

/// Excursions of the receiver, and how long the answers need to be right again.
@Suite struct RecoveryTests {
  /// One answer per second with these errors, meters.
  private func track(_ errors: [Double]) -> [EvaluatedPosition] {
    errors.enumerated().map { second, error in
      EvaluatedPosition(
        time: GNSSTime(nanosecondsSince1970: Int64(second) * 1_000_000_000), errorMeters: error, radius68Meters: 3)
    }
  }

  private let calm = [Double](repeating: 2, count: 20)

  @Test func theTimeUntilTheAnswerIsRight() throws {
    // Two excursions, to 40 m and to 80 m; the answer follows the first one, and returns at once and 3 s late.
    let receiver = track(calm + [40, 40] + calm + [80, 80] + calm)
    let answers = track(calm + [40, 40] + calm + [2, 60] + [60, 50, 30] + [2] + [Double](repeating: 2, count: 16))
    let recovery = try #require(ExcursionRecovery(answers, raw: receiver))
    #expect(recovery.count == 2 && recovery.medianSeconds == 1.5 && recovery.longestSeconds == 3)
  }

  @Test func anAnswerThatNeverFollowedNeedsNoTime() throws {
    let recovery = try #require(ExcursionRecovery(track(calm + [2] + calm), raw: track(calm + [40] + calm)))
    #expect(recovery.count == 1 && recovery.longestSeconds == 0)
  }

  @Test func anAnswerThatIsNeverRightCountsToTheEnd() throws {
    let answers = track(calm + [Double](repeating: 40, count: 21))
    let recovery = try #require(ExcursionRecovery(answers, raw: track(calm + [40] + calm)))
    #expect(recovery.longestSeconds == 19)
  }

  /// An excursion that does not end has no recovery, small errors are no excursion, and no answers are none.
  @Test func whatIsNoExcursion() {
    let receiver = track(calm + [40, 40])
    #expect(ExcursionRecovery(receiver, raw: receiver) == nil)
    let small = track(calm + [9] + calm)
    #expect(ExcursionRecovery(small, raw: small) == nil)
    #expect(ExcursionRecovery([], raw: track(calm + [40] + calm)) == nil)
    #expect(ExcursionRecovery([], raw: []) == nil)
  }
}
