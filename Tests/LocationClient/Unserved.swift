import CoreLocation

// Refusals: how, where and when the program receives them.

/// Keeps every refusal in its order.
final class RefusalRecorder: NSObject, CLLocationManagerDelegate {
  private(set) var words: [String] = []
  private(set) var locations = 0

  private func add(_ word: String, _ error: any Error) { words.append("\(word) \((error as NSError).code)") }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    locations += found.count
  }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { add("failure", error) }
  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  {
    add("region", error)
  }
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor constraint: CLBeaconIdentityConstraint, error: any Error
  ) { add("ranging", error) }
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
  ) { add("older ranging", error) }
  func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {
    words.append("deferred \(error.map { "\(($0 as NSError).code)" } ?? "nil")")
  }
}

/// A tracker that requests everything that a phone has, and locations: it receives the locations, and no error after which it
/// would stop them.
func showRefusals() {
  let (manager, recorder) = (CLLocationManager(), RefusalRecorder())
  manager.delegate = recorder
  manager.startUpdatingHeading()
  let region = CLBeaconRegion(uuid: UUID(), identifier: "beacon")
  manager.startMonitoring(for: region)
  manager.startRangingBeacons(satisfying: region.beaconIdentityConstraint)
  manager.startRangingBeacons(in: region)
  manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: CLTimeIntervalMax)
  manager.startUpdatingLocation()
  run { recorder.locations >= 2 }
  print(recorder.words.joined(separator: ", "))
}

/// Completions come later, on the run loop, even if only they retain the manager.
func showCompletions() {
  var reported: [String] = []
  var manager: CLLocationManager? = CLLocationManager()
  weak let gone = manager
  manager?.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "way") {
    reported.append("accuracy \(($0 as NSError?)?.code ?? 0)")
  }
  manager?.startMonitoringLocationPushes { _, error in reported.append("pushes \(error != nil)") }
  manager?.requestHistoricalLocations(purposeKey: "way", sampleCount: 1) { _, error in
    reported.append("history \(error != nil)")
  }
  manager = nil
  print("told \(reported.count)")
  run { reported.count == 3 }
  print(reported.joined(separator: ", "))
  print("gone \(gone == nil)")
}
