package import Geodesy

/// The position of a simulated receiver as a function of the time since power-on.
package enum Trajectory: Hashable, Sendable {
  /// A fixed position.
  case stationary(at: SimulatedPosition)
  /// A constant course, speed and height.
  case line(from: SimulatedPosition, course: Angle, metersPerSecond: Double)
  /// A circle around a center, clockwise seen from above, from its north.
  case circle(center: SimulatedPosition, radius: Meters, metersPerSecond: Double)
}

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
  /// The position this many meters north and east, on the plane that is tangent to the ellipsoid here: accurate enough
  /// for some tens of kilometers, the length of a simulated drive. By definition the result is the true position.
  func moved(north: Double, east: Double) -> SimulatedPosition {
    let offset = LocalFrame.Offset(eastMeters: east, northMeters: north)
    let place = LocalFrame(origin: coordinate).coordinate(at: offset)
    return SimulatedPosition(
      latitude: place.latitude.degrees, longitude: place.longitude.degrees, height: heightAboveEllipsoid.value)
  }
}

/// The true position and motion of a simulated receiver.
package struct SimulatedTruth: Hashable, Sendable {
  package var position: SimulatedPosition
  /// Height of the geoid above the ellipsoid.
  package var geoidSeparation: Meters
  /// North component of the velocity in meters per second.
  package var velocityNorth: Double
  /// East component of the velocity in meters per second.
  package var velocityEast: Double
  /// Speed over ground in meters per second, ≥ 0.
  package var speedMetersPerSecond: Double
  /// Direction of travel, 0…<360°; `nil` at rest.
  package var course: Angle?

  /// Height above mean sea level.
  package var heightAboveMeanSeaLevel: Meters { position.heightAboveEllipsoid - geoidSeparation }
}
