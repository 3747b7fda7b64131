public import CCoreLocation
public import Foundation
import LocationIPC
import LocationPolicy

/// Delivers where this device is to a delegate, on the run loop of the thread that made the manager.
///
/// Several managers of one program have settings of their own and share one source. Everything may be overridden, as mocks do.
open class CLLocationManager: NSObject {
  let engine: ManagerEngine
  /// What is to be told of calls, once they have returned.
  let announcements = Announcements()
  /// Who waits to hear of full accuracy.
  let completions = WaitingCompletions()
  private let delegateReference = DelegateReference()
  /// The newest location that the delegate has been told, for its older form.
  var lastTold: CLLocation?
  /// Whether one location has been asked for: then the delegate has to have both methods that answer.
  private(set) var hasRequested = false

  /// A manager that asks for nothing yet; its delegate is told of the authorization soon.
  public override init() {
    engine = ManagerEngine(delivery: .current)
    super.init()
    // Held weakly: a manager that nobody holds any more goes, and asks for nothing.
    engine.listen { [weak self] in self?.deliver() }
  }

  deinit { engine.end() }

  /// Hears what the manager has to tell; held weakly.
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

  /// Whether this program may know where the device is, as `locationd` says where it serves this program. Without one always,
  /// unless receivers are there and this user may read none. What is just being found out is waited for, 1 s at most, and
  /// `notDetermined` thereafter.
  open var authorizationStatus: CLAuthorizationStatus { ProcessAuthorization.shared.current.status }
  /// Whether locations are exact, or of some kilometres.
  open var accuracyAuthorization: CLAccuracyAuthorization { ProcessAuthorization.shared.current.accuracy }
  /// Whether always is granted.
  open var isAuthorizedForWidgetUpdates: Bool { authorizationStatus == .authorizedAlways }

  /// Has the person asked for locations while in use, where that is not decided yet; the answer comes as a change of the
  /// authorization. It needs NSLocationWhenInUseUsageDescription in an Info.plist beside the program.
  open func requestWhenInUseAuthorization() { seek(always: false) }

  /// Has the person asked for locations at any time, where that is not decided yet, and once after the other. It needs
  /// NSLocationAlwaysAndWhenInUseUsageDescription as well.
  open func requestAlwaysAuthorization() { seek(always: true) }

  /// Has the person asked for full accuracy for as long as the program is in use, where it is reduced; the answer comes as a
  /// change of the authorization. Info.plist describes the purpose in NSLocationTemporaryUsageDescriptionDictionary.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// The same; `completion` is called on the manager's run loop: with `CLError.promptDeclined` where nobody was asked, as where
  /// the accuracy is not reduced. That the person said no is no error, and the accuracy stays reduced.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    // The manager stays until then, as somebody waits for it.
    let number = completions.add { [self] error in withExtendedLifetime(self) { completion?(error) } }
    ProcessAuthorization.shared.askFullAccuracy(purposeKey: purposeKey) { [engine] in
      engine.tell(.fullAccuracy(number, $0))
    }
  }

  /// The same; throws `CLError.promptDeclined`.
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
      // It is decided: nothing happens.
      case (.whenInUse, false), (.always, _), (.denied, _), (.restricted, _): return
      }
      ProcessAuthorization.shared.ask(always: always)
    }
  }

  // MARK: - Settings

  /// What the person is doing, so that the receiver expects it.
  open var activityType: CLActivityType = .other { didSet { settingsChanged() } }
  /// Metres to move before the delegate is told again; `kCLDistanceFilterNone`: every location.
  open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone { didSet { settingsChanged() } }
  /// The accuracy that is wanted, metres or a constant. The service picks the sources that can meet it.
  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest { didSet { settingsChanged() } }
  /// Whether updates may pause by themselves while the program is in the background: where nothing moves, no fix can be had, or
  /// the activity is plainly over, for minutes. They go on when it is in use again, or when it starts them; those of a service, which
  /// never is in use, when the device moves.
  open var pausesLocationUpdatesAutomatically: Bool = true { didSet { settingsChanged() } }
  /// Whether updates go on in the background. A service that is allowed always, and never is in use, does not need it.
  ///
  /// It is the program's error to set it where its Info.plist does not list `location` in UIBackgroundModes; a program without one may.
  open var allowsBackgroundLocationUpdates: Bool = false {
    didSet {
      if allowsBackgroundLocationUpdates { requireBackgroundMode() }
      settingsChanged()
    }
  }
  /// Whether updates in the background are shown.
  open var showsBackgroundLocationIndicator: Bool = false
  /// Degrees to turn before the delegate is told again.
  open var headingFilter: CLLocationDegrees = 1
  /// Whose heading is meant where it is not this device's; kept, and without effect as long as there is no compass.
  open var headingBody: (any CLBodyIdentifiable)?
  /// Which edge of the device is the top.
  open var headingOrientation: CLDeviceOrientation = .portrait
  /// Why this program wants locations: what a person who is asked reads if no Info.plist describes it. The newest of all managers
  /// counts.
  @available(iOS, deprecated: 14.0)
  open var purpose: String? { didSet { ProcessAuthorization.shared.setPurpose(purpose) } }

  // MARK: - Locations

  /// The latest location that this manager was given, else the latest that this program was; `nil` before the first.
  /// None either where this program may not know.
  open var location: CLLocation? { engine.location }

  /// Delivers locations until `stopUpdatingLocation`; the first may be one that was known before, as its timestamp tells.
  open func startUpdatingLocation() { engine.handle(.start(updateOptions)) }

  /// Ends updates, and takes back a request for one location; nothing more is told.
  open func stopUpdatingLocation() { engine.handle(.stop) }

  /// Delivers one location, or `CLError.locationUnknown`; ignored while updates run or another request is under way.
  open func requestLocation() {
    hasRequested = true
    engine.handle(.request(oneShotOptions))
  }

  func announce(_ body: @escaping (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
    announcements.add { [unowned self] in
      if let delegate { body(self, delegate) }
    }
    engine.wake()
  }

  /// Calls `completion` later on the manager's run loop; the manager stays until then, as somebody waits for it.
  private func answer(_ completion: @escaping () -> Void) {
    announcements.add { [self] in withExtendedLifetime(self) { completion() } }
    engine.wake()
  }

  private func requireBackgroundMode() {
    guard !ProgramDescription.shared.mayRunInBackground else { return }
    let words =
      "allowsBackgroundLocationUpdates is set, and UIBackgroundModes of"
      + " \(ProgramDescription.shared.folder)/Info.plist does not list location"
    // An optimised build leaves a precondition's message out.
    try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(words)\n".utf8))
    preconditionFailure(words)
  }

  private func settingsChanged() { engine.handle(.change(updateOptions)) }

  // MARK: - What goes on while the program does not run

  /// Delivers a location at first, where one is known, and then one about every 500 m, at most every 5 minutes, until it is stopped;
  /// with `locationd` also in later runs of the program. Neither the distance filter nor the accuracy that is wanted matters.
  open func startMonitoringSignificantLocationChanges() {
    SharedMonitoring.shared.handle(engine) { .significantChanges($0, isOn: true) }
  }
  /// Ends them, where no other manager has started them.
  open func stopMonitoringSignificantLocationChanges() {
    SharedMonitoring.shared.handle(engine) { .significantChanges($0, isOn: false) }
  }
  /// Delivers visits to all managers of the program, and in its later runs, until it is stopped.
  open func startMonitoringVisits() { SharedMonitoring.shared.handle(engine) { .visits($0, isOn: true) } }
  /// Ends them, where no other manager has started them.
  open func stopMonitoringVisits() { SharedMonitoring.shared.handle(engine) { .visits($0, isOn: false) } }

  /// The greatest radius of a region, metres: half way round the earth.
  open var maximumRegionMonitoringDistance: CLLocationDistance { Self.greatestRadius }
  /// The regions that are monitored for this program, by whichever manager and in whichever run. What an earlier one has left is waited
  /// for, 1 s at most. The objects are not those with which it was begun.
  open var monitoredRegions: Set<CLRegion> { Set(SharedMonitoring.shared.regions.map { .made(of: $0) }) }
  /// Has the delegate told of entering a region and leaving it, also in later runs; one of the same identifier is replaced. The delegate
  /// is told once it is monitored, or that it cannot be.
  open func startMonitoring(for region: CLRegion) { monitor(region) }
  /// Ends it.
  open func stopMonitoring(for region: CLRegion) {
    SharedMonitoring.shared.handle(engine) { _ in .remove(region.identifier) }
  }
  /// Has the delegate told where the device is with regard to a region that is monitored; of others nothing is told.
  @available(iOS, deprecated: 14.0)
  open func requestState(for region: CLRegion) {
    requestMonitoredState(of: region)
  }
  /// The same as without an accuracy: the border is crossed when the fixes are sure of it.
  @available(iOS, deprecated: 14.0)
  open func startMonitoring(for region: CLRegion, desiredAccuracy: CLLocationAccuracy) {
    startMonitoring(for: region)
  }

  // MARK: - What this device does not have yet

  /// No compass: nothing comes.
  open func startUpdatingHeading() {}
  /// Nothing to end.
  open func stopUpdatingHeading() {}
  /// Nothing is shown.
  open func dismissHeadingCalibrationDisplay() {}
  /// The direction of the device; there is no compass.
  open var heading: CLHeading? { nil }

  /// None.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }
  /// None.
  @available(iOS, deprecated: 14.0)
  open var rangedRegions: Set<CLRegion> { [] }
  /// Beacons cannot be ranged yet: the delegate is told so.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    announce { $1.locationManager($0, didFailRangingFor: constraint, error: CLError(.rangingUnavailable)) }
  }
  /// Nothing to end.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
  /// Beacons cannot be ranged yet: the delegate is told so, in the older form.
  @available(iOS, deprecated: 14.0)
  open func startRangingBeacons(in region: CLBeaconRegion) {
    announce { $1.locationManager($0, rangingBeaconsDidFailFor: region, withError: CLError(.rangingUnavailable)) }
  }
  /// Nothing to end.
  @available(iOS, deprecated: 14.0)
  open func stopRangingBeacons(in region: CLBeaconRegion) {}

  /// Nothing, as on Apple's systems since iOS 13: updates come as they are determined, and no callback follows.
  @available(iOS, deprecated: 14.0)
  open func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {}
  /// Nothing to end.
  @available(iOS, deprecated: 14.0)
  open func disallowDeferredLocationUpdates() {}

  /// There is no server that could push: `completion` is told so on the manager's run loop.
  open func startMonitoringLocationPushes(completion: ((Data?, (any Error)?) -> Void)? = nil) {
    answer { completion?(nil, CLLocationPushServiceError(.unsupportedPlatform)) }
  }
  /// There is no server that could push.
  open func startMonitoringLocationPushes() async throws -> Data {
    throw CLLocationPushServiceError(.unsupportedPlatform)
  }
  /// Nothing to end.
  open func stopMonitoringLocationPushes() {}
  /// No history is kept: `completionHandler` is told so on the manager's run loop.
  open func requestHistoricalLocations(
    purposeKey: String, sampleCount: Int, completionHandler: @escaping ([CLLocation], (any Error)?) -> Void
  ) { answer { completionHandler([], CLError(.historicalLocationError)) } }
  /// No history is kept.
  open func historicalLocations(purposeKey: String, sampleCount: Int) async throws -> [CLLocation] {
    throw CLError(.historicalLocationError)
  }

  // MARK: - What this device can do

  /// Whether location services are on: `locationd` has a switch for them.
  open class func locationServicesEnabled() -> Bool {
    !ProcessAuthorization.shared.current.authorization.isOffForAll
  }
  /// Whether headings can be had: there is no compass.
  open class func headingAvailable() -> Bool { false }
  /// Whether significant changes can be had: yes.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { true }
  /// Whether such regions can be monitored: circles can, and beacons not yet.
  open class func isMonitoringAvailable(for region: AnyClass) -> Bool {
    region is CLCircularRegion.Type || region == CLRegion.self
  }
  /// Whether beacons can be ranged; not yet.
  open class func isRangingAvailable() -> Bool { false }
  /// As the property of a manager.
  @available(iOS, deprecated: 14.0)
  open class func authorizationStatus() -> CLAuthorizationStatus { ProcessAuthorization.shared.current.status }
  /// Whether regions can be monitored: yes.
  @available(iOS, deprecated: 14.0)
  open class func regionMonitoringAvailable() -> Bool { true }
  /// Whether regions can be monitored: yes.
  @available(iOS, deprecated: 14.0)
  open class func regionMonitoringEnabled() -> Bool { true }
  /// Whether updates can be deferred: they cannot.
  @available(iOS, deprecated: 14.0)
  open class func deferredLocationUpdatesAvailable() -> Bool { false }
  /// As the class's.
  @available(iOS, deprecated: 14.0)
  open var headingAvailable: Bool { Self.headingAvailable() }
  /// As the class's.
  @available(iOS, deprecated: 14.0)
  open var locationServicesEnabled: Bool { Self.locationServicesEnabled() }
}
