public import Foundation

/// What a location manager tells.
///
/// Every requirement is optional: one that a class does not have does nothing, or calls its older form. They are called on the
/// run loop of the thread on which the manager was made. A method that only a *subclass* of the class that declares the
/// conformance adds is not found; declare it in that class, and override it.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  /// Locations have come: at least one, the newest last.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// A heading has come.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// A region's state is known: after a change, and after `requestState(for:)`.
  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// The device has come into a region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The device has left a region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// A region is being monitored.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// A region cannot be monitored.
  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  /// The beacons in range have changed.
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying beaconConstraint: CLBeaconIdentityConstraint)
  /// Beacons cannot be ranged.
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error)
  /// No location, or no heading, can be had: for now (`CLError.locationUnknown`) or at all.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// A stay has begun, or ended.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
  /// Updates are no longer deferred; without an error where the criteria were met.
  @available(iOS, introduced: 6.0, deprecated: 13.0)
  func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
  /// The authorization has changed; called where `locationManagerDidChangeAuthorization(_:)` is not there.
  @available(iOS, introduced: 4.2, deprecated: 14.0)
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// The older form of `locationManager(_:didRange:satisfying:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0)
  func locationManager(_ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)
  /// The older form of `locationManager(_:didFailRangingFor:error:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0)
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error)
  /// A location has come; called where `locationManager(_:didUpdateLocations:)` is not there.
  @available(iOS, introduced: 2.0, deprecated: 6.0)
  func locationManager(_ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation)
  /// The authorization, or how exact locations may be, is known or has changed: once after the manager was made, then on every
  /// change.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// Whether the person may be asked to calibrate the compass; without it, no.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
  /// Updates have paused by themselves.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// Updates go on after a pause.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
}
