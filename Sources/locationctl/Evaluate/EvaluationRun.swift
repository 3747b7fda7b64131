import Fusion
import Geodesy
import LocationReplay

/// One evaluation: passes each fix through the service's estimator and compares the result to the truth.
final class EvaluationRun {
  /// The true positions from a file; `nil` if they are in the rows of the log itself.
  private let reference: Reference?
  private var estimator = Estimator()
  private var comparison: TrackComparison?
  /// The rows of a log that contains the true positions: they wait until all rows have been read.
  private var rows: [PositionRow] = []
  private var fixes = 0

  init(reference: Reference?) { self.reference = reference }

  /// Receives a fix as the service reports it.
  func receive(_ fix: PositionFix) { receive(fix, clock: .calendar) }

  /// Receives a row of a table.
  func receive(_ row: PositionRow) {
    guard reference == nil else { return receive(row, clock: ReferenceClock(ofTableFrom: row.time)) }
    rows.append(row)
  }

  /// The result; throws if nothing could be compared.
  func comparison(of path: String) throws(FailureMessage) -> TrackComparison {
    let name = TerminalText.sanitized(path)
    if reference == nil { takeRows() }
    guard fixes > 0 else { throw FailureMessage("\(name) contains no fix: use another log.", .badInput) }
    guard let comparison, !comparison.raw.isEmpty else {
      guard reference == nil else {
        throw FailureMessage(
          "\(name) and the true positions do not overlap in time: use two files of the same drive, with times of the same clock.",
          .badInput)
      }
      throw FailureMessage(
        "\(name) does not contain the true positions: add --truth FILE, with a file that contains them.", .usage)
    }
    return comparison
  }

  private func receive(_ row: PositionRow, clock: ReferenceClock) {
    receive(row.fix, clock: clock)
  }

  private func receive(_ fix: PositionFix, clock: ReferenceClock) {
    // The first fix provides the date for a reference that has only times of day.
    if comparison == nil, let reference {
      comparison = TrackComparison(with: reference.track(beside: clock, from: fix.time))
    }
    fixes += 1
    let estimate = estimator.handle(fix, at: fix.receivedAt)
    comparison?.add(raw: fix, causal: estimate?.causal, lagged: estimate?.lagged)
  }

  private func takeRows() {
    let points = rows.compactMap { row in row.truth.map { ReferencePoint(time: row.time, coordinate: $0) } }
    comparison = TrackComparison(with: ReferenceTrack(points))
    for row in rows { receive(row, clock: .seconds) }
    rows = []
  }
}
