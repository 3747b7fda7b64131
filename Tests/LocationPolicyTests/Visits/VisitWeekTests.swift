import TestSupport
import Testing

/// Visits of simulated weeks, whose truth is known to the second. `make bench` evaluates more of them.
@Suite struct VisitWeekTests {
  @Test(arguments: WeekSensor.Kind.allCases) func weeks(kind: WeekSensor.Kind) {
    let score = VisitScore(kind, seeds: 1..<3, VisitScore.detected)
    #expect(score.stays > 30 && score.recall >= 0.95)
    #expect(score.inventionsAnHour <= 0.3)
    // While the machine stands still, the position check by Wi-Fi comes every five minutes.
    #expect(score.arrivalError <= 30 && score.departureError <= (kind == .wifi ? 150 : 40))
  }
}
