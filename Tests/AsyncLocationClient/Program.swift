import CoreLocation

/// A program with an asynchronous `main`: it waits for one location, and never runs a run loop.
@main struct Program {
  @MainActor static func main() async {
    let manager = CLLocationManager()
    let location = await withCheckedContinuation { continuation in
      let listener = Listener { continuation.resume(returning: $0) }
      Listener.current = listener
      manager.delegate = listener
      manager.requestLocation()
    }
    print("located \(location != nil)")
    withExtendedLifetime(manager) {}
  }
}

/// Receives one answer on the main actor.
@MainActor final class Listener: NSObject {
  static var current: Listener?
  private let answer: (CLLocation?) -> Void

  init(_ answer: @escaping (CLLocation?) -> Void) { self.answer = answer }
}

extension Listener: @MainActor CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) { answer(found.last) }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { answer(nil) }
}
