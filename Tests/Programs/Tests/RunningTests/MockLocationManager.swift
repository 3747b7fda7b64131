import CoreLocation

/// The replacement of the manager in tests: it reports what the test sets.
final class MockLocationManager: CLLocationManager {
  var status = CLAuthorizationStatus.authorizedWhenInUse
  var places: [CLLocation] = []
  private(set) var calls: [String] = []

  override var authorizationStatus: CLAuthorizationStatus { status }
  override var accuracyAuthorization: CLAccuracyAuthorization { .reducedAccuracy }
  override var location: CLLocation? { places.last }
  override class func locationServicesEnabled() -> Bool { true }

  override func requestAlwaysAuthorization() {
    calls.append("requestAlways")
    status = .authorizedAlways
    delegate?.locationManagerDidChangeAuthorization?(self)
  }

  override func startUpdatingLocation() {
    calls.append("start")
    if !places.isEmpty { delegate?.locationManager?(self, didUpdateLocations: places) }
  }

  override func stopUpdatingLocation() { calls.append("stop") }

  override func requestLocation() {
    calls.append("request")
    if let location {
      delegate?.locationManager?(self, didUpdateLocations: [location])
    } else {
      delegate?.locationManager?(self, didFailWithError: CLError(.locationUnknown))
    }
  }
}

/// A location that returns fixed values, also for its floor.
final class MockLocation: CLLocation, @unchecked Sendable {
  override var speed: CLLocationSpeed { 2.5 }
  override var timestamp: Date { Date(timeIntervalSinceNow: -1) }
}
