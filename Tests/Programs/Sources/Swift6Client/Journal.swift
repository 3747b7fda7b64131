import CoreLocation

/// Where one has been; locations cross into an actor, and come back as what can be sent.
actor Journal {
  private var entries: [CLLocation] = []

  func note(_ location: CLLocation) { entries.append(location) }

  /// Metres from the first entry to each later one.
  var ways: [CLLocationDistance] {
    guard let first = entries.first else { return [] }
    return entries.dropFirst().map { $0.distance(from: first) }
  }
}
