package import Geodesy

/// Compares positions with the true track, separately for each kind of answer.
package struct TrackComparison: Sendable {
  /// The true track.
  package let reference: ReferenceTrack
  /// The receiver's own positions.
  package private(set) var raw: [EvaluatedPosition] = []
  /// The positions that were computed at once.
  package private(set) var causal: [EvaluatedPosition] = []
  /// The positions that were computed some seconds later.
  package private(set) var lagged: [EvaluatedPosition] = []
  /// The number of receiver positions at times for which the true position is unknown.
  package private(set) var withoutTruth = 0

  /// An empty comparison with `reference`.
  package init(with reference: ReferenceTrack) { self.reference = reference }

  /// Adds a receiver's fix and the positions computed from it; `lagged` is for an earlier time. Ignores the radius of `fix`
  /// if it was assumed, because the receiver did not report it.
  package mutating func add(raw fix: PositionFix, causal: PositionFix?, lagged: PositionFix?) {
    let answer = CandidatePosition(
      time: fix.time, answeredAt: fix.time, coordinate: fix.coordinate,
      radius68: fix.horizontalRadiusBasis == .assumed ? nil : fix.horizontalRadius68)
    if let judged = reference.judge(answer) { raw.append(judged) } else { withoutTruth += 1 }
    func judge(_ answer: PositionFix?) -> EvaluatedPosition? {
      answer.flatMap { reference.judge(CandidatePosition($0, answeredAt: fix.time)) }
    }
    if let judged = judge(causal) { self.causal.append(judged) }
    if let judged = judge(lagged) { self.lagged.append(judged) }
  }
}

/// The number and the distribution of values: errors in meters, or delays in seconds.
package struct Distribution: Hashable, Sendable {
  /// The number of values.
  package let count: Int
  /// The median.
  package let p50: Double
  /// The 68th percentile.
  package let p68: Double
  /// The 95th percentile.
  package let p95: Double
  /// The largest value.
  package let max: Double
  /// The square root of the mean square.
  package let rms: Double

  /// The distribution of values in any order; `nil` if there are none.
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

  /// The percentile `p`, 0…100, of values in ascending order, at least one: interpolates linearly between the values on
  /// both sides of rank p/100 · (n − 1), counted from 0 (definition 7 of Hyndman and Fan, "Sample quantiles in statistical
  /// packages", 1996, used by numpy, R and spreadsheets).
  package static func percentile(_ p: Double, ofSorted sorted: [Double]) -> Double {
    let rank = p / 100 * Double(sorted.count - 1)
    let lower = Int(rank.rounded(.down))
    let upper = Swift.min(lower + 1, sorted.count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (rank - Double(lower))
  }
}

/// The delays of the answers.
package enum Latency {
  /// The delays of answers in seconds; `nil` if there are no answers.
  package static func distribution(_ answers: some Collection<EvaluatedPosition>) -> Distribution? {
    Distribution(answers.map(\.latency.inSeconds))
  }
}
