import Geodesy

/// The last fixes, and the way that they tell together.
struct FixMemory: Sendable {
  private(set) var fixes: [RememberedFix] = []
  private let tuning: RegionTuning

  /// The square of it is how often a coordinate lies within the standard deviation, for a radius of 68 %: √(−2 ln 0.32).
  private static let deviations = 1.51

  init(_ tuning: RegionTuning) { self.tuning = tuning }

  /// Takes the next fix; `false`, where it is none: out of order.
  ///
  /// - Parameter heard: what the receiver itself said, where the fix was made of that and others before it.
  mutating func add(_ fix: PositionFix, heard: PositionFix?) -> Bool {
    let point = Surface.point(fix.coordinate)
    let radius = fix.horizontalRadius68.value
    let deviation = radius / Self.deviations
    var next = RememberedFix(
      time: fix.time, point: point, heard: heard.map { Surface.point($0.coordinate) } ?? point,
      velocity: velocity(of: heard ?? fix),
      margin: max(tuning.leastMargin.value, tuning.margin * radius),
      sureMargin: max(tuning.leastMargin.value, tuning.sureMargin * radius), deviation: deviation,
      jumps: fixes.last?.jumps ?? deviation * deviation)
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
        next.jumps += (jump(from: last, to: next) - last.jumps) / tuning.varianceMemory
      } else {
        next.chain = last.chain + 1
      }
    }
    let wanted = min(max(Int(tuning.reach * scale(of: next)), tuning.memory.lowerBound), tuning.memory.upperBound)
    if fixes.count >= 2 * wanted { fixes.removeFirst(fixes.count - wanted) }
    fixes.append(next)
    return true
  }

  /// By how much what was heard went elsewhere than the speed tells: the variance of a coordinate, of two in each of two places. One
  /// that is far off says little of the others.
  private func jump(from last: RememberedFix, to next: RememberedFix) -> Double {
    let rest = (next.heard - last.heard) - (next.displacement - last.displacement)
    return min((rest * rest).sum() / 4, 9 * max(last.jumps, 0.01))
  }

  private func velocity(of fix: PositionFix) -> SIMD3<Double>? {
    guard let speed = fix.speedMetersPerSecond, speed.isFinite, speed >= 0 else { return nil }
    guard speed >= tuning.stillSpeed else { return .zero }
    guard let course = fix.course, course.degrees.isFinite else { return nil }
    let (east, north) = Surface.horizon(at: fix.coordinate)
    return east * (speed * Math.sin(course.radians)) + north * (speed * Math.cos(course.radians))
  }

  /// Over how many seconds to average: where each place is wrong by itself with the variance R, and what is common to them wanders
  /// with the variance q a second, a Kalman smoother weights those t seconds away with exp(−t √(q / R)).
  private func scale(of fix: RememberedFix) -> Double {
    max(1, (fix.jumps / tuning.wander).squareRoot())
  }

  /// Whether each place is wrong by itself, more than the radius of the fix that was made of them.
  func isJumping(_ fix: RememberedFix) -> Bool { fix.jumps > tuning.jumping * fix.deviation * fix.deviation }

  /// Where the device was at one of the fixes by that fix and those about it: taken back along the way that the speed tells, they
  /// all lie around one place that hardly moves.
  func smoothed(_ number: Int) -> SIMD3<Double> {
    let fix = fixes[number]
    let isJumping = isJumping(fix)
    let scale = scale(of: fix)
    var (weight, sum) = (0.0, SIMD3<Double>.zero)
    func take(_ other: RememberedFix) -> Bool {
      let seconds = abs((other.time - fix.time).inSeconds)
      guard other.chain == fix.chain, seconds < tuning.reach * scale else { return false }
      let share = Math.exp(-seconds / scale)
      weight += share
      // About the fix itself, so that no digits are lost.
      let place = (isJumping ? other.heard : other.point) - fix.point
      sum += share * (place - (other.displacement - fix.displacement))
      return true
    }
    var next = number
    while next < fixes.count, take(fixes[next]) { next += 1 }
    next = number - 1
    while next >= 0, take(fixes[next]) { next -= 1 }
    return weight > 0 ? fix.point + sum / weight : fix.point
  }
}
