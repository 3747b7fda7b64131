import CoreLocation

/// Receives the failure of each kind of request when no service answers.
final class Nowhere: NSObject, CLLocationManagerDelegate {
  private let word: String
  init(_ word: String) { self.word = word }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    print(word, "found")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print(word, error as? CLError == CLError(.locationUnknown), manager.authorizationStatus == .authorizedAlways)
    CFRunLoopStop(CFRunLoopGetCurrent())
  }
}

func ask(_ word: String, _ begin: (CLLocationManager) -> Void) {
  let (manager, delegate) = (CLLocationManager(), Nowhere(word))
  manager.delegate = delegate
  begin(manager)
  CFRunLoopRun()
}

ask("request") { $0.requestLocation() }
ask("updates") { $0.startUpdatingLocation() }
Task {
  for try await update in CLLocationUpdate.liveUpdates() {
    print("live", update.locationUnavailable)
    exit(0)
  }
}
RunLoop.main.run()
