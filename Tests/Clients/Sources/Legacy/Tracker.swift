import CoreLocation.CLLocation
import CoreLocation.CLLocationManagerDelegate

/// Written like older programs: a subset of the delegate, submodules by name.
class Tracker: NSObject, CLLocationManagerDelegate {
  let locationManager: CLLocationManager
  var last: CLLocation?

  init(manager: CLLocationManager = CLLocationManager()) {
    locationManager = manager
    super.init()
    locationManager.delegate = self
    locationManager.distanceFilter = kCLDistanceFilterNone
    locationManager.pausesLocationUpdatesAutomatically = false
  }

  func start() {
    if CLLocationManager.authorizationStatus() == .notDetermined { locationManager.requestAlwaysAuthorization() }
    locationManager.startMonitoring(
      for: CLCircularRegion(center: CLLocationCoordinate2DMake(1, 2), radius: 100, identifier: "home"))
    locationManager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key")
    locationManager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key") { _ in }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    last = locations.last
  }
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
}
