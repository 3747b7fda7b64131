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

/// How many values there are and how they are spread: of errors in metres, or of delays in seconds.
package struct Distribution: Hashable, Sendable {
  /// How many values.
  package let count: Int
  /// The median.
  package let p50: Double
  /// What 68 % of the values do not exceed.
  package let p68: Double
  /// What 95 % of the values do not exceed.
  package let p95: Double
  /// The largest.
  package let max: Double
  /// The square root of the mean square.
  package let rms: Double

  /// The distribution of values in any order; `nil`: there are none.
  package init?(_ values: some Collection<Double>) {
    let sorted = values.sorted()
    guard let last = sorted.last else { return nil }
    count = sorted.count
    p50 = Self.percentile(50, ofSorted: sorted)
    p68 = Self.percentile(68, ofSorted: sorted)
    p95 = Self.percentile(95, ofSorted: sorted)
    max = last
    rms = (sorted.reduce(0) { $0 + $1 * $1 } / Double(sorted.count)).squareRoot()
  }

  /// The percentile `p`, 0…100, of values in ascending order, at least one: linear between the two values on both sides
  /// of the rank p/100 · (n − 1), counted from 0 (definition 7 of Hyndman and Fan, "Sample quantiles in statistical
  /// packages", 1996, which numpy, R and spreadsheets take).
  package static func percentile(_ p: Double, ofSorted sorted: [Double]) -> Double {
    let rank = p / 100 * Double(sorted.count - 1)
    let lower = Int(rank.rounded(.down))
    let upper = Swift.min(lower + 1, sorted.count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (rank - Double(lower))
  }
}

/// How late answers came.
package enum Latency {
  /// The delays of answers in seconds; `nil`: there are no answers.
  package static func distribution(_ answers: some Collection<JudgedPosition>) -> Distribution? {
    Distribution(answers.map(\.latency.inSeconds))
  }
}
