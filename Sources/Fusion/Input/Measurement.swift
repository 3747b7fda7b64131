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

  /// - Parameter radius: 68 % radius of the place, metres.
  init(_ fix: PositionFix, radius: Double, seconds: Double, in frame: TangentFrame, _ tuning: Tuning) {
    self.seconds = seconds
    (place, axes) = frame.offset(of: fix.coordinate)
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
  /// The fix without what is no number; throws where the position itself is none.
  func checked() throws(Refusal) -> PositionFix {
    guard (-90...90).contains(coordinate.latitude.degrees), (-180...180).contains(coordinate.longitude.degrees),
      horizontalRadius68.value > 0, horizontalRadius68.value < .infinity
    else { throw .malformed }
    var fix = self
    if let speed = fix.speedMetersPerSecond, !(speed >= 0 && speed < .infinity) { fix.speedMetersPerSecond = nil }
    if let radius = fix.speedRadius68MetersPerSecond, !(radius > 0 && radius < .infinity) {
      fix.speedRadius68MetersPerSecond = nil
    }
    if let course = fix.course, !(0...360).contains(course.degrees) { fix.course = nil }
    if let radius = fix.courseRadius68, !(0...180).contains(radius.degrees) { fix.courseRadius68 = nil }
    if let radius = fix.verticalRadius68, !(radius.value > 0 && radius.value < .infinity) { fix.verticalRadius68 = nil }
    if let height = fix.heightAboveEllipsoid, !height.value.isFinite { fix.heightAboveEllipsoid = nil }
    if let height = fix.heightAboveMeanSeaLevel, !height.value.isFinite { fix.heightAboveMeanSeaLevel = nil }
    return fix
  }
}
