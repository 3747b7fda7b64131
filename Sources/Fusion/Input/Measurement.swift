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
