import CoreLocation

/// Plays positions to its delegate, in the form in which optional methods are called.
final class ReplayingManager: CLLocationManager {
  var places: [CLLocation] = []

  override func requestLocation() {
    guard let place = places.first else {
      delegate?.locationManager?(self, didFailWithError: CLError(.locationUnknown))
      return
    }
    delegate?.locationManager?(self, didUpdateLocations: [place])
  }

  override func startMonitoring(for region: CLRegion) {
    guard let circle = region as? CLCircularRegion else { return }
    delegate?.locationManager?(self, didStartMonitoringFor: circle)
    for place in places where circle.contains(place.coordinate) {
      delegate?.locationManager?(self, didEnterRegion: circle)
    }
  }
}

/// Receives regions, but no locations.
final class Fence: NSObject, CLLocationManagerDelegate {
  var entered: [String] = []
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    entered.append(region.identifier)
  }
}
