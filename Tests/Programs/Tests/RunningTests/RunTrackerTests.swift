import CoreLocation
import XCTest

@testable import Running

/// Tests that depend on Core Location, in the form of most projects.
final class RunTrackerTests: XCTestCase {
  private let manager = MockLocationManager()
  private lazy var tracker = RunTracker(locationManager: manager)

  /// A location this many meters north of 47°, with this age and accuracy.
  private func place(_ metres: Double, age: TimeInterval = 0, accuracy: CLLocationAccuracy = 5) -> CLLocation {
    CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 47 + metres / 111_180, longitude: 8), altitude: 400,
      horizontalAccuracy: accuracy, verticalAccuracy: 8, timestamp: Date(timeIntervalSinceNow: -age))
  }

  func testSettings() {
    _ = tracker
    XCTAssertEqual(manager.activityType, .fitness)
    XCTAssertEqual(manager.distanceFilter, 2)
    XCTAssertTrue(manager.allowsBackgroundLocationUpdates)
    XCTAssertTrue(manager.pausesLocationUpdatesAutomatically)
    XCTAssertTrue(manager.delegate === tracker)
  }

  func testDistanceIsSummed() throws {
    manager.places = [place(0, age: 4), place(100, age: 2), place(40)]
    tracker.start()
    XCTAssertEqual(manager.calls, ["start"])
    XCTAssertEqual(tracker.distance, 160, accuracy: 0.5)
    XCTAssertEqual(tracker.duration, 4, accuracy: 0.1)
    XCTAssertEqual(try XCTUnwrap(tracker.pace), 4.0 / 60 / 0.16, accuracy: 0.02)
  }

  func testOldAndInexactLocationsAreIgnored() {
    manager.places = [
      place(5000, age: 60), place(0), place(900, accuracy: 300), place(900, accuracy: -1), place(10), CLLocation(),
    ]
    tracker.start()
    XCTAssertEqual(tracker.route.count, 2)
    XCTAssertEqual(tracker.ignored, 4)
    XCTAssertEqual(tracker.distance, 10, accuracy: 0.1)
  }

  func testAuthorizationIsAskedFor() {
    manager.status = .notDetermined
    tracker.start()
    XCTAssertEqual(manager.calls, ["requestAlways"])
    tracker.start()
    XCTAssertEqual(manager.calls, ["requestAlways", "start"])
  }

  func testDenialEndsTheRun() {
    manager.status = .denied
    tracker.start()
    XCTAssertEqual(tracker.error?.code, .denied)
    manager.delegate?.locationManager?(manager, didFailWithError: CLError(.locationUnknown))
    XCTAssertEqual(manager.calls, [])
    manager.delegate?.locationManager?(manager, didFailWithError: CLError(.denied))
    XCTAssertEqual(manager.calls, ["stop"])
  }

  func testPauses() {
    _ = tracker
    manager.delegate?.locationManagerDidPauseLocationUpdates?(manager)
    XCTAssertTrue(tracker.isPaused)
    manager.delegate?.locationManagerDidResumeLocationUpdates?(manager)
    XCTAssertFalse(tracker.isPaused)
  }

  func testRequestWithoutAPlace() {
    tracker.start()
    manager.requestLocation()
    XCTAssertNil(tracker.error)
    manager.places = [MockLocation(latitude: 47, longitude: 8)]
    manager.requestLocation()
    XCTAssertEqual(tracker.route.last?.speed, 2.5)
  }

  /// A real manager, whose first callback comes on the run loop that a waiting test runs.
  func testARealManagerReportsItsDelegate() {
    final class Listener: NSObject, CLLocationManagerDelegate {
      let reported: XCTestExpectation
      init(_ reported: XCTestExpectation) { self.reported = reported }
      func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { reported.fulfill() }
    }
    let listener = Listener(expectation(description: "authorization"))
    let manager = CLLocationManager()
    manager.delegate = listener
    wait(for: [listener.reported], timeout: 30)
  }
}
