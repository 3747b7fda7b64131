package import Geodesy

/// The answers to one track beside the truth, those of each kind by themselves.
package struct TrackComparison: Sendable {
  /// Where it truly was.
  package let reference: ReferenceTrack
  /// What the receiver said.
  package private(set) var raw: [JudgedPosition] = []
  /// What was answered at once.
  package private(set) var causal: [JudgedPosition] = []
  /// What was answered some seconds later.
  package private(set) var lagged: [JudgedPosition] = []
  /// What the receiver said when nobody knows the truth.
  package private(set) var withoutTruth = 0

  /// A comparison with `reference` that nothing has come to yet.
  package init(with reference: ReferenceTrack) { self.reference = reference }

  /// Takes what a receiver said and what came of it: `lagged` is about an earlier time. A radius that was assumed is none of the
  /// receiver's.
  package mutating func take(raw fix: PositionFix, causal: PositionFix?, lagged: PositionFix?) {
    let answer = AnsweredPosition(
      time: fix.time, answeredAt: fix.time, coordinate: fix.coordinate,
      radius68: fix.horizontalRadiusBasis == .assumed ? nil : fix.horizontalRadius68)
    if let judged = reference.judge(answer) { raw.append(judged) } else { withoutTruth += 1 }
    func judge(_ answer: PositionFix?) -> JudgedPosition? {
      answer.flatMap { reference.judge(AnsweredPosition($0, answeredAt: fix.time)) }
    }
    if let judged = judge(causal) { self.causal.append(judged) }
    if let judged = judge(lagged) { self.lagged.append(judged) }
  }
}
