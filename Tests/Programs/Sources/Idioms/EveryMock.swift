import CoreLocation

/// Overrides with their own storage, with observers, and of class methods.
class EveryMock: CLLocationManager {
  weak var kept: CLLocationManagerDelegate?
  var accuracies: [CLLocationAccuracy] = []
  private var background = false

  override init() { super.init() }

  override var delegate: CLLocationManagerDelegate? {
    get { kept }
    set { kept = newValue }
  }
  override var desiredAccuracy: CLLocationAccuracy { didSet { accuracies.append(desiredAccuracy) } }
  override var allowsBackgroundLocationUpdates: Bool {
    get { background }
    set { background = newValue }
  }
  override var heading: CLHeading? { nil }
  override var monitoredRegions: Set<CLRegion> { [] }
  override class func authorizationStatus() -> CLAuthorizationStatus { .denied }
  override class func headingAvailable() -> Bool { true }

  // A form that is common in test code.
  // swift-format-ignore: NeverForceUnwrap
  override func startMonitoringVisits() { delegate!.locationManager!(self, didVisit: CLVisit()) }
  override func startUpdatingHeading() {}
  override func requestState(for region: CLRegion) {
    delegate?.locationManager?(self, didDetermineState: .inside, for: region)
  }
  override func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    delegate?.locationManager?(self, didRange: [], satisfying: constraint)
  }
  override func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: ((Error?) -> Void)? = nil
  ) { completion?(nil) }
}

/// The manager behind a protocol.
protocol Managing: AnyObject {
  var delegate: CLLocationManagerDelegate? { get set }
  var authorizationStatus: CLAuthorizationStatus { get }
  func requestLocation()
  static func locationServicesEnabled() -> Bool
}

extension CLLocationManager: Managing {}
