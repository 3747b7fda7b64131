import Fusion
import Geodesy
import Testing

/// A fix that does not belong to the track changes nothing, and its rejection has a reason.
@Suite struct RefusedInputTests {
  private let fixes = SimulatedDrive(seconds: 40, speed: 14, seed: 3).fixes(.init(wander: 1), seed: 5).map(\.fix)

  private func estimator(after count: Int) -> Estimator {
    var estimator = Estimator()
    for fix in fixes[..<count] { _ = estimator.handle(fix, at: fix.receivedAt) }
    return estimator
  }

  @Test func invalidNumberIsRefused() {
    var bad: [PositionFix] = []
    for value in [Double.nan, .infinity, -.infinity, 91, -91] {
      bad.append(fixes[20])
      bad[bad.count - 1].coordinate.latitude = Angle(degrees: value)
    }
    for value in [Double.nan, .infinity, -.infinity, 180.1] {
      bad.append(fixes[20])
      bad[bad.count - 1].coordinate.longitude = Angle(degrees: value)
    }
    for value in [Double.nan, .infinity, 0, -1] {
      bad.append(fixes[20])
      bad[bad.count - 1].horizontalRadius68 = Meters(value)
    }
    var estimator = estimator(after: 20)
    for fix in bad {
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      #expect(estimate == nil && estimator.lastRefusal == .malformed)
    }
    let estimate = estimator.handle(fixes[20], at: fixes[20].receivedAt)
    #expect(estimate?.causal.coordinate == fixes[20].coordinate)
  }

  @Test func whatElseIsNoNumberIsUnknown() {
    for value in [Double.nan, .infinity, -1] {
      var estimator = estimator(after: 20)
      var fix = fixes[20]
      fix.speedMetersPerSecond = value
      fix.speedRadius68MetersPerSecond = value
      fix.course = Angle(degrees: value)
      fix.courseRadius68 = Angle(degrees: value)
      fix.verticalRadius68 = Meters(value)
      let causal = estimator.handle(fix, at: fix.receivedAt)?.causal
      #expect(causal?.coordinate == fix.coordinate)
      #expect(causal?.speedMetersPerSecond.map { $0.isFinite && $0 >= 0 } ?? true)
      #expect(causal?.course.map { (0..<360).contains($0.degrees) } ?? true)
      #expect(causal?.verticalRadius68 == nil)
    }
  }

  @Test func oneMomentCountsOnce() {
    var estimator = estimator(after: 20)
    let refused = estimator.handle(fixes[19], at: fixes[19].receivedAt)
    #expect(refused == nil && estimator.lastRefusal == .repeated)
    let taken = estimator.handle(fixes[20], at: fixes[20].receivedAt)
    #expect(taken != nil)
  }

  @Test func thePastIsRefused() {
    var estimator = estimator(after: 20)
    let refused = estimator.handle(fixes[10], at: fixes[20].receivedAt)
    #expect(refused == nil && estimator.lastRefusal == .past)
    let taken = estimator.handle(fixes[20], at: fixes[20].receivedAt)
    #expect(taken != nil)
  }

  @Test func theFutureIsRefused() {
    var estimator = estimator(after: 20)
    var fix = fixes[20]
    fix.time = fix.time + .seconds(3600)
    let refused = estimator.handle(fix, at: fix.receivedAt)
    #expect(refused == nil && estimator.lastRefusal == .future)
    let taken = estimator.handle(fixes[21], at: fixes[21].receivedAt)
    #expect(taken != nil)
  }

  /// A receiver whose clock was wrong corrects it once; the track continues across that step.
  @Test(arguments: [-86_400, 86_400]) func aClockThatIsSetIsAccepted(seconds: Int) {
    var estimator = estimator(after: 20)
    for index in 20..<40 {
      var fix = fixes[index]
      fix.time = fix.time + .seconds(seconds)
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      #expect((estimate == nil) == (index < 22))
      if let estimate { #expect(estimate.causal.coordinate == fix.coordinate) }
    }
  }

  /// A suspect fix is passed on unchanged, and has no effect on later answers.
  @Test(arguments: [FixQualityFlag.frozen, .jammed, .implausible]) func aSuspectFixIsNoEvidence(
    qualityFlag: FixQualityFlag
  ) {
    var (with, without) = (estimator(after: 20), estimator(after: 20))
    var bad = fixes[20]
    bad.coordinate = bad.coordinate.moved(by: SIMD2(3000, 0))
    bad.qualityFlag = qualityFlag
    let reported = with.handle(bad, at: bad.receivedAt)
    #expect(reported?.causal == bad && reported?.lagged == nil)
    for fix in fixes[21...] {
      let (one, other) = (with.handle(fix, at: fix.receivedAt), without.handle(fix, at: fix.receivedAt))
      #expect(one?.causal.coordinate == other?.causal.coordinate && one?.basis == .asReported)
    }
  }

  /// A batch that arrives late is processed in its order.
  @Test func aLateBatchIsTaken() {
    var estimator = Estimator()
    let now = fixes[39].receivedAt
    let taken = fixes[..<10].count { estimator.handle($0, at: now) != nil }
    #expect(taken == 10)
  }
}
