import CoreLocation

/// The places of a person; locations are sent to an actor, and come back as Sendable values.
actor Journal {
  private var entries: [CLLocation] = []

  func note(_ location: CLLocation) { entries.append(location) }

  /// The distances from the first entry to each later one, in meters.
  var ways: [CLLocationDistance] {
    guard let first = entries.first else { return [] }
    return entries.dropFirst().map { $0.distance(from: first) }
  }
}
