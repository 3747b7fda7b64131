@preconcurrency import CoreLocation

// Only compiled: frequent tasks of programs in their usual form.

extension CLAuthorizationStatus: @retroactive CustomStringConvertible {
  /// A text for people.
  public var description: String {
    switch self {
    case .notDetermined: return "not asked yet"
    case .restricted: return "restricted"
    case .denied: return "denied"
    case .authorizedAlways: return "always"
    case .authorizedWhenInUse: return "when in use"
    @unknown default: return "unknown"
    }
  }
}

class ErrorListener: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    guard let failure = error as? CLError else { return print("other:", error.localizedDescription) }
    switch failure {
    case CLError.locationUnknown: print("unknown")
    case CLError.denied: print("denied")
    default: print("other")
    }
    switch failure.code {
    case .locationUnknown, .denied, .network: print(failure.errorCode)
    case .headingFailure: print(failure.localizedDescription)
    default: break
    }
    if failure == CLError(.denied) || failure.code == CLError.regionMonitoringDenied { manager.stopUpdatingLocation() }
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
  ) {
    if (error as NSError).domain == kCLErrorDomain { print(CLError.Code(rawValue: (error as NSError).code) as Any) }
  }
}
