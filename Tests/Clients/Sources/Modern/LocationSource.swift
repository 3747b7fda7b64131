import CoreLocation

/// The manager behind a protocol that the program declares and whose requirements the manager already has.
protocol LocationSource: AnyObject {
  var delegate: (any CLLocationManagerDelegate)? { get set }
  var authorizationStatus: CLAuthorizationStatus { get }
  var location: CLLocation? { get }
  func requestLocation()
  func requestWhenInUseAuthorization()
}

extension CLLocationManager: LocationSource {}

/// The replacement in a test.
final class FakeSource: LocationSource {
  weak var delegate: (any CLLocationManagerDelegate)?
  var authorizationStatus: CLAuthorizationStatus = .notDetermined
  var location: CLLocation?
  private let manager = CLLocationManager()

  func requestLocation() {
    guard let location else {
      delegate?.locationManager?(manager, didFailWithError: CLError(.locationUnknown))
      return
    }
    delegate?.locationManager?(manager, didUpdateLocations: [location])
  }

  func requestWhenInUseAuthorization() {
    authorizationStatus = .authorizedWhenInUse
    delegate?.locationManagerDidChangeAuthorization?(manager)
  }
}
