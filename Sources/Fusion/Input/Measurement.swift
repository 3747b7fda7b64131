import Geodesy

/// A satellite fix in the coordinates of a frame.
struct Measurement {
  /// On the estimator's time axis.
  var seconds: Double
  /// Meters east and north in the frame.
  var place: SIMD2<Double>
  /// Standard deviation of the position along either axis, meters.
  var sigma: Double
  /// Whether the receiver reports an accuracy that only carrier phase reaches.
  let isCertain: Bool
  /// Meters per second east and north; `nil` if none is reported.
  var velocity: SIMD2<Double>?
  /// Standard deviation of the velocity along either axis, m/s.
  var velocitySigma: Double
  /// Speed as reported, m/s.
  var speed: Double?
  /// East and north at the position.
  var axes: LocalAxes

  /// - Parameters:
  ///   - axes: east and north at the position.
  ///   - radius: 68 % radius of the position, meters.
  init(
    _ fix: PositionFix, _ axes: LocalAxes, radius: Double, seconds: Double, in frame: TangentFrame, _ tuning: Tuning
  ) {
    self.seconds = seconds
    self.axes = axes
    place = frame.offset(of: axes)
    let reported = radius / RadiusModel.sigmasOfRadius68
    isCertain = fix.horizontalRadiusBasis == .accuracy && reported < tuning.greatestCertainSigma
    sigma = max(isCertain ? tuning.leastCertainSigma : tuning.leastSigma, reported)
    speed = fix.speedMetersPerSecond
    velocitySigma = tuning.velocitySigma + tuning.velocitySigmaShare * sigma
    guard let speed else { return }
    if let reported = fix.speedRadius68MetersPerSecond { velocitySigma = max(tuning.leastVelocitySigma, reported) }
    if let course = fix.course {
      let c = course.radians
      velocity = frame.velocity(SIMD2(Math.sin(c), Math.cos(c)) * speed, at: axes)
    } else if speed < tuning.standingSpeed {
      // At standstill there is no course, and none is needed.
      velocity = .zero
    }
  }
}

extension PositionFix {
  /// Removes invalid numbers; throws if the position itself is invalid.
  mutating func check() throws(RejectionReason) {
    guard (-90...90).contains(coordinate.latitude.degrees), (-180...180).contains(coordinate.longitude.degrees),
      horizontalRadius68.value > 0, horizontalRadius68.value < .infinity
    else { throw .malformed }
    if let speed = speedMetersPerSecond, !(speed >= 0 && speed < .infinity) { speedMetersPerSecond = nil }
    if let radius = speedRadius68MetersPerSecond, !(radius > 0 && radius < .infinity) {
      speedRadius68MetersPerSecond = nil
    }
    if let reported = course, !(0...360).contains(reported.degrees) { course = nil }
    if let radius = courseRadius68, !(0...180).contains(radius.degrees) { courseRadius68 = nil }
    if let radius = verticalRadius68, !(radius.value > 0 && radius.value < .infinity) { verticalRadius68 = nil }
    if let height = heightAboveEllipsoid, !height.value.isFinite { heightAboveEllipsoid = nil }
    if let height = heightAboveMeanSeaLevel, !height.value.isFinite { heightAboveMeanSeaLevel = nil }
  }
}

/// Why a position was rejected.
package enum RejectionReason: UInt8, Error, Hashable, CaseIterable {
  /// A coordinate or a radius is not a number, or out of range.
  case malformed
  /// The time equals that of the previous position.
  case repeated
  /// The time is earlier than that of the previous position.
  case past
  /// The time is in the future: it has advanced further than the clock.
  case future
}

/// Puts positions on one time axis, in seconds since the first, and rejects those with an invalid time.
struct Sequence {
  /// Time of the newest satellite fix.
  private(set) var seconds = 0.0
  private var last: (time: GNSSTime, at: Instant)?
  /// Consecutive satellite fixes that were rejected.
  private var refused = 0

  /// Handles the time of the next satellite fix and returns its position on the axis. The fix's own time counts: a late fix is
  /// not treated as new.
  mutating func place(_ time: GNSSTime, at now: Instant, _ tuning: Tuning) throws(RejectionReason) -> Double {
    guard let last else {
      self.last = (time, now)
      return seconds
    }
    let step = (time - last.time).inSeconds
    let waited = max(0, (now - last.at).inSeconds)
    guard step != 0 else { throw .repeated }
    if step > 0, step <= waited + tuning.greatestLead {
      seconds += step
    } else {
      // A wrong clock is set once, and continues from there.
      refused += 1
      guard refused >= tuning.refusalsToBelieve, waited > 0 else { throw step < 0 ? .past : .future }
      seconds += waited
    }
    refused = 0
    self.last = (time, now)
    return seconds
  }

  /// The time of `now` on the axis: as long after the newest fix as `now` is after its arrival.
  func seconds(at now: Instant) -> Double {
    guard let last else { return seconds }
    return seconds + max(0, (now - last.at).inSeconds)
  }
}
