import Geodesy
import LocationPolicy
import TestSupport
import Testing

/// Visits of simulated weeks, whose truth is known to the second. `make bench` judges more of them.
@Suite struct VisitWeekTests {
  static func score(_ kind: WeekSensor.Kind, seeds: Range<UInt64>) -> VisitScore {
    var score = VisitScore()
    for seed in seeds {
      let week = SimulatedWeek(seed: seed)
      var sensor = WeekSensor(kind, seed: seed)
      var machine = VisitDetector()
      _ = machine.handle(.start(resuming: nil), at: WeekSensor.start)
      var visits: [Visit] = []
      sensor.fixes(of: week) { fix in
        var actions: [VisitDetector.Action] = []
        while let deadline = machine.nextDeadline, deadline < fix.receivedAt {
          actions += machine.handle(.wake, at: deadline)
        }
        actions += machine.handle(.fix(fix), at: fix.receivedAt)
        for case .departed(let visit) in actions { visits.append(visit) }
      }
      if let stay = machine.stay { visits.append(stay) }
      score.judge(
        visits.map {
          VisitScore.Found(
            offset: sensor.offset(of: $0.coordinate), arrival: $0.arrival.map { ($0 - WeekSensor.epoch).inSeconds },
            departure: $0.departure.map { ($0 - WeekSensor.epoch).inSeconds })
        }, in: week)
    }
    return score
  }

  @Test(arguments: WeekSensor.Kind.allCases) func weeks(kind: WeekSensor.Kind) {
    let score = Self.score(kind, seeds: 1..<3)
    #expect(score.stays > 30 && score.recall >= 0.95)
    #expect(score.inventionsAnHour <= 0.3)
    // Who stands still is looked at every five minutes by Wi-Fi.
    #expect(score.arrivalError <= 30 && score.departureError <= (kind == .wifi ? 150 : 40))
  }
}
