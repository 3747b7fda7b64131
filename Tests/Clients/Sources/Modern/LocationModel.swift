import CoreLocation

/// A model on the main actor, as in view code, with an isolated conformance.
@MainActor final class LocationModel: NSObject, @preconcurrency CLLocationManagerDelegate {
  private let locationManager = CLLocationManager()
  private(set) var state = State.idle

  enum State: Sendable {
    case idle
    case located([CLLocation])
    case failed(CLError)
  }

  override init() {
    super.init()
    locationManager.delegate = self
    locationManager.desiredAccuracy = kCLLocationAccuracyHundredMeters
    locationManager.activityType = .fitness
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    state = .located(locations)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    if let error = error as? CLError { state = .failed(error) }
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse: manager.startUpdatingLocation()
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .denied, .restricted: break
    @unknown default: break
    }
  }
}
