package import Geodesy
import WireFormats

/// A position from access points.
package struct WiFiPosition: Hashable, Sendable {
  package var coordinate: Coordinate
  /// 68 % radius, > 0.
  package var radius68: Meters
  /// When the position was true: when the newest of its observations was made.
  package var receivedAt: Instant
  /// Number of access points that it is computed from, ≥ 1.
  package var count: Int

  package init(coordinate: Coordinate, radius68: Meters, receivedAt: Instant, count: Int) {
    self.coordinate = coordinate
    self.radius68 = radius68
    self.receivedAt = receivedAt
    self.count = count
  }
}

/// Computes a position from the access points that the radio receives and their positions.
///
/// `Cluster` removes access points that are too far from the others to be received at one place. The answer is the mean
/// of `PathLossPosterior` over a coarse and then a fine grid; its radius follows from the spread of that, and from the
/// radii of the access points.
package struct WiFiSolver: Sendable {
  private let tuning: PositioningTuning.Solving

  /// R68 / σ of a normal error in two axes, √(−2 ln 0.3173).
  static let radiusOfDeviation = 1.515_194_760_017_979_8

  package init(_ tuning: PositioningTuning = .standard) { self.tuning = tuning.solving }

  /// The radio's position; `nil` if the position of no recently received access point is known, or if the positions contradict
  /// each other.
  ///
  /// - Parameters:
  ///   - observations: in any order; the newest one of each access point counts.
  ///   - places: positions of any of these access points, in any order.
  ///   - now: the time that the observations' ages refer to.
  ///   - speed: the machine's speed, m/s; `nil`: unknown.
  package func solve(
    _ observations: some Sequence<AccessPointObservation>, places: some Sequence<AccessPointPosition>, at now: Instant,
    speedMetersPerSecond speed: Double? = nil
  ) -> WiFiPosition? {
    let known = Dictionary(places.map { ($0.bssid, $0) }) { first, _ in first }
    let all = newest(observations, at: now)
    let received = all.compactMap { observation in
      known[observation.bssid].map { (observation: observation, place: $0) }
    }
    .sorted { strength($0.observation) > strength($1.observation) }.prefix(tuning.greatestCount)
    guard let strongest = received.first, let newest = received.map(\.observation.receivedAt).max() else { return nil }
    let frame = LocalFrame(origin: strongest.place.coordinate)
    let points = received.map { observation, place in
      point(
        observation, place, in: frame, age: (newest - observation.receivedAt).inSeconds, speed: speed ?? tuning.speed)
    }
    let cluster = Cluster.largest(of: points, within: tuning.greatestRange)
    guard !cluster.isEmpty else { return nil }
    let moments = moments(
      of: cluster, threshold: threshold(of: all.map(strength)), speed: speed ?? tuning.speed)
    return WiFiPosition(
      coordinate: frame.coordinate(at: .init(eastMeters: moments.mean.x, northMeters: moments.mean.y)),
      radius68: radius68(of: moments, by: cluster), receivedAt: newest, count: cluster.count)
  }

  /// The newest observation of each access point that is not too old, in order of their addresses.
  private func newest(_ observations: some Sequence<AccessPointObservation>, at now: Instant)
    -> [AccessPointObservation]
  {
    var newest: [BSSID: AccessPointObservation] = [:]
    for observation in observations where (now - observation.receivedAt).inSeconds <= tuning.greatestAge {
      if let other = newest[observation.bssid], other.receivedAt >= observation.receivedAt { continue }
      newest[observation.bssid] = observation
    }
    return newest.values.sorted { $0.bssid < $1.bssid }
  }

  private func strength(_ observation: AccessPointObservation) -> Double {
    observation.signalDecibelMilliwatts ?? tuning.unknownSignal
  }

  /// The signal below which nothing is received: that of the weakest access point if the driver reports a limited number.
  private func threshold(of signals: [Double]) -> Double {
    let weakest = signals.min() ?? tuning.threshold
    return signals.count < tuning.greatestCount ? min(weakest, tuning.threshold) : weakest
  }

  private func point(
    _ observation: AccessPointObservation, _ place: AccessPointPosition, in frame: LocalFrame, age: Double,
    speed: Double
  ) -> AccessPointAnchor {
    let offset = frame.offset(of: place.coordinate)
    let deviation = place.radius68.value / Self.radiusOfDeviation
    let way = speed * age
    let shadowing = observation.signalDecibelMilliwatts == nil ? tuning.unknownShadowing : tuning.shadowing
    return AccessPointAnchor(
      place: SIMD2(offset.eastMeters, offset.northMeters), variance: deviation * deviation + way * way / 2,
      radius: place.radius68.value, age: age,
      signal: strength(observation), signalVariance: shadowing * shadowing)
  }

  private func moments(of cluster: [AccessPointAnchor], threshold: Double, speed: Double) -> PathLossPosterior.Moments {
    let median = Cluster.geometricMedian(of: cluster, rounds: tuning.medianRounds)
    let scatter = cluster.reduce(0) { $0 + ($1.place - median).squaredLength } / Double(cluster.count)
    var posterior = PathLossPosterior(cluster, threshold: threshold, tuning)
    let width = tuning.margin + scatter.squareRoot()
    let coarse = posterior.moments(around: median, halfWidth: width, points: tuning.coarsePoints)
    if cluster.count > 2 { posterior.doubt(at: coarse.mean) }
    let fine = posterior.moments(
      around: coarse.mean, halfWidth: max(tuning.leastDistance, tuning.fineWidth * coarse.variance.squareRoot()),
      points: tuning.finePoints)
    return posterior.moved(fine, speed: speed)
  }

  private func radius68(of moments: PathLossPosterior.Moments, by cluster: [AccessPointAnchor]) -> Meters {
    let own = tuning.radiusScale * Self.radiusOfDeviation * moments.variance.squareRoot()
    let places = tuning.placeShare * cluster.map(\.radius).sorted()[cluster.count / 2]
    let radius = Math.hypot(Math.hypot(own, places), tuning.radiusFloor)
    return Meters(min(tuning.greatestRadius, max(tuning.leastRadius, radius)))
  }
}

/// A received access point of known position, in meters.
struct AccessPointAnchor {
  /// East and north.
  var place: SIMD2<Double>
  /// Variance per axis of its position, and of the machine's way from its observation to the newest one, m².
  var variance: Double
  /// 68 % radius of its position, meters.
  var radius: Double
  /// The time from its observation to the newest one, seconds, ≥ 0.
  var age: Double
  /// dBm.
  var signal: Double
  /// Variance of the signal, dB².
  var signalVariance: Double
}

extension SIMD2<Double> {
  var squaredLength: Double { x * x + y * y }
}

/// Selects, from access points received at once, those that can be at one place.
enum Cluster {
  /// The points around the one that has most others near it; of equals the strongest. Empty if the best two groups are apart
  /// and equally large: it is unknown then which one has moved.
  static func largest(of points: [AccessPointAnchor], within range: Double) -> [AccessPointAnchor] {
    let limit = range * range
    func isNear(_ a: AccessPointAnchor, _ b: AccessPointAnchor) -> Bool { (a.place - b.place).squaredLength <= limit }
    let supports = points.map { point in points.count { isNear(point, $0) } }
    guard
      let best = points.indices.max(by: {
        (supports[$0], points[$0].signal) < (supports[$1], points[$1].signal)
      })
    else { return [] }
    let isTied = points.indices.contains { supports[$0] == supports[best] && !isNear(points[$0], points[best]) }
    return isTied && supports[best] * 2 <= points.count ? [] : points.filter { isNear($0, points[best]) }
  }

  /// The point with the least sum of distances to all, by `rounds` of Weiszfeld's algorithm (1937) from the mean.
  static func geometricMedian(of points: [AccessPointAnchor], rounds: Int) -> SIMD2<Double> {
    var median = points.reduce(SIMD2<Double>.zero) { $0 + $1.place } / Double(max(1, points.count))
    for _ in 0..<rounds {
      var sum = SIMD2<Double>.zero
      var weights = 0.0
      for point in points {
        // Closer than a meter counts as one meter.
        let weight = 1 / max(1, (point.place - median).squaredLength.squareRoot())
        sum += point.place * weight
        weights += weight
      }
      median = sum / weights
    }
    return median
  }
}

/// A symmetric 2 × 2 matrix.
struct Symmetric2 {
  var xx = 0.0
  var xy = 0.0
  var yy = 0.0

  /// Adds weight · v vᵀ.
  mutating func add(_ v: SIMD2<Double>, _ weight: Double) {
    xx += weight * v.x * v.x
    xy += weight * v.x * v.y
    yy += weight * v.y * v.y
  }

  mutating func add(diagonal: Double) {
    xx += diagonal
    yy += diagonal
  }

  func plus(diagonal: Double) -> Symmetric2 { Symmetric2(xx: xx + diagonal, xy: xy, yy: yy + diagonal) }

  func minus(_ other: Symmetric2) -> Symmetric2 {
    Symmetric2(xx: xx - other.xx, xy: xy - other.xy, yy: yy - other.yy)
  }

  /// The inverse of a positive definite matrix.
  var inverse: Symmetric2 {
    let determinant = xx * yy - xy * xy
    return Symmetric2(xx: yy / determinant, xy: -xy / determinant, yy: xx / determinant)
  }

  static func * (a: Symmetric2, v: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(a.xx * v.x + a.xy * v.y, a.xy * v.x + a.yy * v.y)
  }

  /// self · `middle` · self: symmetric.
  func around(_ middle: Symmetric2) -> Symmetric2 {
    let (first, second) = (self * SIMD2(middle.xx, middle.xy), self * SIMD2(middle.xy, middle.yy))
    return Symmetric2(
      xx: first.x * xx + second.x * xy, xy: first.x * xy + second.x * yy, yy: first.y * xy + second.y * yy)
  }
}
