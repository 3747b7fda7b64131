#if canImport(CoreLocation)
  import CoreLocation
#endif

protocol LocationProviderDelegate: AnyObject {
  func provider(_ provider: LocationProvider, didFind result: Result<CLLocation, Error>)
}

/// The wrapper of nearly every older project: closures instead of a delegate, and one request for many callers.
class LocationProvider: NSObject {
  typealias Completion = (Result<CLLocation, Error>) -> Void

  weak var delegate: LocationProviderDelegate?
  let locationManager: CLLocationManager
  private var completions: [Completion] = []

  init(locationManager: CLLocationManager = CLLocationManager()) {
    self.locationManager = locationManager
    super.init()
    self.locationManager.delegate = self
    self.locationManager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
  }

  var isAuthorized: Bool {
    let status: CLAuthorizationStatus
    if #available(iOS 14.0, macOS 11.0, *) {
      status = locationManager.authorizationStatus
    } else {
      status = CLLocationManager.authorizationStatus()
    }
    return status == .authorizedAlways || status == .authorizedWhenInUse
  }

  func find(_ completion: @escaping Completion) {
    completions.append(completion)
    guard CLLocationManager.locationServicesEnabled(), isAuthorized else {
      return finish(.failure(CLError(.denied)))
    }
    locationManager.requestLocation()
  }

  private func finish(_ result: Result<CLLocation, Error>) {
    let waiting = completions
    completions.removeAll()
    waiting.forEach { $0(result) }
    delegate?.provider(self, didFind: result)
  }
}

extension LocationProvider: CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last else { return }
    finish(.success(location))
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    finish(.failure(error))
  }

  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
    print("status \(status == .authorizedAlways)")
  }
}
