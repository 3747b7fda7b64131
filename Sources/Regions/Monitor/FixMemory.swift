import Geodesy

/// The last fixes, and the way that they tell together.
struct FixMemory: Sendable {
  private(set) var fixes: [RememberedFix] = []
  private let tuning: RegionTuning

  /// The square of it is how often a coordinate lies within the standard deviation, for a radius of 68 %: √(−2 ln 0.32).
  private static let deviations = 1.51

  init(_ tuning: RegionTuning) { self.tuning = tuning }

  /// Takes the next fix; `false`, where it is none: out of order.
  mutating func add(_ fix: PositionFix) -> Bool {
    let point = Surface.point(fix.coordinate)
    let radius = fix.horizontalRadius68.value
    var next = RememberedFix(
      time: fix.time, point: point, velocity: velocity(of: fix),
      margin: max(tuning.leastMargin.value, tuning.margin * radius),
      sureMargin: max(tuning.leastMargin.value, tuning.sureMargin * radius), deviation: radius / Self.deviations)
    if let last = fixes.last {
      let step = fix.time - last.time
      if step <= .zero {
        // A clock that was wrong and has been set back is no reason to be deaf until it is there again.
        guard step < .zero - tuning.stay else { return false }
        fixes = []
      } else if step > tuning.gap {
        (next.chain, next.isAfterGap) = (last.chain + 1, true)
      } else if let before = last.velocity, let now = next.velocity {
        next.chain = last.chain
        next.displacement = last.displacement + (before + now) * (step.inSeconds / 2)
      } else {
        next.chain = last.chain + 1
      }
    }
    if fixes.count >= 2 * tuning.memory { fixes.removeFirst(tuning.memory) }
    fixes.append(next)
    return true
  }

  private func velocity(of fix: PositionFix) -> SIMD3<Double>? {
    guard let speed = fix.speedMetersPerSecond, speed.isFinite, speed >= 0 else { return nil }
    guard speed >= tuning.stillSpeed else { return .zero }
    guard let course = fix.course, course.degrees.isFinite else { return nil }
    let (east, north) = Surface.horizon(at: fix.coordinate)
    return east * (speed * Math.sin(course.radians)) + north * (speed * Math.cos(course.radians))
  }

  /// Where the device was at one of the fixes by that fix and those about it: what is left when each is taken back along the way
  /// that the speed tells lies around one place, and a line through it, weighted by time and radius, is where that was.
  func smoothed(_ number: Int) -> SIMD3<Double> {
    let fix = fixes[number]
    let half = min(max(fix.deviation / tuning.speedNoise, tuning.averaging.lowerBound), tuning.averaging.upperBound)
    var (weight, timeSum, timeSquares) = (0.0, 0.0, 0.0)
    var (sum, product) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    func take(_ other: RememberedFix) -> Bool {
      let seconds = (other.time - fix.time).inSeconds
      guard other.chain == fix.chain, abs(seconds) < half else { return false }
      let share = (1 - abs(seconds) / half) / max(0.01, other.deviation * other.deviation)
      // About the fix itself, so that no digits are lost.
      let rest = (other.point - fix.point) - (other.displacement - fix.displacement)
      weight += share
      timeSum += share * seconds
      timeSquares += share * seconds * seconds
      sum += share * rest
      product += share * seconds * rest
      return true
    }
    var next = number
    while next < fixes.count, take(fixes[next]) { next += 1 }
    next = number - 1
    while next >= 0, take(fixes[next]) { next -= 1 }
    guard weight > 0 else { return fix.point }
    // Along a way that the speed tells, what is left hardly drifts; without one it moves as the device does.
    if fix.velocity != nil { timeSquares += 1 / (tuning.drift * tuning.drift) }
    let spread = timeSquares * weight - timeSum * timeSum
    // A line needs more than two places of time.
    guard spread > 1e-3 * weight * weight else { return fix.point + sum / weight }
    return fix.point + (sum * timeSquares - product * timeSum) / spread
  }
}
