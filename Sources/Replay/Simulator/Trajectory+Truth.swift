import Geodesy

extension Trajectory {
  /// Position and motion `elapsed` after power-on.
  func truth(after elapsed: Duration, geoidSeparation: Meters) -> SimulatedTruth {
    let seconds = elapsed.inSeconds
    switch self {
    case .stationary(let position):
      return SimulatedTruth(
        position: position, geoidSeparation: geoidSeparation, velocityNorth: 0, velocityEast: 0,
        speedMetersPerSecond: 0, course: nil)
    case .line(let from, let course, let speed):
      let (sine, cosine) = (Math.sin(course.radians), Math.cos(course.radians))
      return Self.moving(
        from.moved(north: cosine * speed * seconds, east: sine * speed * seconds), geoidSeparation,
        north: cosine * speed, east: sine * speed, speed: speed, course: course.degrees)
    case .circle(let center, let radius, let speed):
      guard radius.value > 0 else {
        return Trajectory.stationary(at: center).truth(after: elapsed, geoidSeparation: geoidSeparation)
      }
      let bearing = speed * seconds / radius.value
      let (sine, cosine) = (Math.sin(bearing), Math.cos(bearing))
      return Self.moving(
        center.moved(north: cosine * radius.value, east: sine * radius.value), geoidSeparation,
        north: -sine * speed, east: cosine * speed, speed: speed, course: Angle(radians: bearing).degrees + 90)
    }
  }

  private static func moving(
    _ position: SimulatedPosition, _ geoidSeparation: Meters, north: Double, east: Double, speed: Double,
    course: Double
  ) -> SimulatedTruth {
    let turned = course.truncatingRemainder(dividingBy: 360)
    return SimulatedTruth(
      position: position, geoidSeparation: geoidSeparation, velocityNorth: north, velocityEast: east,
      speedMetersPerSecond: speed, course: speed > 0 ? Angle(degrees: turned < 0 ? turned + 360 : turned) : nil)
  }
}

extension SimulatedPosition {
  /// The place so many metres north and east, on the plane that touches the ellipsoid here: exact enough for some tens of
  /// kilometres, which is what a simulated receiver drives; it is the truth by definition.
  func moved(north: Double, east: Double) -> SimulatedPosition {
    let offset = LocalFrame.Offset(eastMeters: east, northMeters: north)
    let place = LocalFrame(origin: coordinate).coordinate(at: offset)
    return SimulatedPosition(
      latitude: place.latitude.degrees, longitude: place.longitude.degrees, height: heightAboveEllipsoid.value)
  }
}
