import CoreLocation

/// Follows a run: how far, how fast, and where.
public final class RunTracker: NSObject {
  /// A location that is older, seconds, or less exact, metres, is not part of a run.
  static let oldest: TimeInterval = 10
  static let leastExact: CLLocationAccuracy = 25

  /// The locations of the run, in order.
  public private(set) var route: [CLLocation] = []
  /// Metres run.
  public private(set) var distance: CLLocationDistance = 0
  /// Locations that were too old or too inexact.
  public private(set) var ignored = 0
  /// What the run ended or was interrupted by.
  public private(set) var error: CLError?
  public private(set) var isPaused = false
  /// Called after each change.
  public var onChange: ((RunTracker) -> Void)?

  private let locationManager: CLLocationManager

  public init(locationManager: CLLocationManager = CLLocationManager()) {
    self.locationManager = locationManager
    super.init()
    locationManager.delegate = self
    locationManager.activityType = .fitness
    locationManager.desiredAccuracy = kCLLocationAccuracyBest
    locationManager.distanceFilter = 2
    locationManager.pausesLocationUpdatesAutomatically = true
    locationManager.allowsBackgroundLocationUpdates = true
    locationManager.showsBackgroundLocationIndicator = true
  }

  /// Begins, once the person allows it.
  public func start() {
    switch locationManager.authorizationStatus {
    case .notDetermined: locationManager.requestAlwaysAuthorization()
    case .authorizedAlways, .authorizedWhenInUse: locationManager.startUpdatingLocation()
    default: error = CLError(.denied)
    }
  }

  public func stop() { locationManager.stopUpdatingLocation() }

  /// Seconds from the first location to the last.
  public var duration: TimeInterval {
    guard let first = route.first, let last = route.last else { return 0 }
    return last.timestamp.timeIntervalSince(first.timestamp)
  }

  /// Minutes a kilometre; `nil` before there is a distance.
  public var pace: Double? {
    let way = Measurement(value: distance, unit: UnitLength.meters).converted(to: .kilometers).value
    return way > 0 ? duration / 60 / way : nil
  }
}

extension RunTracker: CLLocationManagerDelegate {
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    if case .authorizedAlways = manager.authorizationStatus, route.isEmpty, error != nil { error = nil }
  }

  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations {
      let age = abs(location.timestamp.timeIntervalSinceNow)
      guard location.horizontalAccuracy >= 0, location.horizontalAccuracy <= Self.leastExact, age <= Self.oldest else {
        ignored += 1
        continue
      }
      if let last = route.last { distance += location.distance(from: last) }
      route.append(location)
    }
    onChange?(self)
  }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    guard let error = error as? CLError else { return }
    // It is looked for again by itself.
    if error.code == .locationUnknown { return }
    self.error = error
    if error.code == .denied { manager.stopUpdatingLocation() }
    onChange?(self)
  }

  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
    isPaused = true
    onChange?(self)
  }

  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
    isPaused = false
    onChange?(self)
  }
}
