import Fusion
import Geodesy
import TestSupport
import Testing

/// Heights: those of a filtered stream are passed on unchanged, those of a jumping stream are smoothed.
@Suite struct HeightTests {
  /// Root mean square errors of the raw heights and of the answered heights, in terrain that rises by 5 % to the north.
  private func errors(white: Double, radius: Double?) -> (
    raw: Double, answered: Double, inside: Double, isTouched: Bool
  ) {
    var random = SplitMix64(seed: 6)
    var estimator = Estimator()
    var (raw, answered, inside, isTouched) = (0.0, 0.0, 0.0, false)
    let drive = SimulatedDrive(seconds: 1000, speed: 10, seed: 12)
    let fixes = drive.fixes(.init(white: white, wander: 0.5, radius: 6), seed: 5)
    for (second, (fix, _)) in fixes.enumerated() {
      let truth = 400 + 0.05 * drive.moments[second].place.y
      let isWrong = Int.random(in: 0..<10, using: &random) == 0
      var fix = fix
      let error = Double.random(in: -1...1, using: &random) * (isWrong ? 60 : 6)
      fix.heightAboveEllipsoid = Meters(truth + error)
      fix.heightAboveMeanSeaLevel = Meters(truth + error - 47)
      fix.verticalRadius68 = radius.map { Meters($0) }
      guard let causal = estimator.handle(fix, at: fix.receivedAt)?.causal, second > 100,
        let height = causal.heightAboveEllipsoid?.value
      else { continue }
      #expect(abs((causal.geoidSeparation?.value ?? 0) - 47) < 1e-6)
      raw += error * error
      answered += (height - truth) * (height - truth)
      if let radius = causal.verticalRadius68?.value, abs(height - truth) < radius { inside += 1 }
      if height != truth + error { isTouched = true }
    }
    return ((raw / 899).squareRoot(), (answered / 899).squareRoot(), inside / 899, isTouched)
  }

  @Test(arguments: [5, nil]) func jumpingHeightsAreBettered(radius: Double?) {
    let result = errors(white: 4, radius: radius)
    #expect(result.answered < result.raw / 2.5 && result.inside > 0.6)
  }

  @Test func filteredHeightsArePassedOn() {
    #expect(!errors(white: 0.05, radius: 5).isTouched)
  }
}
