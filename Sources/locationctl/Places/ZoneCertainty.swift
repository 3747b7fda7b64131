package import Geodesy
package import PlacesData

/// Whether a position that is not exact is surely in a time zone.
package enum ZoneCertainty {
  /// A radius contains the position with 68 %; three of them practically always.
  private static let radii = 3.0
  /// The directions in which a border is looked for.
  private static let directions = 16

  /// Whether the zone is the same in all directions at three radii.
  package static func isSure(_ zone: String, at center: Coordinate, radius: Meters, _ world: WorldPlaces) -> Bool {
    let distance = Meters(radii * radius.value)
    return (0..<directions).allSatisfy { step in
      let course = Angle(degrees: Double(step) / Double(directions) * 360)
      let point = Geodesic.direct(from: center, course: course, distance: distance).coordinate
      return world.timeZone(at: point) == zone
    }
  }
}
