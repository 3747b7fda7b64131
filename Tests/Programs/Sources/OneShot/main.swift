import CoreLocation

// Prints one line with the position, or the reason why there is none.
class Fetcher: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last else { return }
    print("\(locations.count): \(location.coordinate.latitude.rounded()), \(location.coordinate.longitude.rounded())")
    exit(EXIT_SUCCESS)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    let code = (error as? CLError)?.code
    fputs(code == .locationUnknown ? "location unknown\n" : "\(error)\n", stderr)
    exit(EXIT_FAILURE)
  }
}

let fetcher = Fetcher()
let manager = CLLocationManager()
manager.delegate = fetcher
manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
manager.requestLocation()
CFRunLoopRun()
