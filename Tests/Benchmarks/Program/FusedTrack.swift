import Evaluation
import Fusion
import Geodesy

/// A recorded track with its truth, through the estimator and through the textbook's filter.
struct FusedTrack {
  let fixes: [PositionFix]
  private(set) var comparison: TrackComparison
  private(set) var textbook: [JudgedPosition] = []

  /// The track of a table; `nil` where it cannot be read.
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
    fixes = rows.map(Self.fix)
    let reference = ReferenceTrack(
      rows.compactMap { row in row.truth.map { ReferencePoint(time: row.time, coordinate: $0) } })
    comparison = TrackComparison(with: reference)
    var estimator = Estimator()
    var filter = TextbookFilter()
    let frame = LocalFrame(origin: first.coordinate)
    var last = first.time
    for (row, fix) in zip(rows, fixes) {
      let estimate = estimator.handle(fix, at: fix.receivedAt, isRadiusTold: row.accuracyMeters != nil)
      comparison.take(raw: fix, causal: estimate?.causal, lagged: estimate?.lagged)
      let offset = frame.offset(of: fix.coordinate)
      let filtered = filter.see(SIMD2(offset.eastMeters, offset.northMeters), after: (row.time - last).inSeconds)
      last = row.time
      let answer = frame.coordinate(at: .init(eastMeters: filtered.x, northMeters: filtered.y))
      let judged = reference.judge(
        AnsweredPosition(time: row.time, answeredAt: row.time, coordinate: answer, radius68: nil))
      if let judged { textbook.append(judged) }
    }
  }

  private static func fix(_ row: PositionRow) -> PositionFix {
    var fix = PositionFix(
      time: row.time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: row.time.nanosecondsSince1970),
      coordinate: row.coordinate,
      // `AccuracyModel`: √(σN² + σE²) to 68 %, and what it makes of nothing.
      horizontalRadius68: Meters(row.accuracyMeters.map { $0 * 1.07 } ?? 23), kind: .threeDimensional,
      technologies: .gnss)
    fix.speedMetersPerSecond = row.speedMetersPerSecond
    fix.course = row.course
    return fix
  }
}

/// A gap on a straight road.
enum GapFigure {
  /// The error after ten seconds without a fix, as a share of the error of the last fix, driving at 14 m/s.
  static var share: Double {
    let origin = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))
    func place(_ second: Int) -> Coordinate {
      Geodesic.direct(from: origin, course: Angle(degrees: 30), distance: Meters(14 * Double(second))).coordinate
    }
    var estimator = Estimator()
    for second in 0...60 {
      let time = Int64(second) * 1_000_000_000
      var fix = PositionFix(
        time: GNSSTime(nanosecondsSince1970: time), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time),
        coordinate: place(second), horizontalRadius68: Meters(2), kind: .threeDimensional, technologies: .gnss)
      fix.speedMetersPerSecond = 14
      fix.course = Angle(degrees: 30)
      _ = estimator.handle(fix, at: fix.receivedAt)
    }
    guard let end = estimator.estimate(at: Instant(nanoseconds: 70_000_000_000)) else { return .infinity }
    let truth = place(70)
    func meters(_ place: Coordinate) -> Double { Geodesic.inverse(from: place, to: truth).distance.value }
    return meters(end.coordinate) / meters(place(60))
  }
}
