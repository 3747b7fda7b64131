package import Geodesy

/// Roughly where a receiver is before it knows.
package struct AssistancePlace: Hashable, Sendable {
  package var coordinate: Coordinate
  /// Above the ellipsoid.
  package var height: Meters
  /// How far it may be off; 68 %.
  package var error: Meters

  /// How far may have been travelled since, in metres per second, and at most.
  static let travelSpeed = 30.0
  static let farthest = 300_000.0

  /// Where the last fix was, `age` ago.
  package init(_ fix: PositionFix, age: Duration) {
    coordinate = fix.coordinate
    height = fix.heightAboveEllipsoid ?? fix.heightAboveMeanSeaLevel ?? Meters(0)
    // Below 100 m nothing is gained.
    let travelled = min(max(0, age.inSeconds) * Self.travelSpeed, Self.farthest)
    error = Meters(max(100, fix.horizontalRadius68.value + travelled))
  }
}
