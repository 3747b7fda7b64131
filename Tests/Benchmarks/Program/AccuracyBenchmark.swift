import Fusion
import Geodesy
import LocationReplay
import TestSupport

/// Accuracy and radius on the halves of recorded tracks that were not used for tuning, with and without Wi-Fi, each beside the
/// textbook filter with a gate.
func accuracyBenchmark(folder: String) -> Int32 {
  guard let sets = AccuracySet.all(in: "\(folder)/gnss") else {
    print("cannot read a track of \(folder)/gnss")
    return 66
  }
  let played = sets.map { PlayedSet($0) }
  for set in played {
    set.errors()
    set.radii()
  }
  leaveOneOut(played.filter { $0.set.kind == .reported })
  canyons(sets)
  return 0
}

/// The answers for the reporting half of a set, and for its tuning half.
private struct PlayedSet {
  let set: AccuracySet
  var raw: [AccuracyHalf: [EvaluatedPosition]] = [:]
  var causal: [AccuracyHalf: [EvaluatedPosition]] = [:]
  /// The receiver's positions at the times of `lagged`.
  var rawOfLagged: [EvaluatedPosition] = []
  var lagged: [EvaluatedPosition] = []
  var textbook: [EvaluatedPosition] = []
  var recoveries: [ExcursionRecovery] = []

  init(_ set: AccuracySet) {
    self.set = set
    for track in set.tracks { play(track) }
  }

  private mutating func play(_ track: ReportedTrack) {
    var estimator = Estimator()
    var filter = TextbookFilter(hasGate: true)
    var comparison = TrackComparison(with: track.reference)
    var filtered: [EvaluatedPosition] = []
    let frame = LocalFrame(origin: track.fixes[0].coordinate)
    var last = track.fixes[0].time
    for fix in track.fixes {
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      comparison.add(raw: fix, causal: estimate?.causal, lagged: estimate?.lagged)
      let offset = frame.offset(of: fix.coordinate)
      let sigma = fix.horizontalRadiusBasis == .accuracy ? fix.horizontalRadius68.value / RadiusScale.fromDeviation : 3
      let place = filter.update(
        SIMD2(offset.eastMeters, offset.northMeters), after: (fix.time - last).inSeconds, sigma: sigma)
      last = fix.time
      let answer = CandidatePosition(
        time: fix.time, answeredAt: fix.time,
        coordinate: frame.coordinate(at: .init(eastMeters: place.x, northMeters: place.y)), radius68: nil)
      if let judged = track.reference.judge(answer) { filtered.append(judged) }
    }
    for half in AccuracyHalf.allCases {
      raw[half, default: []] += half.of(comparison.raw, raw: comparison.raw)
      causal[half, default: []] += half.of(comparison.causal, raw: comparison.raw)
    }
    let late = AccuracyHalf.reporting.of(comparison.lagged, raw: comparison.raw)
    let times = Set(late.map(\.time))
    lagged += late
    rawOfLagged += AccuracyHalf.reporting.of(comparison.raw, raw: comparison.raw).filter { times.contains($0.time) }
    textbook += AccuracyHalf.reporting.of(filtered, raw: comparison.raw)
    if let recovery = ExcursionRecovery(comparison.causal, raw: comparison.raw) { recoveries.append(recovery) }
  }

  private static func errors(_ answers: [EvaluatedPosition]) -> Distribution? {
    Distribution(answers.map(\.errorMeters))
  }

  /// Beyond raw, in percent.
  func errors() {
    guard let raw = Self.errors(raw[.reporting] ?? []), let ours = Self.errors(causal[.reporting] ?? []),
      let late = Self.errors(lagged), let rawOfLate = Self.errors(rawOfLagged), let theirs = Self.errors(textbook)
    else { return }
    func figure(_ name: String, _ value: Double, of raw: Double, _ reach: Double?, peer: Double?) {
      Figure(
        name: "\(set.name), odd tenths: \(name), against raw", value: 100 * (value / raw - 1), unit: "%", reach: reach,
        peer: peer == nil ? nil : "textbook filter with a gate", peerValue: peer.map { 100 * ($0 / raw - 1) }
      ).write()
    }
    figure("rms", ours.rms, of: raw.rms, set.reach.rms, peer: theirs.rms)
    figure("p95", ours.p95, of: raw.p95, set.reach.p95, peer: theirs.p95)
    figure("rms 5 s later", late.rms, of: rawOfLate.rms, set.reach.lagged, peer: nil)
    for recovery in recoveries {
      Figure(
        name: "\(set.name): right again after \(recovery.count) excursions, the longest",
        value: recovery.longestSeconds,
        unit: "s"
      ).write()
    }
  }

  func radii() {
    guard let coverage = Coverage(causal[.reporting] ?? []) else { return }
    Figure(name: "\(set.name), odd tenths: inside the radius", value: 100 * coverage.inside68, unit: "%").write()
    Figure(
      name: "\(set.name), odd tenths: beyond 3 x the radius", value: 100 * coverage.beyond3, unit: "%",
      reach: set.kind == .reported ? 2 : 5
    ).write()
  }

  /// Errors relative to the radius, in ascending order.
  func ratios(_ half: AccuracyHalf) -> [Double] {
    (causal[half] ?? []).compactMap { answer in answer.radius68Meters.map { answer.errorMeters / $0 } }.sorted()
  }
}

/// For each set: the one factor of the radius that fits the tuning halves of the other sets, and what it makes of the reporting half
/// of this set. Each set weighs the same.
private func leaveOneOut(_ sets: [PlayedSet]) {
  var (inside, beyond) = (0.0, 0.0)
  var fifths = [Double](repeating: 0, count: 5)
  for index in sets.indices {
    let others = sets.indices.filter { $0 != index }.map { sets[$0].ratios(.tuning) }
    let factor =
      others.reduce(0) { $0 + Distribution.percentile(68.27, ofSorted: $1) } / Double(others.count)
    let scaled = (sets[index].causal[.reporting] ?? []).map { answer in
      EvaluatedPosition(
        time: answer.time, errorMeters: answer.errorMeters, radius68Meters: answer.radius68Meters.map { $0 * factor })
    }
    guard let coverage = Coverage(scaled) else { continue }
    inside += coverage.inside68 / Double(sets.count)
    beyond += coverage.beyond3 / Double(sets.count)
    for (number, fifth) in RadiusQuintile.all(of: scaled).enumerated() {
      fifths[number] += fifth.coverage.inside68 / Double(sets.count)
    }
    Figure(name: "factor of the radius fitted without \(sets[index].set.name)", value: factor, unit: "x").write()
    Figure(
      name: "\(sets[index].set.name), odd tenths, with that factor: inside the radius", value: 100 * coverage.inside68,
      unit: "%"
    ).write()
  }
  Figure(name: "leave one set out: inside the radius, meant to be 60 to 78", value: 100 * inside, unit: "%").write()
  Figure(name: "leave one set out: beyond 3 x the radius", value: 100 * beyond, unit: "%", reach: 2).write()
  for (number, share) in fifths.enumerated() {
    Figure(
      name: "leave one set out: inside the radius, fifth \(number + 1), meant to be 50 to 85", value: 100 * share,
      unit: "%"
    ).write()
  }
}

/// Drives with satellites and Wi-Fi, each with and without Wi-Fi.
private func canyons(_ sets: [AccuracySet]) {
  for meters in [0.0, 40, 80, 120] {
    let drives = (101...106 as ClosedRange<UInt64>).map { CanyonDrive(seed: $0, share: 0.25, meters: meters) }
    let name = meters == 0 ? "simulated town, good sky" : "simulated canyon, \(Int(meters)) m per axis"
    canyon(name, drives, reach: meters == 0 ? 1 : 0.8)
  }
  for set in sets {
    let drives = set.tracks.flatMap { track in
      (1...4 as ClosedRange<UInt64>).map { seed in
        let known = track.fixes.compactMap { fix in track.reference.coordinate(at: fix.time).map { (fix, $0) } }
        return CanyonDrive(known.map(\.0), truths: known.map(\.1), seed: seed)
      }
    }
    canyon("\(set.name) with simulated Wi-Fi", drives, reach: 1)
  }
}

private func canyon(_ name: String, _ drives: [CanyonDrive], reach: Double) {
  var (with, without): ([Double], [Double]) = ([], [])
  for drive in drives {
    var (informed, alone) = (Estimator(), Estimator())
    for report in drive.reports {
      let one = informed.handle(report.fix, at: report.fix.receivedAt)
      guard report.fix.technologies.contains(.gnss) else { continue }
      let other = alone.handle(report.fix, at: report.fix.receivedAt)
      guard let one, let other else { continue }
      with.append(Geodesic.inverse(from: one.causal.coordinate, to: report.truth).distance.value)
      without.append(Geodesic.inverse(from: other.causal.coordinate, to: report.truth).distance.value)
    }
  }
  guard let one = Distribution(with), let other = Distribution(without) else { return }
  Figure(
    name: "\(name): p95 with Wi-Fi", value: one.p95, unit: "m", reach: reach * other.p95, peer: "without",
    peerValue: other.p95
  ).write()
}
