import CCoreLocation

/// A circle on the ellipsoid.
struct RegionCircle: Sendable {
  /// Degrees.
  var center: CLLocationCoordinate2D
  /// Metres.
  var radius: CLLocationDistance

  /// Whether a place lies in it or on its border; no place does that is not valid.
  func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    guard CLLocationCoordinate2DIsValid(coordinate) else { return false }
    return center.distance(to: coordinate) <= radius
  }
}
