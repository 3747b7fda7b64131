import Geodesy

/// A satellite fix in the metres of a frame.
struct Measurement {
  /// On the estimator's axis of time.
  var seconds: Double
  /// Metres east and north in the frame.
  var place: SIMD2<Double>
  /// Standard deviation of the place along either axis, metres.
  var sigma: Double
  /// Whether the receiver reports an accuracy that only carrier phase reaches.
  let isCertain: Bool
  /// Metres per second east and north; `nil` where none is told.
  var velocity: SIMD2<Double>?
  /// Standard deviation of the velocity along either axis, m/s.
  var velocitySigma: Double
  /// Speed as told, m/s.
  var speed: Double?
  /// East and north where it is.
  var axes: LocalAxes

  /// - Parameters:
  ///   - axes: east and north at the place.
  ///   - radius: 68 % radius of the place, metres.
  init(
    _ fix: PositionFix, _ axes: LocalAxes, radius: Double, seconds: Double, in frame: TangentFrame, _ tuning: Tuning
  ) {
    self.seconds = seconds
    self.axes = axes
    place = frame.offset(of: axes)
    let told = radius / RadiusModel.sigmasOfRadius68
    isCertain = fix.horizontalRadiusBasis == .accuracy && told < tuning.greatestCertainSigma
    sigma = max(isCertain ? tuning.leastCertainSigma : tuning.leastSigma, told)
    speed = fix.speedMetersPerSecond
    velocitySigma = tuning.velocitySigma + tuning.velocitySigmaShare * sigma
    guard let speed else { return }
    if let told = fix.speedRadius68MetersPerSecond { velocitySigma = max(tuning.leastVelocitySigma, told) }
    if let course = fix.course {
      let c = course.radians
      velocity = frame.velocity(SIMD2(Math.sin(c), Math.cos(c)) * speed, at: axes)
    } else if speed < tuning.standingSpeed {
      // What stands has no course, and needs none.
      velocity = .zero
    }
  }
}

extension PositionFix {
  /// Takes out what is no number; throws where the position itself is none.
  mutating func check() throws(Refusal) {
    guard (-90...90).contains(coordinate.latitude.degrees), (-180...180).contains(coordinate.longitude.degrees),
      horizontalRadius68.value > 0, horizontalRadius68.value < .infinity
    else { throw .malformed }
    if let speed = speedMetersPerSecond, !(speed >= 0 && speed < .infinity) { speedMetersPerSecond = nil }
    if let radius = speedRadius68MetersPerSecond, !(radius > 0 && radius < .infinity) {
      speedRadius68MetersPerSecond = nil
    }
    if let told = course, !(0...360).contains(told.degrees) { course = nil }
    if let radius = courseRadius68, !(0...180).contains(radius.degrees) { courseRadius68 = nil }
    if let radius = verticalRadius68, !(radius.value > 0 && radius.value < .infinity) { verticalRadius68 = nil }
    if let height = heightAboveEllipsoid, !height.value.isFinite { heightAboveEllipsoid = nil }
    if let height = heightAboveMeanSeaLevel, !height.value.isFinite { heightAboveMeanSeaLevel = nil }
  }
}

/// Why a position was not used.
package enum Refusal: UInt8, Error, Hashable, CaseIterable {
  /// A coordinate or a radius that is no number, or out of range.
  case malformed
  /// Of the same moment as the one before.
  case repeated
  /// Of an earlier moment than the one before.
  case past
  /// Of a moment that cannot have come yet: its time has gone further than the clock.
  case future
}

/// Puts positions on one axis of time, in seconds since the first, and refuses those that do not belong there.
struct Sequence {
  /// Where the newest satellite fix lies.
  private(set) var seconds = 0.0
  private var last: (time: GNSSTime, at: Instant)?
  /// Satellite fixes in a row that were refused.
  private var refused = 0

  /// Takes the next satellite fix and says where it lies. Its own time counts: one that comes late is not taken for new.
  mutating func place(_ time: GNSSTime, at now: Instant, _ tuning: Tuning) throws(Refusal) -> Double {
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
      // A clock that was wrong is set once, and goes on from there.
      refused += 1
      guard refused >= tuning.refusalsToBelieve, waited > 0 else { throw step < 0 ? .past : .future }
      seconds += waited
    }
    refused = 0
    self.last = (time, now)
    return seconds
  }

  /// Where `now` lies: as far behind the newest fix as it came before.
  func seconds(at now: Instant) -> Double {
    guard let last else { return seconds }
    return seconds + max(0, (now - last.at).inSeconds)
  }
}
