import CoreLocation
import Testing

@Suite struct ManagerDefaultTests {
  @Test func propertiesHaveDocumentedDefaults() {
    let manager = CLLocationManager()
    #expect(manager.delegate == nil)
    #expect(manager.activityType == .other)
    #expect(manager.distanceFilter == kCLDistanceFilterNone)
    #expect(manager.desiredAccuracy == kCLLocationAccuracyBest)
    #expect(manager.pausesLocationUpdatesAutomatically)
    #expect(!manager.allowsBackgroundLocationUpdates)
    #expect(!manager.showsBackgroundLocationIndicator)
    #expect(manager.headingFilter == 1)
    #expect(manager.headingOrientation == .portrait)
    #expect(manager.heading == nil)
    #expect(manager.location == nil)
    #expect(manager.purpose == nil)
    #expect(manager.rangedBeaconConstraints.isEmpty)
  }

  @Test func whatTheDeviceLacksIsReported() {
    #expect(!CLLocationManager.headingAvailable())
    #expect(!CLLocationManager.isRangingAvailable())
    #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
  }

  @Test func updatesCanBeDeferred() { #expect(CLLocationManager.deferredLocationUpdatesAvailable()) }

  @Test func whatIsMonitoredIsReported() {
    final class Own: CLCircularRegion {}
    #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
    #expect(CLLocationManager.isMonitoringAvailable(for: Own.self))
    #expect(CLLocationManager.isMonitoringAvailable(for: CLRegion.self))
    #expect(!CLLocationManager.isMonitoringAvailable(for: CLLocation.self))
    #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
    #expect(CLLocationManager().maximumRegionMonitoringDistance == 20_003_931)
  }

  @Test func itsDelegateIsItsOwnersToKeep() {
    final class Delegate: NSObject, CLLocationManagerDelegate {}
    let manager = CLLocationManager()
    var delegate: Delegate? = Delegate()
    manager.delegate = delegate
    #expect(manager.delegate === delegate)
    delegate = nil
    #expect(manager.delegate == nil)
  }
}
