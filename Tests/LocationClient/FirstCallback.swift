import CoreLocation

// What a manager's delegate is told first, and how long a request waits for a receiver.

/// Keeps the name of each callback, in its order.
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

/// Asks at once for all that is answered at once: the authorization comes before any of it.
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

/// A delegate that comes late is told of the authorization first, too.
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

/// Two managers without a receiver: one follows, and is told that there is none; the other has asked once, and waits.
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
