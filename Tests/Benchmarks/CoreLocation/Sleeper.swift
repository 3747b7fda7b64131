import CoreLocation

/// Blocks for a while after its fifth location, then prints which locations were waiting.
final class Sleeper: NSObject, CLLocationManagerDelegate {
  private let seconds: Double
  private var locations = 0
  private var hasSlept = false
  private var isAwake = false

  init(seconds: Double) { self.seconds = seconds }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    guard !isAwake else { return }
    locations += found.count
    if hasSlept {
      let isInOrder = zip(found, found.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp }
      say("woke \(found.count) \(isInOrder) \(found.last.map { epoch($0.timestamp) } ?? 0)")
      isAwake = true
    } else if locations >= 5 {
      say("sleeping")
      Thread.sleep(forTimeInterval: seconds)
      hasSlept = true
    }
  }
}
