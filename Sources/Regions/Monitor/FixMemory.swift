import Geodesy

/// The last fixes, and the way that they tell together.
struct FixMemory: Sendable {
  private(set) var fixes: [RememberedFix] = []
  /// Where the device is by all of them, after `average`.
  private(set) var newestMean: SIMD3<Double>?
  private let tuning: RegionTuning

  /// The square of it is how often a coordinate lies within the standard deviation, for a radius of 68 %: √(−2 ln 0.32).
  private static let deviations = 1.51

  init(_ tuning: RegionTuning) { self.tuning = tuning }

  /// Takes the next fix; `false`, where it is none: out of order.
  ///
  /// - Parameter heard: what the receiver itself said, where the fix was made of that and others before it.
  mutating func add(_ fix: PositionFix, heard: PositionFix?) -> Bool {
    newestMean = nil
    let point = Surface.point(fix.coordinate)
    let radius = fix.horizontalRadius68.value
    let heardDeviation = (heard ?? fix).horizontalRadius68.value / Self.deviations
    var next = RememberedFix(
      time: fix.time, point: point, heard: heard.map { Surface.point($0.coordinate) } ?? point,
      velocity: heard.flatMap(velocity) ?? velocity(of: fix),
      margin: max(tuning.leastMargin.value, tuning.margin * radius),
      sureMargin: max(tuning.leastMargin.value, tuning.sureMargin * radius), deviation: radius / Self.deviations,
      heardDeviation: heardDeviation, jumps: heardDeviation * heardDeviation, chainStart: fix.time)
    if let last = fixes.last {
      let step = fix.time - last.time
      if step <= .zero {
        // A clock that was wrong and has been set back is no reason to be deaf until it is there again.
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
    // At one a second; and a radius may be of any size.
    let wanted = max(
      tuning.memory.lowerBound, Int(min(tuning.reach * scale(of: next), Double(tuning.memory.upperBound))))
    if fixes.count >= 2 * wanted { fixes.removeFirst(fixes.count - wanted) }
    fixes.append(next)
    return true
  }

  /// By how much what was heard went elsewhere than the speed tells: the variance of a coordinate, of two in each of two places. One
  /// that is far off says little of the others.
  private func jump(from last: RememberedFix, to next: RememberedFix) -> Double {
    let rest = (next.heard - last.heard) - (next.displacement - last.displacement)
    return min(rest.dot(rest) / 4, 9 * max(last.jumps, 0.01))
  }

  private func velocity(of fix: PositionFix) -> SIMD3<Double>? {
    guard let speed = fix.speedMetersPerSecond, speed.isFinite, speed >= 0 else { return nil }
    guard speed >= tuning.stillSpeed else { return .zero }
    guard let course = fix.course, course.degrees.isFinite else { return nil }
    let (east, north) = Surface.horizon(at: fix.coordinate)
    return east * (speed * Math.sin(course.radians)) + north * (speed * Math.cos(course.radians))
  }

  /// Over how many seconds to average: where each of the places, one a second, is wrong by itself with the variance R, and what is
  /// common to them wanders with the variance q a second, a Kalman smoother weights those t seconds away with exp(−t √(q / R)).
  private func scale(of fix: RememberedFix) -> Double {
    max(1, (fix.jumps / tuning.wander).squareRoot())
  }

  /// Whether each place is wrong by itself, more than the radius of the fix that was made of them.
  func isJumping(_ fix: RememberedFix) -> Bool { fix.jumps > tuning.jumping * fix.deviation * fix.deviation }

  /// Finds `newestMean`.
  mutating func average() { newestMean = smoothed(fixes.count - 1) }

  /// Where the device was at one of the fixes by that fix and those about it: taken back along the way that the speed tells, they
  /// all lie around one place that hardly moves. What is averaged, and over how long, the newest fix says.
  func smoothed(_ number: Int) -> SIMD3<Double> {
    guard let newest = fixes.last else { return .zero }
    let fix = fixes[number]
    let isJumping = isJumping(newest)
    let scale = scale(of: newest)
    var (weight, sum) = (0.0, SIMD3<Double>.zero)
    func take(_ other: RememberedFix) -> Bool {
      let seconds = abs((other.time - fix.time).inSeconds)
      guard other.chain == fix.chain, seconds < tuning.reach * scale else { return false }
      let (place, deviation) = isJumping ? (other.heard, other.heardDeviation) : (other.point, other.deviation)
      let share = Math.exp(-seconds / scale) / max(0.01, deviation * deviation)
      weight += share
      // About the fix itself, so that no digits are lost.
      sum += share * ((place - fix.point) - (other.displacement - fix.displacement))
      return true
    }
    var next = number
    while next < fixes.count, take(fixes[next]) { next += 1 }
    next = number - 1
    while next >= 0, take(fixes[next]) { next -= 1 }
    return weight > 0 ? fix.point + sum / weight : fix.point
  }
}

/// What a crossing takes of a fix that has been.
struct RememberedFix: Sendable {
  var time: GNSSTime
  /// Of the surface, metres.
  var point: SIMD3<Double>
  /// Where its receiver itself said that it is.
  var heard: SIMD3<Double>
  /// Metres per second; `nil`: not known.
  var velocity: SIMD3<Double>?
  /// Metres that count beside it: nothing nearer to a border says on which side it is.
  var margin: Double
  /// Metres that say so without anything else.
  var sureMargin: Double
  /// Standard deviation of either coordinate, metres, and of what was heard.
  var deviation: Double
  var heardDeviation: Double
  /// Variance of either coordinate of what was heard, m², as it shows from one to the next.
  var jumps: Double
  /// When the first of its chain was.
  var chainStart: GNSSTime
  /// How far it has come by its speed since the first of its chain, metres.
  var displacement = SIMD3<Double>.zero
  /// Fixes follow each other in a chain while their speed tells how they got from one to the next.
  var chain = 0
  /// Whether it begins a chain because of a gap.
  var isAfterGap = false
}
