import LocationReplay
import TrackFormats

/// The results of an evaluation, for scripts and for people.
struct EvaluationReport {
  private let comparison: TrackComparison

  init(_ comparison: TrackComparison) { self.comparison = comparison }

  private var kinds: [(name: String, answers: [EvaluatedPosition])] {
    [("raw", comparison.raw), ("causal", comparison.causal), ("lagged", comparison.lagged)]
  }

  private var recovery: ExcursionRecovery? { ExcursionRecovery(comparison.causal, raw: comparison.raw) }

  // MARK: For scripts

  /// One line with the keys of the command line contract.
  var json: [UInt8] {
    var object = JSONObject()
    object.add("n", .number(comparison.raw.count))
    object.add("withoutTruth", .number(comparison.withoutTruth))
    for kind in kinds where !kind.answers.isEmpty { object.add(kind.name, rawValue: Self.object(kind.answers).closed) }
    if let coverage = Coverage(comparison.causal) { Self.add(coverage, to: &object) }
    if let intervals = CoverageIntervals(comparison.causal) {
      object.add("inside68Interval", rawValue: Self.list(intervals.inside68))
      object.add("beyond3Interval", rawValue: Self.list(intervals.beyond3))
    }
    let fifths = RadiusQuintile.all(of: comparison.causal).map(Self.object)
    object.add("fifths", rawValue: JSONObject.list(fifths))
    if let recovery { object.add("recovery", rawValue: Self.object(recovery).closed) }
    return object.line
  }

  private static func object(_ answers: [EvaluatedPosition]) -> JSONObject {
    var object = JSONObject()
    guard let errors = Distribution(answers.map(\.errorMeters)) else { return object }
    object.add("n", .number(errors.count))
    object.add("p50", .meters(errors.p50))
    object.add("p68", .meters(errors.p68))
    object.add("p95", .meters(errors.p95))
    object.add("max", .meters(errors.max))
    object.add("rms", .meters(errors.rms))
    object.add("latency", .number(Latency.distribution(answers)?.p50, decimals: 3))
    object.add("score", .meters(RadiusScore.mean(answers)))
    if let coverage = Coverage(answers) { add(coverage, to: &object) }
    return object
  }

  private static func object(_ fifth: RadiusQuintile) -> JSONObject {
    var object = JSONObject()
    object.add("n", .number(fifth.coverage.count))
    object.add("from", .meters(fifth.smallestMeters))
    object.add("to", .meters(fifth.largestMeters))
    add(fifth.coverage, to: &object)
    return object
  }

  private static func object(_ recovery: ExcursionRecovery) -> JSONObject {
    var object = JSONObject()
    object.add("n", .number(recovery.count))
    object.add("p50", .number(recovery.medianSeconds, decimals: 3))
    object.add("max", .number(recovery.longestSeconds, decimals: 3))
    return object
  }

  private static func list(_ interval: ClosedRange<Double>) -> [UInt8] {
    let bounds = [interval.lowerBound, interval.upperBound].map { FixedDecimal.text($0, decimals: 4) ?? "0" }
    return Array("[\(bounds.joined(separator: ","))]".utf8)
  }

  private static func add(_ coverage: Coverage, to object: inout JSONObject) {
    object.add("inside50", .number(coverage.inside50, decimals: 4))
    object.add("inside68", .number(coverage.inside68, decimals: 4))
    object.add("inside95", .number(coverage.inside95, decimals: 4))
    object.add("beyond3", .number(coverage.beyond3, decimals: 4))
  }

  // MARK: For people

  /// A table in meters, seconds and percent, followed by the other results.
  var text: [UInt8] {
    let count = comparison.raw.count
    var lines = "\(count) \(count == 1 ? "fix" : "fixes") compared with the truth"
    if comparison.withoutTruth > 0 {
      let were = comparison.withoutTruth == 1 ? "was at a time" : "were at times"
      lines += "; \(comparison.withoutTruth) more \(were) without a true position"
    }
    var rows = [
      ["", "N", "P50", "P68", "P95", "MAX", "RMS", "LATE", "IN R50", "IN R68", "IN R95", "BEYOND 3 R", "SCORE"]
    ]
    for kind in kinds { if let row = Self.row(kind.name, kind.answers) { rows.append(row) } }
    var bytes =
      TextTable.sentences("\(lines). The table is in meters, seconds and shares of the errors.\n")
      + TextTable.aligned(rows)
    if !remarks.isEmpty { bytes += TextTable.sentences(String(remarks.dropLast())) }
    let fifths = RadiusQuintile.all(of: comparison.causal)
    guard !fifths.isEmpty else { return bytes }
    bytes += Array("\nThe causal fixes, grouped by the size of their radius:\n".utf8)
    bytes += TextTable.aligned(
      [["RADIUS", "N", "IN R50", "IN R68", "IN R95", "BEYOND 3 R"]]
        + fifths.map { fifth in
          ["\(Self.meters(fifth.smallestMeters)) to \(Self.meters(fifth.largestMeters))", "\(fifth.coverage.count)"]
            + Self.shares(fifth.coverage)
        })
    return bytes
  }

  /// The results that the table of errors does not contain.
  private var remarks: String {
    var lines = ""
    if let intervals = CoverageIntervals(comparison.causal) {
      lines +=
        "\nThe causal fixes, 95 % intervals: \(Self.share(intervals.inside68)) inside R68, "
        + "\(Self.share(intervals.beyond3)) beyond 3 R. Errors of neighboring fixes are alike, so blocks of 60 s were resampled.\n"
    }
    if let recovery {
      let times = [recovery.medianSeconds, recovery.longestSeconds].map { FixedDecimal.text($0, decimals: 1) ?? "-" }
      let excursions = recovery.count == 1 ? "1 excursion" : "\(recovery.count) excursions"
      lines += "\nAfter \(excursions) of the receiver, the causal fixes were right again after \(times[0]) s (median), "
      lines += "\(times[1]) s (longest).\n"
    }
    return lines
  }

  private static func share(_ interval: ClosedRange<Double>) -> String {
    let bounds = [interval.lowerBound, interval.upperBound].map { FixedDecimal.text($0 * 100, decimals: 1) ?? "-" }
    return "\(bounds[0]) to \(bounds[1]) %"
  }

  private static func row(_ name: String, _ answers: [EvaluatedPosition]) -> [String]? {
    guard let errors = Distribution(answers.map(\.errorMeters)) else { return nil }
    var row = [name, "\(errors.count)"]
    row += [errors.p50, errors.p68, errors.p95, errors.max, errors.rms].map(meters)
    row.append(FixedDecimal.text(Latency.distribution(answers)?.p50 ?? 0, decimals: 1) ?? "-")
    row += Coverage(answers).map(shares) ?? ["-", "-", "-", "-"]
    row.append(RadiusScore.mean(answers).map(meters) ?? "-")
    return row
  }

  private static func shares(_ coverage: Coverage) -> [String] {
    [coverage.inside50, coverage.inside68, coverage.inside95, coverage.beyond3].map {
      FixedDecimal.text($0 * 100, decimals: 1).map { "\($0) %" } ?? "-"
    }
  }

  private static func meters(_ value: Double) -> String { FixedDecimal.text(value, decimals: 2) ?? "-" }
}
