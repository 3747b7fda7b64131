import Geodesy

/// How soon the answers are right again after the receiver was wrong for a while.
///
/// An excursion begins when the receiver's error exceeds both three times its median and 10 m, and ends with the first
/// position whose error is at most half of that limit. The recovery is the time from that end to the first answer with
/// an error within the same half.
package struct ExcursionRecovery: Hashable, Sendable {
  /// The number of excursions that ended.
  package let count: Int
  /// The median time to recover, seconds; 0: the answer was right at once.
  package let medianSeconds: Double
  /// The longest time to recover, seconds.
  package let longestSeconds: Double

  /// Smaller errors than this are not an excursion, meters.
  private static let leastExcursion = 10.0
  /// The error, in medians of the receiver's error, from which an excursion begins.
  private static let medians = 3.0

  /// Compares the answers with the receiver's positions `raw`, both in order of time; `nil` if no excursion ended
  /// before the last answer.
  package init?(_ answers: [EvaluatedPosition], raw: [EvaluatedPosition]) {
    guard let median = Distribution(raw.map(\.errorMeters))?.p50 else { return nil }
    let begin = max(Self.leastExcursion, Self.medians * median)
    let end = begin / 2
    var recoveries: [Double] = []
    var isAway = false
    var next = 0
    for position in raw {
      if position.errorMeters > begin { isAway = true }
      guard isAway, position.errorMeters <= end else { continue }
      isAway = false
      while next < answers.count, answers[next].time < position.time { next += 1 }
      let right = answers[next...].first { $0.errorMeters <= end }
      // If the track ends before an answer is right, the time up to its last answer counts.
      guard let until = right?.time ?? answers.last?.time, next < answers.count else { continue }
      recoveries.append(max(0, (until - position.time).inSeconds))
    }
    guard let recovery = Distribution(recoveries) else { return nil }
    (count, medianSeconds, longestSeconds) = (recovery.count, recovery.p50, recovery.max)
  }
}
