import CoreLocation

/// Owns the manager as long as its screen is shown, and is its delegate.
final class LocationController: NSObject, CLLocationManagerDelegate {
  private let locationManager = CLLocationManager()
  private var shown = 0

  /// Called when enough has been shown.
  var onFinish: (() -> Void)?

  override init() {
    super.init()
    locationManager.delegate = self
    locationManager.desiredAccuracy = kCLLocationAccuracyBest
    locationManager.distanceFilter = kCLDistanceFilterNone
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined:
      manager.requestWhenInUseAuthorization()
    case .authorizedWhenInUse, .authorizedAlways:
      print("authorized, exact: \(manager.accuracyAuthorization == .fullAccuracy)")
      manager.startUpdatingLocation()
    case .denied, .restricted:
      print("not authorized")
      onFinish?()
    @unknown default:
      print("something new")
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last, location.horizontalAccuracy >= 0 else { return }
    show(location)
    shown += 1
    guard shown == 3 else { return }
    manager.stopUpdatingLocation()
    print("stopped at \(manager.location === location)")
    onFinish?()
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    switch (error as? CLError)?.code {
    case .locationUnknown?:
      print("no location yet")
    case .denied?:
      manager.stopUpdatingLocation()
      print("denied")
      onFinish?()
    default:
      print("failed: \(error.localizedDescription)")
    }
  }

  private func show(_ location: CLLocation) {
    let place = String(format: "%.3f, %.3f", location.coordinate.latitude, location.coordinate.longitude)
    print(place, "exact to 20 m: \(location.horizontalAccuracy < 20)", "main: \(Thread.isMainThread)")
  }
}
