import CoreLocation

/// Prints once where this device is: a program of one file.
final class Here: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    print("here", locations.count, (locations.last?.horizontalAccuracy ?? -1) > 0)
    exit(0)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print("nowhere", error)
    exit(1)
  }
}

let here = Here()
let manager = CLLocationManager()
manager.delegate = here
manager.requestLocation()
RunLoop.main.run()
