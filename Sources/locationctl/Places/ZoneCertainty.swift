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
    let distance = radii * radius.value
    return (0..<directions).allSatisfy { step in
      let angle = Double(step) / Double(directions) * 2 * .pi
      let north = distance * Math.cos(angle) / 111_320
      let east = distance * Math.sin(angle) / (111_320 * max(Math.cos(center.latitude.radians), 0.01))
      var longitude = center.longitude.degrees + east
      if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
      guard
        let point = Coordinate(
          checkingLatitude: min(max(center.latitude.degrees + north, -90), 90), longitude: longitude)
      else { return false }
      return world.timeZone(at: point) == zone
    }
  }
}
