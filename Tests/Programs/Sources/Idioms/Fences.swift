import CoreLocation

/// One object for the whole program, whose manager is created lazily.
final class Fences: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  static let shared = Fences()
  private var continuation: CheckedContinuation<CLLocation?, Error>?
  private lazy var manager: CLLocationManager = {
    let manager = CLLocationManager()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
    manager.headingFilter = kCLHeadingFilterNone
    manager.activityType = .automotiveNavigation
    return manager
  }()

  func locate() async throws -> CLLocation? {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      manager.requestLocation()
    }
  }

  func watch(_ center: CLLocationCoordinate2D) {
    guard CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) else { return }
    let region = CLCircularRegion(
      center: center, radius: min(200, manager.maximumRegionMonitoringDistance), identifier: "home")
    region.notifyOnEntry = true
    region.notifyOnExit = false
    for old in manager.monitoredRegions where old.identifier == "home" { manager.stopMonitoring(for: old) }
    manager.startMonitoring(for: region)
  }

  var circles: [CLCircularRegion] { manager.monitoredRegions.compactMap { $0 as? CLCircularRegion } }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    continuation?.resume(returning: locations.first)
    continuation = nil
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    switch state {
    case .inside: print("in", region.identifier)
    case .outside: print("out of", region.identifier)
    case .unknown: break
    }
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    if visit.departureDate == Date.distantFuture { print("arrived", visit.arrivalDate) }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    guard newHeading.headingAccuracy >= 0 else { return }
    print(newHeading.trueHeading >= 0 ? newHeading.trueHeading : newHeading.magneticHeading)
  }

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    if let nearest = beacons.first(where: { $0.proximity == .near }) { print(nearest.major.intValue, nearest.rssi) }
  }
}
