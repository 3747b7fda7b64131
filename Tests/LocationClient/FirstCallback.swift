import CoreLocation

// The first callback of a manager's delegate, and how long a request waits for a receiver.

/// Records the name of each callback, in order.
private final class OrderRecorder: NSObject, CLLocationManagerDelegate {
  var words: [String] = []

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { words.append("authorization") }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    words.append("locations")
  }

  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  {
    words.append("region")
  }

  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor constraint: CLBeaconIdentityConstraint, error: any Error
  ) { words.append("ranging") }
}

/// Makes every request that is answered at once: the authorization is reported before any of the answers.
func showFirstCallback() {
  let (manager, recorder) = (CLLocationManager(), OrderRecorder())
  manager.delegate = recorder
  let region = CLBeaconRegion(uuid: UUID(), identifier: "beacon")
  manager.startMonitoring(for: region)
  manager.startRangingBeacons(satisfying: region.beaconIdentityConstraint)
  manager.startMonitoringLocationPushes { _, _ in recorder.words.append("pushes") }
  manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "way") { _ in recorder.words.append("accuracy") }
  manager.startUpdatingLocation()
  let wanted: Set = ["region", "ranging", "pushes", "accuracy", "locations"]
  run { wanted.isSubset(of: recorder.words) }
  print(recorder.words[0], recorder.words.count { $0 == "authorization" })
}

/// A delegate that is set late also receives the authorization first.
func showLateDelegate() {
  let (manager, recorder) = (CLLocationManager(), OrderRecorder())
  var isDelivered = false
  manager.startMonitoringLocationPushes { _, _ in isDelivered = true }
  manager.startUpdatingLocation()
  run { isDelivered && manager.location != nil }
  manager.delegate = recorder
  run { recorder.words.count >= 2 }
  print(recorder.words.prefix(2).joined(separator: " "))
}

/// Two managers without a receiver: one requested updates and receives the error that there is no receiver; the other
/// requested a single location and waits.
func requestBeforeReceiver() {
  let asking = recorded {
    $0.desiredAccuracy = kCLLocationAccuracyKilometer
    $0.requestLocation()
  }
  let following = recorded { $0.startUpdatingLocation() }
  run { !following.recorder.words.isEmpty }
  say("waiting")
  run { !(asking.recorder.locations.isEmpty && asking.recorder.words.isEmpty) }
  say("answered \(asking.recorder.locations.count) \(asking.recorder.words.count)")
}
