public import CCoreLocation
public import Foundation
import LocationIPC
import LocationPolicy

/// Delivers the location of this device to a delegate, on the run loop of the thread that created the manager.
///
/// The managers of one program have separate settings and share one source. Everything can be overridden, for example by mocks.
open class CLLocationManager: NSObject {
  let engine: ManagerEngine
  /// Callbacks to make after the calls that caused them have returned.
  let announcements = Announcements()
  /// The completion handlers of requests for full accuracy.
  let completions = WaitingCompletions()
  private let delegateReference = DelegateReference()
  /// The newest location delivered to the delegate, for the older form of the callback.
  var lastReported: CLLocation?
  /// Whether one location has been requested: the delegate then needs both methods that report the result.
  private(set) var hasRequested = false

  /// Creates a manager without requests; its delegate receives the authorization soon.
  public override init() {
    engine = ManagerEngine(delivery: .current)
    super.init()
    // Weak: a manager without an owner is released, and its requests end.
    engine.listen { [weak self] in self?.deliver() }
  }

  deinit { engine.end() }

  /// Receives the manager's callbacks; held weakly.
  open weak var delegate: (any CLLocationManagerDelegate)? {
    get { delegateReference.value }
    set {
      delegateReference.value = newValue
      guard newValue != nil else { return }
      SharedMonitoring.shared.listen(engine)
      engine.delegateChanged()
    }
  }

  // MARK: - Authorization

  /// The program's authorization, as `locationd` reports it if it serves this program. Without `locationd` it is
  /// `authorizedAlways`, unless there are receivers and this user cannot open any of them. While the authorization is
  /// not known, the call waits for at most 1 s, and then returns `notDetermined`.
  open var authorizationStatus: CLAuthorizationStatus { ProcessAuthorization.shared.current.status }
  /// Whether locations are exact, or accurate only to within a few kilometers.
  open var accuracyAuthorization: CLAccuracyAuthorization { ProcessAuthorization.shared.current.accuracy }
  /// Whether access at any time is granted.
  open var isAuthorizedForWidgetUpdates: Bool { authorizationStatus == .authorizedAlways }

  /// Asks the user for access while the program is in use, if that is not determined yet; the answer comes as a change
  /// of the authorization. The program needs NSLocationWhenInUseUsageDescription in its Info.plist, or a `purpose`.
  open func requestWhenInUseAuthorization() { seek(always: false) }

  /// Asks the user for access at any time, if that is not determined yet, and once after when-in-use was granted. The
  /// program needs NSLocationAlwaysAndWhenInUseUsageDescription as well.
  open func requestAlwaysAuthorization() { seek(always: true) }

  /// Asks the user for full accuracy for as long as the program is in use, if it is reduced; the answer comes as a change of the
  /// authorization. Info.plist describes the purpose in NSLocationTemporaryUsageDescriptionDictionary.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// The same. `completion` is called on the manager's run loop, with `CLError.promptDeclined` if there was no prompt, for example
  /// because the accuracy is not reduced. A refusal by the user is not an error, and the accuracy stays reduced.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    // Keeps the manager alive until the completion handler has been called.
    let number = completions.add { [self] error in withExtendedLifetime(self) { completion?(error) } }
    ProcessAuthorization.shared.askFullAccuracy(purposeKey: purposeKey) { [engine] in
      engine.enqueue(.fullAccuracy(number, $0))
    }
  }

  /// The same; throws `CLError.promptDeclined` if there was no prompt.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {
    let answer = await withCheckedContinuation { continuation in
      ProcessAuthorization.shared.askFullAccuracy(purposeKey: purposeKey) { continuation.resume(returning: $0) }
    }
    if let error = CLError(answer) { throw error }
  }

  private func seek(always: Bool) {
    ProcessAuthorization.shared.whenKnown { known in
      switch (known.authorization.level, always) {
      case (.notDetermined, _), (.whenInUse, true): break
      // Already determined: nothing happens.
      case (.whenInUse, false), (.always, _), (.denied, _), (.restricted, _): return
      }
      ProcessAuthorization.shared.ask(always: always)
    }
  }

  // MARK: - Settings

  /// The activity of the user, a hint for the receiver.
  open var activityType: CLActivityType = .other { didSet { settingsChanged() } }
  /// Distance to move before the next delivery, meters; `kCLDistanceFilterNone`: every location.
  open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone { didSet { settingsChanged() } }
  /// The desired accuracy, meters or a constant. The service picks the sources that can meet it.
  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest { didSet { settingsChanged() } }
  /// Whether updates may pause automatically while the program is in the background: when, for minutes, the device has
  /// not moved, no fix was available, or the activity has clearly been over. Updates resume when the program is in use
  /// again, or when it starts them. Updates of a service, which is never in use, resume when the device moves.
  open var pausesLocationUpdatesAutomatically: Bool = true { didSet { settingsChanged() } }
  /// Whether updates continue in the background. A service with `authorizedAlways`, which is never in use, does not
  /// need this.
  ///
  /// Setting this is a programming error if the Info.plist does not list `location` in UIBackgroundModes; a program
  /// without an Info.plist may set it.
  open var allowsBackgroundLocationUpdates: Bool = false {
    didSet {
      if allowsBackgroundLocationUpdates { requireBackgroundMode() }
      settingsChanged()
    }
  }
  /// Whether updates in the background are indicated; stored, but without effect.
  open var showsBackgroundLocationIndicator: Bool = false
  /// Angle to turn before the next heading is delivered, degrees; stored, but without effect as long as there is no compass.
  open var headingFilter: CLLocationDegrees = 1
  /// The body whose heading is reported instead of this device's; stored, but without effect as long as there is no compass.
  open var headingBody: (any CLBodyIdentifiable)?
  /// The edge of the device that counts as the top of a heading; stored, but without effect as long as there is no compass.
  open var headingOrientation: CLDeviceOrientation = .portrait
  /// Why this program needs locations: the text of the prompt if no Info.plist describes it. The newest value of all managers
  /// counts.
  @available(iOS, deprecated: 14.0)
  open var purpose: String? { didSet { ProcessAuthorization.shared.setPurpose(purpose) } }

  // MARK: - Locations

  /// The latest location of this manager, or else the latest of this program; `nil` before the first location, and
  /// without authorization.
  open var location: CLLocation? { engine.location }

  /// Delivers locations until `stopUpdatingLocation`; the first may be an earlier one, as its timestamp shows.
  open func startUpdatingLocation() { engine.handle(.start(updateOptions)) }

  /// Stops updates, and cancels a request for one location; there are no further deliveries, except of deferred updates.
  open func stopUpdatingLocation() { engine.handle(.stop) }

  /// Delivers one location, or an error: `CLError.locationUnknown` or `CLError.denied`. Ignored while updates or another request
  /// are in progress.
  open func requestLocation() {
    hasRequested = true
    engine.handle(.request(oneShotOptions))
  }

  /// Defers updates while the program is in the background: they are still computed, and arrive together once the device has traveled
  /// that many meters or that many seconds have passed. `CLLocationDistanceMax` and `CLTimeIntervalMax` mean no limit.
  ///
  /// Each call ends with exactly one `locationManager(_:didFinishDeferredUpdatesWithError:)`: without an error at the distance or time;
  /// otherwise with `deferredAccuracyTooLow` (the desired accuracy must be the best, or that of navigation), `deferredDistanceFiltered`,
  /// `deferredNotUpdatingLocation`, `deferredCanceled` (by another call, or because the updates were stopped or changed), `deferredFailed`
  /// (without a receiver, without the service, or if an argument is negative or not a number) or `denied` (the access was revoked or
  /// reduced). All updates that were held are delivered before, except after `denied`.
  @available(iOS, deprecated: 14.0)
  open func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
    engine.handle(.allowDeferral(DeferralLimits(untilTraveled: distance, timeout: timeout)))
  }
  /// Ends the deferral: updates that were held are delivered, and the call that has deferred them ends with `deferredCanceled`.
  @available(iOS, deprecated: 14.0)
  open func disallowDeferredLocationUpdates() { engine.handle(.disallowDeferral) }

  func announce(_ body: @escaping (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
    announcements.add { [unowned self] in
      if let delegate { body(self, delegate) }
    }
    engine.wake()
  }

  /// Calls `completion` later on the manager's run loop; the manager is kept alive until then.
  private func answer(_ completion: @escaping () -> Void) {
    announcements.add { [self] in withExtendedLifetime(self) { completion() } }
    engine.wake()
  }

  private func requireBackgroundMode() {
    guard !ProgramDescription.shared.mayRunInBackground else { return }
    let words =
      "allowsBackgroundLocationUpdates is set, and UIBackgroundModes of"
      + " \(ProgramDescription.shared.folder)/Info.plist does not list location"
    // An optimized build omits a precondition's message.
    try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(words)\n".utf8))
    preconditionFailure(words)
  }

  private func settingsChanged() { engine.handle(.change(updateOptions)) }

  // MARK: - Monitoring while the program does not run

  /// Delivers a known location at once, and then one about every 500 m, at most every 5 minutes, until the monitoring
  /// is stopped; with `locationd` also in later runs of the program. The distance filter and the desired accuracy have
  /// no effect.
  open func startMonitoringSignificantLocationChanges() {
    SharedMonitoring.shared.handle(engine) { .significantChanges($0, isOn: true) }
  }
  /// Stops the significant changes of the program, unless another manager has started them.
  open func stopMonitoringSignificantLocationChanges() {
    SharedMonitoring.shared.handle(engine) { .significantChanges($0, isOn: false) }
  }
  /// Delivers visits to all managers of the program, also in its later runs, until the monitoring is stopped.
  open func startMonitoringVisits() { SharedMonitoring.shared.handle(engine) { .visits($0, isOn: true) } }
  /// Stops the visits of the program, unless another manager has started them.
  open func stopMonitoringVisits() { SharedMonitoring.shared.handle(engine) { .visits($0, isOn: false) } }

  /// The greatest radius of a region, meters: half the Earth's circumference.
  open var maximumRegionMonitoringDistance: CLLocationDistance { Self.greatestRadius }
  /// The regions monitored for this program, by any manager and in any run. The call waits for the regions of an
  /// earlier run, for at most 1 s. The objects differ from those passed to `startMonitoring(for:)`.
  open var monitoredRegions: Set<CLRegion> { Set(SharedMonitoring.shared.regions.map { .made(of: $0) }) }
  /// Notifies the delegate of entries into a region and exits from it, also in later runs. A region with the same
  /// identifier is replaced. The delegate is notified when the monitoring has started or has failed.
  open func startMonitoring(for region: CLRegion) { monitor(region) }
  /// Stops the monitoring of a region.
  open func stopMonitoring(for region: CLRegion) {
    SharedMonitoring.shared.handle(engine) { _ in .remove(region.identifier) }
  }
  /// Requests the state of a monitored region, which is delivered to the delegate; ignored for other regions.
  @available(iOS, deprecated: 14.0)
  open func requestState(for region: CLRegion) {
    requestMonitoredState(of: region)
  }
  /// The same as `startMonitoring(for:)`; the accuracy has no effect: a crossing is reported when the fixes leave no
  /// doubt.
  @available(iOS, deprecated: 14.0)
  open func startMonitoring(for region: CLRegion, desiredAccuracy: CLLocationAccuracy) {
    startMonitoring(for: region)
  }

  // MARK: - Not supported yet

  /// Does nothing: there is no compass.
  open func startUpdatingHeading() {}
  /// Does nothing.
  open func stopUpdatingHeading() {}
  /// Does nothing: nothing is displayed.
  open func dismissHeadingCalibrationDisplay() {}
  /// Always `nil`: there is no compass.
  open var heading: CLHeading? { nil }

  /// Always empty.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }
  /// Always empty.
  @available(iOS, deprecated: 14.0)
  open var rangedRegions: Set<CLRegion> { [] }
  /// Ranging is not supported yet: the delegate receives an error.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    announce { $1.locationManager($0, didFailRangingFor: constraint, error: CLError(.rangingUnavailable)) }
  }
  /// Does nothing.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
  /// Ranging is not supported yet: the delegate receives an error, in the older form.
  @available(iOS, deprecated: 14.0)
  open func startRangingBeacons(in region: CLBeaconRegion) {
    announce { $1.locationManager($0, rangingBeaconsDidFailFor: region, withError: CLError(.rangingUnavailable)) }
  }
  /// Does nothing.
  @available(iOS, deprecated: 14.0)
  open func stopRangingBeacons(in region: CLBeaconRegion) {}

  /// There is no push server: `completion` is called with an error on the manager's run loop.
  open func startMonitoringLocationPushes(completion: ((Data?, (any Error)?) -> Void)? = nil) {
    answer { completion?(nil, CLLocationPushServiceError(.unsupportedPlatform)) }
  }
  /// Always throws: there is no push server.
  open func startMonitoringLocationPushes() async throws -> Data {
    throw CLLocationPushServiceError(.unsupportedPlatform)
  }
  /// Does nothing.
  open func stopMonitoringLocationPushes() {}
  /// There is no history: `completionHandler` is called with an error on the manager's run loop.
  open func requestHistoricalLocations(
    purposeKey: String, sampleCount: Int, completionHandler: @escaping ([CLLocation], (any Error)?) -> Void
  ) { answer { completionHandler([], CLError(.historicalLocationError)) } }
  /// Always throws: there is no history.
  open func historicalLocations(purposeKey: String, sampleCount: Int) async throws -> [CLLocation] {
    throw CLError(.historicalLocationError)
  }

  // MARK: - Capabilities of this device

  /// Whether location services are on; the administrator can switch them off in `locationd`.
  open class func locationServicesEnabled() -> Bool {
    !ProcessAuthorization.shared.current.authorization.isOffForAll
  }
  /// Always `false`: there is no compass.
  open class func headingAvailable() -> Bool { false }
  /// Always `true`: significant changes are supported.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { true }
  /// Whether regions of this class can be monitored: circles can, beacons not yet.
  open class func isMonitoringAvailable(for region: AnyClass) -> Bool {
    region is CLCircularRegion.Type || region == CLRegion.self
  }
  /// Always `false`: ranging is not supported yet.
  open class func isRangingAvailable() -> Bool { false }
  /// The same as the property of a manager.
  @available(iOS, deprecated: 14.0)
  open class func authorizationStatus() -> CLAuthorizationStatus { ProcessAuthorization.shared.current.status }
  /// Always `true`: regions can be monitored.
  @available(iOS, deprecated: 14.0)
  open class func regionMonitoringAvailable() -> Bool { true }
  /// Always `true`: regions can be monitored.
  @available(iOS, deprecated: 14.0)
  open class func regionMonitoringEnabled() -> Bool { true }
  /// Always `true`: updates can be deferred, on a machine with a receiver.
  @available(iOS, deprecated: 14.0)
  open class func deferredLocationUpdatesAvailable() -> Bool { true }
  /// The same as the class method.
  @available(iOS, deprecated: 14.0)
  open var headingAvailable: Bool { Self.headingAvailable() }
  /// The same as the class method.
  @available(iOS, deprecated: 14.0)
  open var locationServicesEnabled: Bool { Self.locationServicesEnabled() }
}
