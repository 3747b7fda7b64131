import Geodesy
import LocationPolicy
import TestSupport

/// Visits of forty simulated weeks, with other seeds than those of the tests.
func visitBenchmark() -> Int32 {
  for (kind, name) in [(WeekSensor.Kind.satellites, "by satellites"), (.wifi, "by Wi-Fi alone")] {
    let seeds: Range<UInt64> = 1000..<1040
    let ours = VisitScore(kind, seeds: seeds, VisitScore.detected)
    let theirs = VisitScore(kind, seeds: seeds, stayPoints)
    func send(_ what: String, _ unit: String, _ reach: Double, _ value: (VisitScore) -> Double) {
      Figure(
        name: "visits \(name): \(what)", value: value(ours), unit: unit, reach: reach, peer: "stay points",
        peerValue: value(theirs)
      ).write()
    }
    send("not found", "%", 3) { 100 * (1 - $0.recall) }
    send("found where nobody stayed, an hour on the way", "", 0.2) { $0.inventionsAnHour }
    send("error of the arrival, median", "s", 30) { $0.arrivalError }
  }
  return 0
}

/// Li, Zheng, Xie, Chen, Liu, Ma: "Mining user similarity based on location history" (2008), with 100 m and 10 min, the best of
/// three variants, translated to Core Location's terms (a stay begins with its first fix).
private func stayPoints(_ fixes: [PositionFix]) -> [Visit] {
  var visits: [Visit] = []
  var first = fixes.startIndex
  while first < fixes.endIndex {
    let frame = LocalFrame(origin: fixes[first].coordinate)
    var end = first + 1
    while end < fixes.endIndex, frame.offset(of: fixes[end].coordinate).length <= Meters(100) { end += 1 }
    let stay = fixes[first..<end]
    if let last = stay.last, last.time - fixes[first].time >= .seconds(600) {
      let offsets = stay.map { frame.offset(of: $0.coordinate) }
      let count = Double(stay.count)
      let mean = LocalFrame.Offset(
        eastMeters: offsets.reduce(0) { $0 + $1.eastMeters } / count,
        northMeters: offsets.reduce(0) { $0 + $1.northMeters } / count)
      visits.append(
        Visit(
          coordinate: frame.coordinate(at: mean), horizontalRadius68: Meters(100), arrival: fixes[first].time,
          departure: last.time))
      first = end
    } else {
      first += 1
    }
  }
  return visits
}
