import Geodesy

/// The last fixes, and the path that they describe together.
struct FixMemory: Sendable {
  private(set) var fixes: [RememberedFix] = []
  /// The averaged position at the time of the newest fix; `nil` until `average` is called after that fix.
  private(set) var newestMean: SIMD3<Double>?
  private let tuning: RegionTuning

  /// The ratio of a 68 % radius to the standard deviation of one coordinate: √(−2 ln 0.32).
  private static let deviations = 1.51

  init(_ tuning: RegionTuning) { self.tuning = tuning }

  /// Adds the next fix; returns `false` if it is out of order and was ignored.
  ///
  /// - Parameter received: the receiver's own fix, if `fix` was computed from that and others before it.
  mutating func add(_ fix: PositionFix, received: PositionFix?) -> Bool {
    newestMean = nil
    let point = Surface.point(fix.coordinate)
    let radius = fix.horizontalRadius68.value
    let receivedDeviation = (received ?? fix).horizontalRadius68.value / Self.deviations
    var next = RememberedFix(
      time: fix.time, point: point, received: received.map { Surface.point($0.coordinate) } ?? point,
      velocity: received.flatMap(velocity) ?? velocity(of: fix),
      margin: max(tuning.leastMargin.value, tuning.margin * radius),
      sureMargin: max(tuning.leastMargin.value, tuning.sureMargin * radius), deviation: radius / Self.deviations,
      receivedDeviation: receivedDeviation, jumps: receivedDeviation * receivedDeviation, chainStart: fix.time)
    if let last = fixes.last {
      let step = fix.time - last.time
      if step <= .zero {
        // If a clock that was wrong has been set back, do not ignore fixes until it reaches the old time again.
        guard step < .zero - tuning.stay else { return false }
        fixes = []
      } else if step > tuning.gap {
        (next.chain, next.isAfterGap) = (last.chain + 1, true)
      } else if let before = last.velocity, let now = next.velocity {
        (next.chain, next.chainStart) = (last.chain, last.chainStart)
        next.displacement = last.displacement + (before + now) * (step.inSeconds / 2)
        next.jumps = last.jumps + (jump(from: last, to: next) - last.jumps) / tuning.varianceMemory
      } else {
        next.chain = last.chain + 1
      }
    }
    // The number of fixes at one per second; it is bounded because the radius may be of any size.
    let wanted = max(
      tuning.memory.lowerBound, Int(min(tuning.reach * scale(of: next), Double(tuning.memory.upperBound))))
    if fixes.count >= 2 * wanted { fixes.removeFirst(fixes.count - wanted) }
    fixes.append(next)
    return true
  }

  /// The variance of one coordinate of the receiver's positions against the path that the speed describes; the difference contains
  /// two coordinates of two positions each, hence 4. Outliers are limited so that one of them does not dominate the others.
  private func jump(from last: RememberedFix, to next: RememberedFix) -> Double {
    let rest = (next.received - last.received) - (next.displacement - last.displacement)
    return min(rest.dot(rest) / 4, 9 * max(last.jumps, 0.01))
  }

  private func velocity(of fix: PositionFix) -> SIMD3<Double>? {
    guard let speed = fix.speedMetersPerSecond, speed.isFinite, speed >= 0 else { return nil }
    guard speed >= tuning.stillSpeed else { return .zero }
    guard let course = fix.course, course.degrees.isFinite else { return nil }
    let (east, north) = Surface.horizon(at: fix.coordinate)
    return east * (speed * Math.sin(course.radians)) + north * (speed * Math.cos(course.radians))
  }

  /// The averaging time in seconds. If each position, one per second, has an independent error of variance R, and their common
  /// error gains the variance q per second, a Kalman smoother weights the positions t seconds away by exp(−t √(q / R)).
  private func scale(of fix: RememberedFix) -> Double {
    max(1, (fix.jumps / tuning.wander).squareRoot())
  }

  /// Whether the independent errors of the receiver's positions are much larger than the radius of `fix` implies. `fix` may be
  /// computed from several of those positions.
  func isJumping(_ fix: RememberedFix) -> Bool { fix.jumps > tuning.jumping * fix.deviation * fix.deviation }

  /// Computes `newestMean`.
  mutating func average() { newestMean = smoothed(fixes.count - 1) }

  /// The position at one of the fixes, averaged from that fix and its neighbors: after subtracting the path that the speed
  /// describes, they all lie around one point that hardly moves. The newest fix decides which positions are averaged, and over how
  /// long.
  func smoothed(_ number: Int) -> SIMD3<Double> {
    guard let newest = fixes.last else { return .zero }
    let fix = fixes[number]
    let isJumping = isJumping(newest)
    let scale = scale(of: newest)
    var (weight, sum) = (0.0, SIMD3<Double>.zero)
    func receive(_ other: RememberedFix) -> Bool {
      let seconds = abs((other.time - fix.time).inSeconds)
      guard other.chain == fix.chain, seconds < tuning.reach * scale else { return false }
      let (place, deviation) = isJumping ? (other.received, other.receivedDeviation) : (other.point, other.deviation)
      let share = Math.exp(-seconds / scale) / max(0.01, deviation * deviation)
      weight += share
      // Relative to the fix itself, so that no digits are lost.
      sum += share * ((place - fix.point) - (other.displacement - fix.displacement))
      return true
    }
    var next = number
    while next < fixes.count, receive(fixes[next]) { next += 1 }
    next = number - 1
    while next >= 0, receive(fixes[next]) { next -= 1 }
    return weight > 0 ? fix.point + sum / weight : fix.point
  }
}

/// The part of an earlier fix that detecting crossings needs.
struct RememberedFix: Sendable {
  var time: GNSSTime
  /// Point on the surface, meters.
  var point: SIMD3<Double>
  /// The receiver's own position.
  var received: SIMD3<Double>
  /// Meters per second; `nil`: unknown.
  var velocity: SIMD3<Double>?
  /// The least distance, meters, at which the fix counts together with other evidence: nearer to a border it decides no side.
  var margin: Double
  /// The distance, meters, at which the fix decides without other evidence.
  var sureMargin: Double
  /// Standard deviation of either coordinate, meters: of `point`, and of the receiver's own position.
  var deviation: Double
  var receivedDeviation: Double
  /// Variance of either coordinate of the receiver's own positions, m², computed from their jumps.
  var jumps: Double
  /// The time of the first fix of its chain.
  var chainStart: GNSSTime
  /// The displacement since the first fix of its chain, computed from speed and course, meters.
  var displacement = SIMD3<Double>.zero
  /// Fixes belong to one chain as long as their speed describes the path from one to the next.
  var chain = 0
  /// Whether the fix begins a chain because of a gap.
  var isAfterGap = false
}
