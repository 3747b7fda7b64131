package import Geodesy

/// Where a simulated receiver is when, as time since power-on.
package enum Trajectory: Hashable, Sendable {
  /// Always at one place.
  case stationary(at: SimulatedPosition)
  /// Along one course at one speed, at one height.
  case line(from: SimulatedPosition, course: Angle, metersPerSecond: Double)
  /// Round a centre, clockwise seen from above, from its north.
  case circle(center: SimulatedPosition, radius: Meters, metersPerSecond: Double)
}
