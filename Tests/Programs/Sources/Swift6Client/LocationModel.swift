import CoreLocation
import Observation

/// The state that views show, on the main actor; the delegate's methods are nonisolated and switch to it.
@MainActor @Observable final class LocationModel: NSObject {
  private(set) var location: CLLocation?
  private(set) var status = CLAuthorizationStatus.notDetermined
  private(set) var problem: CLError.Code?
  @ObservationIgnored private let manager = CLLocationManager()
  @ObservationIgnored private var waiting: CheckedContinuation<CLLocation, any Error>?

  override init() {
    super.init()
    manager.delegate = self
  }

  /// Requests one location.
  func current() async throws -> CLLocation {
    try await withCheckedThrowingContinuation { continuation in
      waiting?.resume(throwing: CancellationError())
      waiting = continuation
      manager.requestLocation()
    }
  }
}

extension LocationModel: CLLocationManagerDelegate {
  nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    let status = manager.authorizationStatus
    MainActor.assumeIsolated { self.status = status }
  }

  nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let newest = locations.last else { return }
    Task { @MainActor in
      location = newest
      waiting?.resume(returning: newest)
      waiting = nil
    }
  }

  nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    MainActor.assumeIsolated {
      problem = (error as? CLError)?.code
      waiting?.resume(throwing: error)
      waiting = nil
    }
  }
}
