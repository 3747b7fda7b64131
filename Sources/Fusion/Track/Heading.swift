import Geodesy

/// Speed and course of a velocity, and their radii.
enum Heading {
  /// Below this speed a course is noise, m/s; the same value as `FixBuilder.slowestCourse`.
  static let slowestCourse = 0.3

  /// Sets speed and course of a fix from a velocity of this frame. `radius68`: error of the velocity along and across, m/s.
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

  /// Adds radii to a reported velocity if the receiver does not report them. If the receiver reports no velocity, the
  /// fix gets that of `state` if it is accurate enough.
  static func complete(
    _ fix: inout PositionFix, _ new: Measurement, _ state: StateEstimate, in frame: TangentFrame, _ tuning: Tuning
  ) {
    guard let speed = fix.speedMetersPerSecond else {
      guard state.velocityVariance < tuning.greatestVelocitySigma * tuning.greatestVelocitySigma else { return }
      let radius = RadiusModel.speedOfTrack(state, hasVelocity: false, tuning.radius)
      set(state.velocity, radius68: radius, in: frame, of: &fix)
      return
    }
    let radius =
      fix.speedRadius68MetersPerSecond ?? (tuning.radius.speed + tuning.radius.speedShare * new.sigma)
    fix.speedRadius68MetersPerSecond = radius
    if fix.course != nil, fix.courseRadius68 == nil {
      fix.courseRadius68 = courseRadius(speed: speed, radius68: radius)
    }
  }

  /// The 68 % half-width of a course: the angle of the velocity's cross-track error at this speed.
  private static func courseRadius(speed: Double, radius68: Double) -> Angle {
    Angle(radians: Math.atan2(radius68, speed))
  }
}
