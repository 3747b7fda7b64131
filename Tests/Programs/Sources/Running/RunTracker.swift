import CoreLocation

/// Tracks a run: its distance, its speed and its route.
package final class RunTracker: NSObject {
  /// A location that is older (in seconds) or less accurate (in meters) is not part of a run.
  static let oldest: TimeInterval = 10
  static let leastExact: CLLocationAccuracy = 25

  /// The locations of the run, in order.
  package private(set) var route: [CLLocation] = []
  /// The distance of the run, in meters.
  package private(set) var distance: CLLocationDistance = 0
  /// The number of locations that were too old or too inaccurate.
  package private(set) var ignored = 0
  /// The error that ended or interrupted the run.
  package private(set) var error: CLError?
  package private(set) var isPaused = false
  /// Called after each change.
  package var onChange: ((RunTracker) -> Void)?

  private let locationManager: CLLocationManager

  package init(locationManager: CLLocationManager = CLLocationManager()) {
    self.locationManager = locationManager
    super.init()
    locationManager.delegate = self
    locationManager.activityType = .fitness
    locationManager.desiredAccuracy = kCLLocationAccuracyBest
    locationManager.distanceFilter = 2
    locationManager.pausesLocationUpdatesAutomatically = true
    locationManager.allowsBackgroundLocationUpdates = true
    locationManager.showsBackgroundLocationIndicator = true
  }

  /// Starts when the person permits it.
  package func start() {
    switch locationManager.authorizationStatus {
    case .notDetermined: locationManager.requestAlwaysAuthorization()
    case .authorizedAlways, .authorizedWhenInUse: locationManager.startUpdatingLocation()
    default: error = CLError(.denied)
    }
  }

  package func stop() { locationManager.stopUpdatingLocation() }

  /// Seconds from the first location to the last.
  package var duration: TimeInterval {
    guard let first = route.first, let last = route.last else { return 0 }
    return last.timestamp.timeIntervalSince(first.timestamp)
  }

  /// Minutes per kilometer; `nil` until there is a distance.
  package var pace: Double? {
    let way = Measurement(value: distance, unit: UnitLength.meters).converted(to: .kilometers).value
    return way > 0 ? duration / 60 / way : nil
  }
}

extension RunTracker: CLLocationManagerDelegate {
  package func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    if case .authorizedAlways = manager.authorizationStatus, route.isEmpty, error != nil { error = nil }
  }

  package func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations {
      let age = abs(location.timestamp.timeIntervalSinceNow)
      guard location.horizontalAccuracy >= 0, location.horizontalAccuracy <= Self.leastExact, age <= Self.oldest else {
        ignored += 1
        continue
      }
      if let last = route.last { distance += location.distance(from: last) }
      route.append(location)
    }
    onChange?(self)
  }

  package func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    guard let error = error as? CLError else { return }
    // The manager keeps searching by itself.
    if error.code == .locationUnknown { return }
    self.error = error
    if error.code == .denied { manager.stopUpdatingLocation() }
    onChange?(self)
  }

  package func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
    isPaused = true
    onChange?(self)
  }

  package func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
    isPaused = false
    onChange?(self)
  }
}
