#if canImport(CoreLocation)
  import CoreLocation
#endif

// A mock like those in older test suites.
class MockManager: CLLocationManager {
  var started = false
  override func startMonitoring(for region: CLRegion) {
    started = true
    delegate?.locationManager?(self, didUpdateLocations: [CLLocation(latitude: 1, longitude: 2)])
  }
  override func requestAlwaysAuthorization() {}
}

// Without `@unchecked Sendable`, the compiler warns both here and on Apple's systems.
class MockLocation: CLLocation, @unchecked Sendable {
  override var timestamp: Date { Date(timeIntervalSinceReferenceDate: 0) }
  override var floor: CLFloor? { nil }
}

let manager = MockManager()
let tracker = Tracker(manager: manager)
tracker.start()
print("tracked", manager.started, tracker.last?.coordinate.longitude ?? -1)

let location = CLLocation(
  coordinate: CLLocationCoordinate2D(latitude: 37.33, longitude: -122.03), altitude: 0, horizontalAccuracy: 5,
  verticalAccuracy: -1, timestamp: Date(timeIntervalSince1970: 1_706_994_123))
print(location)
print(word(.inside), middle(CLLocationCoordinate2DMake(0, 0), CLLocationCoordinate2DMake(2, 4)).longitude)
print(
  "same", isSame(location, location), MockLocation(latitude: 1, longitude: 1).timestamp.timeIntervalSinceReferenceDate)

let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
print("archived", copy?.coordinate.latitude ?? 0, sin(0.0))

var count = 0
CLGeocoder().geocodeAddressString("Bern") { placemarks, error in
  count += 1
  print("geocoded", placemarks?.count ?? 0, (error as? CLError)?.code == .network, Thread.isMainThread)
  CFRunLoopStop(CFRunLoopGetMain())
}
CFRunLoopRun()
print("count", count)
