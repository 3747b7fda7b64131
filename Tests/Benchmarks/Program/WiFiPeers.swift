import Geodesy
import Positioning
import WireFormats

/// Other methods with the same scans and access points, in meters: each returns `nil` for fewer than two known access points, as
/// its original does.
struct WiFiPeers {
  private let points: [(place: SIMD2<Double>, signal: Double, age: Double)]
  private let frame: LocalFrame

  init?(_ observations: [AccessPointObservation], _ places: [AccessPointPosition], at now: Instant) {
    guard let first = places.first, places.count >= 2 else { return nil }
    let frame = LocalFrame(origin: first.coordinate)
    self.frame = frame
    let known = Dictionary(places.map { ($0.bssid, $0.coordinate) }) { first, _ in first }
    points = observations.compactMap { observation in
      guard let coordinate = known[observation.bssid] else { return nil }
      let offset = frame.offset(of: coordinate)
      return (
        SIMD2(offset.eastMeters, offset.northMeters), observation.signalDecibelMilliwatts ?? -80,
        (now - observation.receivedAt).inSeconds
      )
    }
  }

  /// The point with the smallest sum of distances to all known access points.
  var geometricMedian: Coordinate {
    var median = points.reduce(SIMD2<Double>.zero) { $0 + $1.place } / Double(points.count)
    for _ in 0..<100 {
      var (sum, weights) = (SIMD2<Double>.zero, 0.0)
      for point in points {
        let weight = 1 / max(0.1, length(point.place - median))
        sum += point.place * weight
        weights += weight
      }
      median = sum / weights
    }
    return coordinate(median)
  }

  /// Mozilla's Ichnaea: complete-linkage clusters of 500 m with two access points or more; of the largest cluster at most 20
  /// access points; then the least squares Σ (distance · √(min(2 s / age, 1)) / signal²)², which has its minimum at the weighted
  /// mean.
  var ichnaea: Coordinate? {
    var clusters = points.indices.map { [$0] }
    while let (a, b) = nearest(clusters) {
      clusters[a] += clusters[b]
      clusters.remove(at: b)
    }
    guard let largest = clusters.max(by: { $0.count < $1.count }), largest.count >= 2 else { return nil }
    var (sum, weights) = (SIMD2<Double>.zero, 0.0)
    // Ichnaea keeps the access points with the lowest scores, which looks like an error: in its favor, the strongest are kept
    // here.
    for index in largest.sorted(by: { points[$0].signal > points[$1].signal }).prefix(20) {
      let point = points[index]
      let factor = min(1, (2 / max(0.001, point.age)).squareRoot()) / (point.signal * point.signal)
      sum += point.place * (factor * factor)
      weights += factor * factor
    }
    return coordinate(sum / weights)
  }

  /// The two clusters whose farthest points are nearest to each other, within 500 m.
  private func nearest(_ clusters: [[Int]]) -> (Int, Int)? {
    var best: (pair: (Int, Int), distance: Double)?
    for a in clusters.indices {
      for b in clusters.indices where b > a {
        var distance = 0.0
        for i in clusters[a] {
          for j in clusters[b] { distance = max(distance, length(points[i].place - points[j].place)) }
        }
        if distance <= 500, distance < best?.distance ?? .infinity { best = ((a, b), distance) }
      }
    }
    return best?.pair
  }

  private func length(_ v: SIMD2<Double>) -> Double { (v.x * v.x + v.y * v.y).squareRoot() }

  private func coordinate(_ place: SIMD2<Double>) -> Coordinate {
    frame.coordinate(at: .init(eastMeters: place.x, northMeters: place.y))
  }
}
