/// Which of the places that were heard at once can be of one place.
enum Cluster {
  /// The points around the one that has most others near it; of equals the strongest. Empty where the best two groups are
  /// elsewhere and equally large, so that nobody knows which one has moved.
  static func largest(of points: [HeardPoint], within range: Double) -> [HeardPoint] {
    let limit = range * range
    func isNear(_ a: HeardPoint, _ b: HeardPoint) -> Bool { (a.place - b.place).squaredLength <= limit }
    let supports = points.map { point in points.count { isNear(point, $0) } }
    guard
      let best = points.indices.max(by: {
        (supports[$0], points[$0].signal) < (supports[$1], points[$1].signal)
      })
    else { return [] }
    let isTied = points.indices.contains { supports[$0] == supports[best] && !isNear(points[$0], points[best]) }
    return isTied && supports[best] * 2 <= points.count ? [] : points.filter { isNear($0, points[best]) }
  }

  /// The point with the least sum of distances to all, by so many rounds of Weiszfeld's algorithm (1937) from the mean.
  static func geometricMedian(of points: [HeardPoint], rounds: Int) -> SIMD2<Double> {
    var median = points.reduce(SIMD2<Double>.zero) { $0 + $1.place } / Double(max(1, points.count))
    for _ in 0..<rounds {
      var sum = SIMD2<Double>.zero
      var weights = 0.0
      for point in points {
        // Within a metre it is there.
        let weight = 1 / max(1, (point.place - median).squaredLength.squareRoot())
        sum += point.place * weight
        weights += weight
      }
      median = sum / weights
    }
    return median
  }
}
