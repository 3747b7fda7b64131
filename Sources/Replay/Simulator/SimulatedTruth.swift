package import Geodesy

/// Where a simulated receiver truly is, and how it truly moves.
package struct SimulatedTruth: Hashable, Sendable {
  package var position: SimulatedPosition
  /// Height of the geoid above the ellipsoid.
  package var geoidSeparation: Meters
  /// North component of the velocity in metres per second.
  package var velocityNorth: Double
  /// East component of the velocity in metres per second.
  package var velocityEast: Double
  /// Speed over ground in metres per second, ≥ 0.
  package var speedMetersPerSecond: Double
  /// Direction of travel, 0…<360°; `nil` at rest.
  package var course: Angle?

  /// Height above mean sea level.
  package var heightAboveMeanSeaLevel: Meters { position.heightAboveEllipsoid - geoidSeparation }
}
