import CoreLocation

/// For a program without a run loop: it ends with the first answer.
final class QueueListener: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    print("locations \(found.count)")
    exit(0)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print("error \(error)")
    exit(0)
  }
}

/// Blocks after the first location, while many others come.
final class SlowListener: NSObject, CLLocationManagerDelegate {
  private var calls = 0

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    calls += 1
    let inOrder = zip(found, found.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp }
    print("locations \(found.count) \(inOrder)")
    if calls == 1 { Thread.sleep(forTimeInterval: 3.2) } else { exit(0) }
  }
}
