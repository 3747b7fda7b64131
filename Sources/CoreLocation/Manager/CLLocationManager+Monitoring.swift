import CCoreLocation
import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import Regions

// Regions, visits and significant changes.
extension CLLocationManager {
  /// Starts to monitor a region, or reports why it cannot be monitored.
  func monitor(_ region: CLRegion) {
    guard let wish = Region(region) else {
      return announce {
        $1.locationManager($0, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure))
      }
    }
    SharedMonitoring.shared.handle(engine) { .add(wish, by: $0) }
  }

  /// The greatest radius of a monitored region, meters.
  static var greatestRadius: CLLocationDistance { CircleShape.greatestRadius.value }

  /// Requests the state of a region; a region that cannot be monitored has no state.
  func requestMonitoredState(of region: CLRegion) {
    guard let asked = Region(region) else { return }
    SharedMonitoring.shared.handle(engine) { .requestState(asked, by: $0) }
  }

  /// Delivers a monitoring outcome to the delegate.
  func deliver(_ notice: MonitoringNotification, _ delegate: any CLLocationManagerDelegate) {
    switch notice {
    case .started(let region): delegate.locationManager(self, didStartMonitoringFor: .made(of: region))
    case .refused(let region, let refusal, let reason):
      reason.flatMap { UsageWarning($0) }?.emit()
      let code: CLError.Code = refusal == .denied ? .regionMonitoringDenied : .regionMonitoringFailure
      delegate.locationManager(self, monitoringDidFailFor: .made(of: region), withError: CLError(code))
    case .failed(let refusal, let reason):
      reason.flatMap { UsageWarning($0) }?.emit()
      delegate.locationManager(self, didFailWithError: CLError(refusal == .denied ? .denied : .locationUnknown))
    case .state(let region, let state):
      delegate.locationManager(self, didDetermineState: CLRegionState(state), for: .made(of: region))
    case .happened(let event, let region):
      deliver(event, region, delegate)
      if let number = notice.event {
        SharedMonitoring.shared.handle(engine) { .delivered(event: number, by: $0, isReceived: true) }
      }
    }
  }

  private func deliver(_ event: MonitoringEvent, _ region: Region?, _ delegate: any CLLocationManagerDelegate) {
    switch event.kind {
    case .crossed(let state):
      guard let region else { return }
      delegate.locationManager(self, didDetermineState: CLRegionState(state), for: .made(of: region))
      // The delegate may be released in that call.
      guard let delegate = self.delegate else { return }
      switch state {
      case .inside: delegate.locationManager(self, didEnterRegion: .made(of: region))
      case .outside: delegate.locationManager(self, didExitRegion: .made(of: region))
      case .unknown: break
      }
    case .determined(let state):
      guard let region else { return }
      delegate.locationManager(self, didDetermineState: CLRegionState(state), for: .made(of: region))
    case .arrived(let visit), .departed(let visit): delegate.locationManager(self, didVisit: CLVisit(visit))
    case .moved:
      guard let fix = event.fix else { return }
      let location = SharedUpdates.shared.location(of: fix)
      engine.note(location)
      delegate.locationManager(self, didUpdateLocations: [location])
      lastReported = location
    }
  }

  /// Handles an outcome that no delegate is there to receive: an event waits for the next delegate, an answer is lost.
  func keep(_ notice: MonitoringNotification) {
    SharedMonitoring.shared.handle(engine) { .isDeaf($0) }
    guard let number = notice.event else { return }
    SharedMonitoring.shared.handle(engine) { .delivered(event: number, by: $0, isReceived: false) }
  }
}

/// Callbacks to make, in order, after the manager's methods that caused them have returned. If several threads share a
/// manager, its methods are called on any of them, but the callbacks are made on its own thread.
final class Announcements {
  private let lock = NSLock()
  private var waiting: [() -> Void] = []

  func add(_ body: @escaping () -> Void) { lock.withLock { waiting.append(body) } }

  /// Removes and returns all waiting callbacks.
  func takeAll() -> [() -> Void] {
    lock.withLock {
      defer { waiting = [] }
      return waiting
    }
  }
}
