package import Geodesy

/// What was told last in the place of a fix, so that a restart tells no more than a fix does.
package struct ReducedPlace: Hashable, Sendable {
  /// The point of a cell.
  package var point: Coordinate
  /// The radius that was told with it.
  package var radius68: Meters
  /// When the fix was true that it was made of.
  package var time: GNSSTime

  package init(point: Coordinate, radius68: Meters, time: GNSSTime) {
    self.point = point
    self.radius68 = radius68
    self.time = time
  }
}
