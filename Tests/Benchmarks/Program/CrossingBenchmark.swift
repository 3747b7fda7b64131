import Geodesy
import TestSupport

/// Crossings of circles on simulated and recorded drives, compared with a test of each single fix.
///
/// - Parameter hasRecorded: whether there are recorded drives; if not, only the simulated ones are used.
func crossingBenchmark(hasRecorded: Bool) throws -> Int32 {
  var drives: [(name: String, drives: [TrueDrive], circles: Int)] = [
    ("simulated", (101...140).map { TrueDrive(seed: $0) }, 60)
  ]
  if hasRecorded {
    drives.append(("in a car", [try TrueDrive(table: "mtv_f9k_rtk")], 300))
    drives.append(("among high houses", [try TrueDrive(table: "nagoya_gtsam_spp")], 300))
  }
  for (name, ways, circles) in drives {
    for noise in [0.0, 20, 50] {
      var (ours, theirs) = (CrossingFigures(), CrossingFigures())
      for (number, way) in ways.enumerated() {
        let seed = UInt64(number + 101)
        let noisy = way.with(noise: noise, seed: seed)
        try ours.receive(noisy, circles: circles, seed: seed)
        try theirs.receive(noisy, circles: circles, seed: seed, notifier: .naive)
      }
      func send(_ what: String, _ unit: String, _ reach: Double, _ value: (CrossingFigures) -> Double) {
        Figure(
          name: "\(ours.crossings) crossings \(name), noise \(Int(noise)) m: \(what)", value: value(ours), unit: unit,
          reach: reach, peer: "each fix by itself", peerValue: value(theirs)
        ).write()
      }
      send("told, but none there", "", 0) { Double($0.extra) }
      send("missed, more than a radius of the fixes deep", "", 0) { Double($0.missed) }
      send("missed, more than a radius of the estimates deep", "", 0) { Double($0.missedByEstimate) }
      send("time of the crossing wrong by, p95", "s", 1) { CrossingFigures.p(95, $0.timeErrors) }
      send("told after so many metres of way, p95", "m", 3 * Math.hypot(noise, 3) + 20) {
        CrossingFigures.p(95, $0.addedMeters)
      }
    }
  }
  var gaps = CrossingFigures()
  for speed in [4.0, 8, 12, 16] { try gaps.receive(.inParts(at: speed), circles: 100, seed: UInt64(speed)) }
  Figure(
    name: "\(gaps.crossings) crossings, half a minute of each without a fix: time of the crossing wrong by, p95",
    value: CrossingFigures.p(95, gaps.timeErrors), unit: "s", reach: 1, peer: nil, peerValue: nil
  ).write()
  return 0
}
