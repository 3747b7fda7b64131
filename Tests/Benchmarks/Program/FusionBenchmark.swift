import CAllocationCounter
import Fusion
import Geodesy
import LocationReplay
import TestSupport

/// Recorded tracks processed by the estimator, compared with the estimator's input and with the textbook filter, and the cost of
/// an epoch.
func fusionBenchmark(folder: String) -> Int32 {
  let tracks = [
    ("F9K RTK", "mtv_f9k_rtk"), ("comma2k19 10 Hz", "comma2k19_ublox_live"), ("Nagoya", "nagoya_gtsam_spp"),
  ]
  var all: [[EvaluatedPosition]] = []
  var nagoya: FusedTrack?
  for (name, file) in tracks {
    guard let track = FusedTrack(path: "\(folder)/gnss/\(file).csv") else {
      print("cannot read \(file)")
      return 66
    }
    let isFiltered = file != "nagoya_gtsam_spp"
    let (raw, ours, textbook) = (track.comparison.raw, track.comparison.causal, track.textbook)
    Figure(
      name: "\(name), p95", value: p95(ours), unit: "m", reach: isFiltered ? 1.02 * p95(raw) : nil,
      peer: "raw",
      peerValue: p95(raw)
    ).write()
    Figure(name: "\(name), p95, textbook filter", value: p95(textbook), unit: "m").write()
    all.append(ours)
    if !isFiltered { nagoya = track }
  }
  guard let nagoya else { return 65 }
  let (raw, ours, lagged) = (nagoya.comparison.raw, nagoya.comparison.causal, nagoya.comparison.lagged)
  Figure(
    name: "Nagoya, rms", value: rms(ours), unit: "m", reach: 4.5, peer: "raw", peerValue: rms(raw)
  ).write()
  Figure(name: "Nagoya, rms, textbook filter", value: rms(nagoya.textbook), unit: "m").write()
  Figure(
    name: "Nagoya, rms, 5 s later", value: rms(lagged), unit: "m", reach: 3.2, peer: "raw",
    peerValue: rms(raw)
  ).write()
  radii(all, nagoya: nagoya)
  Figure(
    name: "gap of 10 s driving straight, error of that of holding", value: 100 * GapFigure.share, unit: "%", reach: 50
  )
  .write()
  return cost(nagoya)
}

private func p95(_ judged: [EvaluatedPosition]) -> Double { Distribution(judged.map(\.errorMeters))?.p95 ?? 0 }
private func rms(_ judged: [EvaluatedPosition]) -> Double { Distribution(judged.map(\.errorMeters))?.rms ?? 0 }

private func radii(_ tracks: [[EvaluatedPosition]], nagoya: FusedTrack) {
  pooledRadii(tracks)
  guard let ours = Coverage(nagoya.comparison.causal),
    let raw = Coverage(nagoya.comparison.raw)
  else { return }
  if let own = Coverage(nagoya.own) {
    Figure(name: "Nagoya, the track's own answers, inside the radius", value: 100 * own.inside68, unit: "%").write()
  }
  Figure(
    name: "Nagoya, score of the radius", value: RadiusScore.mean(nagoya.comparison.causal) ?? .nan, unit: "m",
    peer: "raw", peerValue: RadiusScore.mean(nagoya.comparison.raw) ?? .nan
  ).write()
  for (index, fifth) in RadiusQuintile.all(of: nagoya.comparison.causal).enumerated() {
    Figure(
      name: "Nagoya, inside the radius, fifth \(index + 1), to \(Figure.rounded(fifth.largestMeters)) m",
      value: 100 * fifth.coverage.inside68, unit: "%"
    ).write()
  }
  Figure(
    name: "Nagoya, errors beyond 3 x the radius", value: 100 * ours.beyond3, unit: "%", reach: 1, peer: "raw",
    peerValue: 100 * raw.beyond3
  ).write()
}

/// All tracks together, with one answer per second, because ten answers of one second have the same error. With the confidence
/// interval that blocks of two minutes give.
private func pooledRadii(_ tracks: [[EvaluatedPosition]]) {
  let tracks = tracks.map { track in
    let isTenfold = track.count > 1 && track[track.count - 1].time - track[0].time < .milliseconds(track.count * 500)
    return isTenfold ? stride(from: 0, to: track.count, by: 10).map { track[$0] } : track
  }
  var generator = SplitMix64(seed: 8)
  let bootstrap = BlockBootstrap(blockLength: 120)
  let kinds: [(String, Double, KeyPath<Coverage, Double>)] = [
    ("50", 50, \.inside50), ("68", 68.27, \.inside68), ("95", 95, \.inside95),
  ]
  for (name, meant, share) in kinds {
    let interval = bootstrap.interval(of: tracks, using: &generator) { Coverage($0)?[keyPath: share] }
    guard let value = Coverage(tracks.joined())?[keyPath: share], let interval else { continue }
    let bounds = "\(Figure.rounded(100 * interval.lowerBound)) to \(Figure.rounded(100 * interval.upperBound))"
    Figure(
      name: "all tracks, inside the \(name) % radius (\(bounds))", value: 100 * value, unit: "%", peer: "meant",
      peerValue: meant
    ).write()
  }
  for (index, fifth) in RadiusQuintile.all(of: tracks.joined()).enumerated() {
    Figure(
      name: "all tracks, inside the radius, fifth \(index + 1), to \(Figure.rounded(fifth.largestMeters)) m",
      value: 100 * fifth.coverage.inside68, unit: "%"
    ).write()
  }
}

private func cost(_ track: FusedTrack) -> Int32 {
  var answers = 0
  func pass() {
    var estimator = Estimator()
    for fix in track.fixes where estimator.handle(fix, at: fix.receivedAt) != nil { answers += 1 }
  }
  let time = ProcessTime.median { pass() }
  let count = Double(track.fixes.count)
  Figure(
    name: "an epoch of a stream that jumps", value: Double(time) / count / 1000, unit: "us", reach: 5
  ).write()
  guard CAllocationCounter_isAvailable() else { return 0 }
  CAllocationCounter_start()
  pass()
  let allocations = CAllocationCounter_stop()
  precondition(answers > 0, "nothing was answered")
  Figure(name: "allocations of that", value: Double(allocations) / count, unit: "per epoch", reach: 0).write()
  return allocations == 0 ? 0 : 1
}
