public import Foundation

/// Receives the callbacks of a location manager.
///
/// Every requirement is optional: a missing method does nothing, or calls its older form. The callbacks are made on the
/// run loop of the thread that created the manager. A method is not found if only a *subclass* of the conforming class
/// declares it: declare the method in the conforming class, and override it in the subclass.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  /// New locations: at least one, the newest last.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// A new heading.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// The state of a region was determined: after a change, and after `requestState(for:)`.
  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// The device has entered a region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The device has left a region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// The monitoring of a region has started.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// A region cannot be monitored.
  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  /// The beacons in range have changed.
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying beaconConstraint: CLBeaconIdentityConstraint)
  /// Beacons cannot be ranged.
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error)
  /// There is no location, or no heading: for now (`CLError.locationUnknown`) or permanently.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// A stay has started or ended.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
  /// Updates are no longer deferred; without an error if the criteria were met.
  @available(iOS, introduced: 6.0, deprecated: 13.0)
  func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
  /// The authorization has changed; called if `locationManagerDidChangeAuthorization(_:)` is missing.
  @available(iOS, introduced: 4.2, deprecated: 14.0)
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// The older form of `locationManager(_:didRange:satisfying:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0)
  func locationManager(_ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)
  /// The older form of `locationManager(_:didFailRangingFor:error:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0)
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error)
  /// A new location; called if `locationManager(_:didUpdateLocations:)` is missing.
  @available(iOS, introduced: 2.0, deprecated: 6.0)
  func locationManager(_ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation)
  /// The authorization, or the accuracy authorization, is known or has changed: once after the manager was created, then on every
  /// change.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// Whether the user may be asked to calibrate the compass; if missing, no.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
  /// Updates have paused automatically.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// Updates have resumed after a pause.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
}

/// Default implementations of the requirements that a class lacks.
extension CLLocationManagerDelegate {
  /// Calls the older form with the newest location and the previous one; the first location of all is passed as both.
  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let newest = locations.last else { return }
    locationManager(manager, didUpdateTo: newest, from: locations.dropLast().last ?? manager.lastReported ?? newest)
  }
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
  ) {}
  /// Does nothing; after a request for one location it reports on standard error that this method is required.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    complain(of: manager, "locationManager(_:didFailWithError:)")
  }
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
  /// Does nothing.
  @available(iOS, introduced: 6.0, deprecated: 13.0)
  public func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {}
  /// Does nothing.
  @available(iOS, introduced: 4.2, deprecated: 14.0)
  public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
  /// Does nothing.
  @available(iOS, introduced: 7.0, deprecated: 13.0)
  public func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {}
  /// Does nothing.
  @available(iOS, introduced: 7.0, deprecated: 13.0)
  public func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
  ) {}
  /// Does nothing; after a request for one location it reports on standard error that the newer form is required.
  @available(iOS, introduced: 2.0, deprecated: 6.0)
  public func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
  ) { complain(of: manager, "locationManager(_:didUpdateLocations:)") }
  /// Calls the older form.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }
  /// Always `false`.
  public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }
  /// Does nothing.
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
  /// Does nothing.
  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
}

extension CLLocationManagerDelegate {
  private func complain(of manager: CLLocationManager, _ method: String) {
    guard manager.hasRequested else { return }
    UsageWarning.deafDelegate(type: "\(type(of: self))", method: method).emit()
  }
}

/// Calls a delegate's methods in the form of optional ones: `delegate?.locationManager?(manager, …)`.
public struct CLLocationManagerDelegateCall {
  private let delegate: any CLLocationManagerDelegate
  fileprivate init(_ delegate: any CLLocationManagerDelegate) { self.delegate = delegate }

  /// `locationManager(_:didUpdateLocations:)`.
  public func callAsFunction(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    delegate.locationManager(manager, didUpdateLocations: locations)
  }
  /// `locationManager(_:didUpdateHeading:)`.
  public func callAsFunction(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    delegate.locationManager(manager, didUpdateHeading: newHeading)
  }
  /// `locationManager(_:didDetermineState:for:)`.
  public func callAsFunction(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    delegate.locationManager(manager, didDetermineState: state, for: region)
  }
  /// `locationManager(_:didEnterRegion:)`.
  public func callAsFunction(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    delegate.locationManager(manager, didEnterRegion: region)
  }
  /// `locationManager(_:didExitRegion:)`.
  public func callAsFunction(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    delegate.locationManager(manager, didExitRegion: region)
  }
  /// `locationManager(_:didStartMonitoringFor:)`.
  public func callAsFunction(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    delegate.locationManager(manager, didStartMonitoringFor: region)
  }
  /// `locationManager(_:monitoringDidFailFor:withError:)`.
  public func callAsFunction(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    delegate.locationManager(manager, monitoringDidFailFor: region, withError: error)
  }
  /// `locationManager(_:didRange:satisfying:)`.
  public func callAsFunction(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    delegate.locationManager(manager, didRange: beacons, satisfying: beaconConstraint)
  }
  /// `locationManager(_:didFailRangingFor:error:)`.
  public func callAsFunction(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
  ) {
    delegate.locationManager(manager, didFailRangingFor: beaconConstraint, error: error)
  }
  /// `locationManager(_:didFailWithError:)`.
  public func callAsFunction(_ manager: CLLocationManager, didFailWithError error: any Error) {
    delegate.locationManager(manager, didFailWithError: error)
  }
  /// `locationManager(_:didVisit:)`.
  public func callAsFunction(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    delegate.locationManager(manager, didVisit: visit)
  }
  /// `locationManager(_:didFinishDeferredUpdatesWithError:)`.
  @available(iOS, introduced: 6.0, deprecated: 13.0)
  public func callAsFunction(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {
    delegate.locationManager(manager, didFinishDeferredUpdatesWithError: error)
  }
  /// `locationManager(_:didChangeAuthorization:)`.
  @available(iOS, introduced: 4.2, deprecated: 14.0)
  public func callAsFunction(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
    delegate.locationManager(manager, didChangeAuthorization: status)
  }
  /// `locationManager(_:didRangeBeacons:in:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0)
  public func callAsFunction(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {
    delegate.locationManager(manager, didRangeBeacons: beacons, in: region)
  }
  /// `locationManager(_:rangingBeaconsDidFailFor:withError:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0)
  public func callAsFunction(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
  ) {
    delegate.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
  }
  /// `locationManager(_:didUpdateTo:from:)`.
  @available(iOS, introduced: 2.0, deprecated: 6.0)
  public func callAsFunction(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
  ) {
    delegate.locationManager(manager, didUpdateTo: newLocation, from: oldLocation)
  }
}

/// The optional form of each call. The overloads are disfavored, so that the methods themselves and a class's own
/// `locationManager` property take precedence.
extension CLLocationManagerDelegate {
  /// Every `locationManager(_:…)`.
  @_disfavoredOverload public var locationManager: CLLocationManagerDelegateCall? {
    CLLocationManagerDelegateCall(self)
  }

  /// `locationManagerDidChangeAuthorization(_:)`.
  @_disfavoredOverload public var locationManagerDidChangeAuthorization: ((CLLocationManager) -> Void)? {
    { self.locationManagerDidChangeAuthorization($0) }
  }

  /// `locationManagerShouldDisplayHeadingCalibration(_:)`.
  @_disfavoredOverload public var locationManagerShouldDisplayHeadingCalibration: ((CLLocationManager) -> Bool)? {
    { self.locationManagerShouldDisplayHeadingCalibration($0) }
  }

  /// `locationManagerDidPauseLocationUpdates(_:)`.
  @_disfavoredOverload public var locationManagerDidPauseLocationUpdates: ((CLLocationManager) -> Void)? {
    { self.locationManagerDidPauseLocationUpdates($0) }
  }

  /// `locationManagerDidResumeLocationUpdates(_:)`.
  @_disfavoredOverload public var locationManagerDidResumeLocationUpdates: ((CLLocationManager) -> Void)? {
    { self.locationManagerDidResumeLocationUpdates($0) }
  }
}
