import CoreLocation

/// Counts the locations of one manager; the first of several counters prints which location it received, and when it was called.
final class Counter: NSObject, CLLocationManagerDelegate {
  private let isSpeaking: Bool
  private(set) var locations = 0
  private(set) var failures = 0

  init(isSpeaking: Bool) { self.isSpeaking = isSpeaking }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    let now = isSpeaking ? monotonicNanoseconds() : 0
    locations += found.count
    guard isSpeaking else { return }
    for location in found { say("\(epoch(location.timestamp)) \(now)") }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { failures += 1 }
}
