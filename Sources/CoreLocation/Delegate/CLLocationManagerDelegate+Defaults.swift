/// What stands for a requirement that a class does not have.
extension CLLocationManagerDelegate {
  /// Calls the older form with the newest location, and the one before it; the first one ever stands for both.
  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let newest = locations.last else { return }
    locationManager(manager, didUpdateTo: newest, from: locations.dropLast().last ?? manager.lastTold ?? newest)
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
  /// Does nothing; where one location was asked for, it says on standard error that this must be there.
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
  /// Does nothing; where one location was asked for, it says on standard error that the newer form must be there.
  @available(iOS, introduced: 2.0, deprecated: 6.0)
  public func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
  ) { complain(of: manager, "locationManager(_:didUpdateLocations:)") }
  /// Calls the older form.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }
  /// No.
  public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }
  /// Does nothing.
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
  /// Does nothing.
  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
}

extension CLLocationManagerDelegate {
  private func complain(of manager: CLLocationManager, _ method: String) {
    guard manager.hasRequested else { return }
    Complaint.deafDelegate(type: "\(type(of: self))", method: method).say()
  }
}
