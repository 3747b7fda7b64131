import CoreLocation
import Synchronization

/// Live updates with the algorithms of asynchronous sequences.
func latitudes() async throws -> [CLLocationDegrees] {
  var found: [CLLocationDegrees] = []
  let located = CLLocationUpdate.liveUpdates(.automotiveNavigation).compactMap { $0.location }
  for try await latitude in located.map({ $0.coordinate.latitude }).prefix(2) { found.append(latitude) }
  let exact = try await CLLocationUpdate.liveUpdates().first { $0.location?.horizontalAccuracy ?? 1000 < 50 }
  if let location = exact?.location { found.append(location.coordinate.latitude) }
  return found
}

/// Live updates as a stream that the program defines.
func locations() -> AsyncThrowingStream<CLLocation, any Error> {
  AsyncThrowingStream { continuation in
    let task = Task {
      do {
        for try await update in CLLocationUpdate.liveUpdates() {
          if update.stationary || update.accuracyLimited || update.insufficientlyInUse { continue }
          if let location = update.location { continuation.yield(location) }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
  }
}

/// A monitor whose events a task receives.
@MainActor final class MonitorModel {
  private(set) var isHome = false
  private var monitor: CLMonitor?

  func begin() async {
    let monitor = await CLMonitor("model")
    self.monitor = monitor
    let circle = CLMonitor.CircularGeographicCondition(center: .init(latitude: 47, longitude: 8), radius: 100)
    await monitor.add(circle, identifier: "home", assuming: .unsatisfied)
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID(), major: 1), identifier: "desk")
    for identifier in await monitor.identifiers {
      guard let record = await monitor.record(for: identifier) else { continue }
      print(record.lastEvent.state, (record.condition as? CLMonitor.CircularGeographicCondition)?.radius as Any)
    }
    Task {
      for try await event in await monitor.events where event.identifier == "home" {
        switch event.state {
        case .satisfied: isHome = true
        case .unsatisfied: isHome = false
        case .unknown, .unmonitored: break
        @unknown default: break
        }
      }
    }
  }
}

/// Values that are sent between threads.
struct Snapshot: Sendable {
  var location: CLLocation?
  var placemark: CLPlacemark?
  var coordinate: CLLocationCoordinate2D
  var status: CLAuthorizationStatus
  var error: CLError?
}

/// A delegate whose only state is protected by a lock.
final class Latest: NSObject, CLLocationManagerDelegate, Sendable {
  private let location = Mutex<CLLocation?>(nil)

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    location.withLock { $0 = locations.last }
  }

  func isServiceOn() async -> Bool { await Task.detached { CLLocationManager.locationServicesEnabled() }.value }
}
