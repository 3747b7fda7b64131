public import CCoreLocation
public import Foundation

/// Asks for locations and tells a delegate of them.
open class CLLocationManager: NSObject {
  /// A manager.
  public override init() { super.init() }
  /// To come.
  open class func locationServicesEnabled() -> Bool { false }
  /// To come.
  open class func headingAvailable() -> Bool { false }
  /// To come.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { false }
  /// To come.
  open class func isMonitoringAvailable(for region: AnyClass) -> Bool { false }
  /// To come.
  open class func isRangingAvailable() -> Bool { false }
  /// To come.
  @available(iOS, deprecated: 14.0)
  open class func authorizationStatus() -> CLAuthorizationStatus { .denied }
  /// To come.
  @available(iOS, deprecated: 14.0)
  open class func regionMonitoringAvailable() -> Bool { false }
  /// To come.
  @available(iOS, deprecated: 14.0)
  open class func regionMonitoringEnabled() -> Bool { false }
  /// To come.
  @available(iOS, deprecated: 14.0)
  open class func deferredLocationUpdatesAvailable() -> Bool { false }
  /// To come.
  open weak var delegate: (any CLLocationManagerDelegate)?
  /// To come.
  open var authorizationStatus: CLAuthorizationStatus { .denied }
  /// To come.
  open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
  /// To come.
  open var isAuthorizedForWidgetUpdates: Bool { false }
  /// To come.
  open var activityType: CLActivityType = .other
  /// To come.
  open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
  /// To come.
  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  /// To come.
  open var pausesLocationUpdatesAutomatically: Bool = true
  /// To come.
  open var allowsBackgroundLocationUpdates: Bool = false
  /// To come.
  open var showsBackgroundLocationIndicator: Bool = false
  /// To come.
  open var location: CLLocation? { nil }
  /// To come.
  open var headingFilter: CLLocationDegrees = 1
  /// To come.
  open var headingOrientation: CLDeviceOrientation = .portrait
  /// To come.
  open var heading: CLHeading? { nil }
  /// To come.
  open var maximumRegionMonitoringDistance: CLLocationDistance { -1 }
  /// To come.
  open var monitoredRegions: Set<CLRegion> { [] }
  /// To come.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }
  /// To come.
  @available(iOS, deprecated: 14.0)
  open var rangedRegions: Set<CLRegion> { [] }
  /// To come.
  @available(iOS, deprecated: 14.0)
  open var purpose: String?
  /// To come.
  @available(iOS, deprecated: 14.0)
  open var headingAvailable: Bool { false }
  /// To come.
  @available(iOS, deprecated: 14.0)
  open var locationServicesEnabled: Bool { false }
  /// To come.
  open func requestWhenInUseAuthorization() {}
  /// To come.
  open func requestAlwaysAuthorization() {}
  /// To come.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {}
  /// To come.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {}
  /// To come.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {
    throw CLError(.denied)
  }
  /// To come.
  open func startUpdatingLocation() {}
  /// To come.
  open func stopUpdatingLocation() {}
  /// To come.
  open func requestLocation() {}
  /// To come.
  open func startUpdatingHeading() {}
  /// To come.
  open func stopUpdatingHeading() {}
  /// To come.
  open func dismissHeadingCalibrationDisplay() {}
  /// To come.
  open func startMonitoringSignificantLocationChanges() {}
  /// To come.
  open func stopMonitoringSignificantLocationChanges() {}
  /// To come.
  open func startMonitoringVisits() {}
  /// To come.
  open func stopMonitoringVisits() {}
  /// To come.
  open func startMonitoring(for region: CLRegion) {}
  /// To come.
  open func stopMonitoring(for region: CLRegion) {}
  /// To come.
  @available(iOS, deprecated: 14.0)
  open func requestState(for region: CLRegion) {}
  /// To come.
  @available(iOS, deprecated: 14.0)
  open func startMonitoring(for region: CLRegion, desiredAccuracy: CLLocationAccuracy) {}
  /// To come.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
  /// To come.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
  /// To come.
  @available(iOS, deprecated: 14.0)
  open func startRangingBeacons(in region: CLBeaconRegion) {}
  /// To come.
  @available(iOS, deprecated: 14.0)
  open func stopRangingBeacons(in region: CLBeaconRegion) {}
  /// To come.
  @available(iOS, deprecated: 14.0)
  open func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {}
  /// To come.
  @available(iOS, deprecated: 14.0)
  open func disallowDeferredLocationUpdates() {}
  /// To come.
  open func startMonitoringLocationPushes(completion: ((Data?, (any Error)?) -> Void)? = nil) {}
  /// To come.
  open func startMonitoringLocationPushes() async throws -> Data { throw CLError(.denied) }
  /// To come.
  open func stopMonitoringLocationPushes() {}
  /// To come.
  open func requestHistoricalLocations(
    purposeKey: String, sampleCount: Int, completionHandler: @escaping ([CLLocation], (any Error)?) -> Void
  ) {}
  /// To come.
  open func historicalLocations(purposeKey: String, sampleCount: Int) async throws -> [CLLocation] {
    throw CLError(.denied)
  }
}
