import Fusion
import Geodesy
import LocationReplay

/// A recorded track with its truth, processed by the estimator and by a textbook filter.
struct FusedTrack {
  let fixes: [PositionFix]
  private(set) var comparison: TrackComparison
  /// The answers of the track itself, without the fixes that were passed on unchanged.
  private(set) var own: [EvaluatedPosition] = []
  private(set) var textbook: [EvaluatedPosition] = []

  /// The track of a table; `nil` if the table cannot be read.
  init?(path: String) {
    guard let bytes = contents(of: path), !bytes.isEmpty else { return nil }
    var reader = PositionTableReader()
    var rows: [PositionRow] = []
    do throws(TableError) {
      try reader.push(bytes.span) { rows.append($0) }
      try reader.finish { rows.append($0) }
    } catch {
      return nil
    }
    guard let first = rows.first else { return nil }
    fixes = rows.map(\.fix)
    let reference = ReferenceTrack(
      rows.compactMap { row in row.truth.map { ReferencePoint(time: row.time, coordinate: $0) } })
    comparison = TrackComparison(with: reference)
    var estimator = Estimator()
    var filter = TextbookFilter()
    let frame = LocalFrame(origin: first.coordinate)
    var last = first.time
    for (row, fix) in zip(rows, fixes) {
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      comparison.add(raw: fix, causal: estimate?.causal, lagged: estimate?.lagged)
      if let estimate, estimate.basis == .track,
        let judged = reference.judge(CandidatePosition(estimate.causal, answeredAt: row.time))
      {
        own.append(judged)
      }
      let offset = frame.offset(of: fix.coordinate)
      let filtered = filter.update(SIMD2(offset.eastMeters, offset.northMeters), after: (row.time - last).inSeconds)
      last = row.time
      let answer = frame.coordinate(at: .init(eastMeters: filtered.x, northMeters: filtered.y))
      let judged = reference.judge(
        CandidatePosition(time: row.time, answeredAt: row.time, coordinate: answer, radius68: nil))
      if let judged { textbook.append(judged) }
    }
  }
}
