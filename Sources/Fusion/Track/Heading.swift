import Geodesy

/// Speed and course of a velocity, and what they are worth.
enum Heading {
  /// Below this speed a course is noise, m/s. `FixBuilder.slowestCourse`.
  static let slowestCourse = 0.3

  /// Writes a velocity of this frame, known to `radius68` along and across, m/s, into a fix.
  static func set(
    _ velocity: SIMD2<Double>, radius68: Double, in frame: TangentFrame, of fix: inout PositionFix
  ) {
    let v = frame.velocity(velocity, seenAt: LocalAxes(at: fix.coordinate))
    let speed = v.length
    fix.speedMetersPerSecond = speed
    fix.speedRadius68MetersPerSecond = radius68
    guard speed >= max(slowestCourse, radius68) else {
      fix.course = nil
      fix.courseRadius68 = nil
      return
    }
    let degrees = Angle(radians: Math.atan2(v.x, v.y)).degrees
    let course = degrees < 0 ? degrees + 360 : degrees
    fix.course = Angle(degrees: course < 360 ? course : 0)
    fix.courseRadius68 = courseRadius(speed: speed, radius68: radius68)
  }

  /// Adds to a told velocity what it is worth, where the receiver does not say; one that it does not tell it is given, where
  /// `belief` knows it.
  static func complete(
    _ fix: inout PositionFix, _ new: Measurement, _ belief: Belief, in frame: TangentFrame, _ tuning: Tuning
  ) {
    guard let speed = fix.speedMetersPerSecond else {
      guard belief.velocityVariance < tuning.greatestVelocitySigma * tuning.greatestVelocitySigma else { return }
      let radius = RadiusModel.speedOfTrack(belief, hasVelocity: false, tuning.radius)
      set(belief.velocity, radius68: radius, in: frame, of: &fix)
      return
    }
    let radius =
      fix.speedRadius68MetersPerSecond ?? (tuning.radius.speed + tuning.radius.speedShare * new.sigma)
    fix.speedRadius68MetersPerSecond = radius
    if fix.course != nil, fix.courseRadius68 == nil {
      fix.courseRadius68 = courseRadius(speed: speed, radius68: radius)
    }
  }

  /// The 68 % half-width of a course: that of the velocity across the way, seen from so fast.
  private static func courseRadius(speed: Double, radius68: Double) -> Angle {
    Angle(radians: Math.atan2(radius68, speed))
  }
}
