/// Calls a delegate's methods in the form in which optional ones are called: `delegate?.locationManager?(manager, …)`.
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

/// The optional form of each call. Disfavoured, so that the methods themselves and a class's own `locationManager` property win.
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
