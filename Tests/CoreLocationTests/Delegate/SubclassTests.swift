import CoreLocation
import Testing

/// Tests of other programs subclass Apple's classes; these tests do the same.
@Suite struct SubclassTests {
  private final class MockManager: CLLocationManager {
    var requests = 0
    override var authorizationStatus: CLAuthorizationStatus { .authorizedWhenInUse }
    override var location: CLLocation? { CLLocation(latitude: 1, longitude: 2) }
    override class func locationServicesEnabled() -> Bool { true }
    override func requestLocation() {
      requests += 1
      if let location { delegate?.locationManager?(self, didUpdateLocations: [location]) }
    }
    override func startUpdatingLocation() {}
    override func requestWhenInUseAuthorization() { delegate?.locationManagerDidChangeAuthorization?(self) }
  }

  private final class MockFloor: CLFloor, @unchecked Sendable {
    private let mockLevel: Int
    init(mock level: Int) {
      mockLevel = level
      super.init()
    }
    required init?(coder: NSCoder) { nil }
    override var level: Int { mockLevel }
  }

  private final class MockLocation: CLLocation, @unchecked Sendable {
    override var floor: CLFloor? { MockFloor(mock: 7) }
    override var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: 3, longitude: 4) }
  }

  private final class MockHeading: CLHeading, @unchecked Sendable {
    override var trueHeading: CLLocationDirection { 90 }
    override var headingAccuracy: CLLocationDirection { 1 }
  }

  private final class MockVisit: CLVisit, @unchecked Sendable {
    override var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: 5, longitude: 6) }
  }

  private final class MockBeacon: CLBeacon, @unchecked Sendable {
    override var proximity: CLProximity { .near }
  }

  private final class MockPlacemark: CLPlacemark, @unchecked Sendable {
    override var locality: String? { "Bern" }
  }

  private final class MockGeocoder: CLGeocoder {
    override func reverseGeocodeLocation(
      _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
      completionHandler(nil, CLError(.geocodeFoundNoResult))
    }
  }

  private final class Listener: NSObject, CLLocationManagerDelegate {
    var latitudes: [Double] = []
    var statuses: [CLAuthorizationStatus] = []
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
      latitudes += locations.map(\.coordinate.latitude)
    }
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
      statuses.append(manager.authorizationStatus)
    }
  }

  @Test func aManagerIsReplaced() {
    let (manager, listener) = (MockManager(), Listener())
    manager.delegate = listener
    manager.requestLocation()
    manager.requestWhenInUseAuthorization()
    #expect(listener.latitudes == [1])
    #expect(listener.statuses == [.authorizedWhenInUse])
    #expect((manager as CLLocationManager).location?.coordinate.longitude == 2)
    let type: CLLocationManager.Type = MockManager.self
    #expect(type.locationServicesEnabled())
  }

  @Test func valuesAreReplaced() throws {
    let location: CLLocation = MockLocation(latitude: 0, longitude: 0)
    #expect(location.floor?.level == 7)
    #expect(location.distance(from: CLLocation(latitude: 3, longitude: 4)) == 0)
    #expect(location.description.hasPrefix("<+3.00000000,+4.00000000>"))
    #expect((MockHeading() as CLHeading).trueHeading == 90)
    #expect((MockVisit() as CLVisit).coordinate.latitude == 5)
    #expect((MockBeacon() as CLBeacon).proximity == .near)
  }

  @Test func aGeocoderIsReplacedInBothForms() async {
    await #expect(throws: CLError(.geocodeFoundNoResult)) {
      _ = try await MockGeocoder().reverseGeocodeLocation(CLLocation(latitude: 0, longitude: 0))
    }
  }
}
