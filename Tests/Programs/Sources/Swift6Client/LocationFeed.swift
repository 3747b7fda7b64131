import CoreLocation

/// Locations as a stream, from a delegate that conforms on the main actor.
@MainActor final class LocationFeed: NSObject {
  private let manager = CLLocationManager()
  private var continuation: AsyncStream<CLLocation>.Continuation?

  /// Updates as long as there is an iteration.
  func locations() -> AsyncStream<CLLocation> {
    let (stream, continuation) = AsyncStream.makeStream(of: CLLocation.self, bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { _ in
      Task { @MainActor [weak self] in self?.manager.stopUpdatingLocation() }
    }
    self.continuation = continuation
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
    manager.startUpdatingLocation()
    return stream
  }
}

extension LocationFeed: @MainActor CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations { continuation?.yield(location) }
  }
}
