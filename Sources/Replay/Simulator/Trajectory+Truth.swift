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
      let (sine, cosine) = Trigonometry.sineAndCosine(radians: course.radians)
      return Self.moving(
        from.moved(north: cosine * speed * seconds, east: sine * speed * seconds), geoidSeparation,
        north: cosine * speed, east: sine * speed, speed: speed, course: course.degrees)
    case .circle(let center, let radius, let speed):
      guard radius.value > 0 else {
        return Trajectory.stationary(at: center).truth(after: elapsed, geoidSeparation: geoidSeparation)
      }
      let bearing = speed * seconds / radius.value
      let (sine, cosine) = Trigonometry.sineAndCosine(radians: bearing)
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
    // Radii of curvature of WGS 84 (NIMA TR8350.2 §3.2): semi-major axis and first eccentricity squared.
    let a = 6_378_137.0
    let e2 = 6.694_379_990_14e-3
    let (sine, cosine) = Trigonometry.sineAndCosine(radians: coordinate.latitude.radians)
    let w = (1 - e2 * sine * sine).squareRoot()
    let meridian = a * (1 - e2) / (w * w * w) + heightAboveEllipsoid.value
    let normal = a / w + heightAboveEllipsoid.value
    let latitude = coordinate.latitude.degrees + Angle(radians: north / meridian).degrees
    var longitude = coordinate.longitude.degrees + Angle(radians: east / (normal * max(cosine, 1e-6))).degrees
    longitude = longitude.remainder(dividingBy: 360)
    return SimulatedPosition(
      latitude: min(max(latitude, -90), 90), longitude: longitude, height: heightAboveEllipsoid.value)
  }
}
