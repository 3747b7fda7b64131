import Fusion
import Geodesy
import LocationReplay

/// A track through an estimator, compared with the truth.
func compare(
  _ fixes: [(fix: PositionFix, truth: Coordinate)], isRadiusTold: Bool = true, tuning: Tuning = .standard
) -> TrackComparison {
  let points = fixes.map { ReferencePoint(time: $0.fix.time, coordinate: $0.truth) }
  var comparison = TrackComparison(with: ReferenceTrack(points))
  var estimator = Estimator(tuning: tuning)
  for (var fix, _) in fixes {
    if !isRadiusTold { fix.horizontalRadiusBasis = .assumed }
    let estimate = estimator.handle(fix, at: fix.receivedAt)
    comparison.add(raw: fix, causal: estimate?.causal, lagged: estimate?.lagged)
  }
  return comparison
}

/// The track's own answers, compared with the truth, without the fixes that are passed on.
func ownAnswers(_ fixes: [(fix: PositionFix, truth: Coordinate)]) -> [EvaluatedPosition] {
  let reference = ReferenceTrack(fixes.map { ReferencePoint(time: $0.fix.time, coordinate: $0.truth) })
  var estimator = Estimator()
  return fixes.compactMap { fix, _ in
    guard let estimate = estimator.handle(fix, at: fix.receivedAt), estimate.basis == .track else { return nil }
    return reference.judge(CandidatePosition(estimate.causal, answeredAt: fix.time))
  }
}

extension [EvaluatedPosition] {
  var errors: Distribution? { Distribution(map(\.errorMeters)) }
  var p95: Double { errors?.p95 ?? .nan }
  var rms: Double { errors?.rms ?? .nan }
}
