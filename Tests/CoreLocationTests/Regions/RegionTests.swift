import CoreLocation
import Foundation
import Testing

@Suite struct RegionTests {
  private let bern = CLLocationCoordinate2D(latitude: 46.95, longitude: 7.45)
  private func circle(_ identifier: String, radius: Double = 100) -> CLCircularRegion {
    CLCircularRegion(center: bern, radius: radius, identifier: identifier)
  }

  @Test func reportsBothWaysAtFirst() {
    #expect(circle("a").notifyOnEntry && circle("a").notifyOnExit)
    let beacon = CLBeaconRegion(uuid: UUID(), identifier: "b")
    #expect(beacon.notifyOnEntry && beacon.notifyOnExit)
    #expect(!beacon.notifyEntryStateOnDisplay)
  }

  /// NSObject's initializer and CLRegion's older one are inherited, as in Apple's classes.
  @Test func inheritedInitializersMakeEmptyRegions() throws {
    let empty = CLCircularRegion()
    #expect(empty.identifier.isEmpty && empty.radius == 0 && empty.center.latitude == 0)
    #expect(empty == CLCircularRegion(center: bern, radius: 7, identifier: ""))
    #expect(try archived(empty) == empty)
    let circle = CLCircularRegion(circularRegionWithCenter: bern, radius: 7, identifier: "older")
    #expect((circle.identifier, circle.radius, circle.center.latitude) == ("older", 7, 46.95))
    let beacon = CLBeaconRegion()
    #expect(beacon.identifier.isEmpty && beacon.major == nil && beacon.minor == nil)
    #expect(beacon.uuid.uuidString == "00000000-0000-0000-0000-000000000000")
    let read = try archived(beacon)
    #expect(read == beacon && beacon != empty)
    let older = CLBeaconRegion(circularRegionWithCenter: bern, radius: 7, identifier: "older")
    #expect(older.identifier == "older" && older.uuid == beacon.uuid && older != circle)
    let source = CLLocationSourceInformation()
    #expect(!source.isSimulatedBySoftware && !source.isProducedByAccessory)
  }

  @Test func isOneByKindAndIdentifier() {
    #expect(circle("a") == circle("a", radius: 500))
    #expect(circle("a").hash == circle("a", radius: 500).hash)
    #expect(circle("a") != circle("b"))
    #expect(circle("a") != CLBeaconRegion(uuid: UUID(), identifier: "a"))
    #expect(circle("a") == CLRegion(circularRegionWithCenter: bern, radius: 1, identifier: "a"))
    #expect(!circle("a").isEqual("a" as NSString))
    let regions: Set<CLRegion> = [
      circle("a"), circle("a", radius: 3), circle("b"), CLBeaconRegion(uuid: UUID(), identifier: "a"),
    ]
    #expect(regions.count == 3)
    #expect(regions.contains(circle("b", radius: 7)))
  }

  @Test func coversWhatIsWithinItsRadius() {
    // 0.001° of latitude is 111.2 m here.
    let north = CLLocationCoordinate2D(latitude: 46.951, longitude: 7.45)
    #expect(!circle("a", radius: 111).contains(north))
    #expect(circle("a", radius: 111.4).contains(north))
    #expect(circle("a", radius: 0).contains(bern))
    #expect(CLRegion(circularRegionWithCenter: bern, radius: 111.4, identifier: "a").contains(north))
    #expect(!circle("a", radius: 100_000_000).contains(kCLLocationCoordinate2DInvalid))
    #expect(!CLBeaconRegion(uuid: UUID(), identifier: "a").contains(bern))
  }

  @Test func aCircleSurvivesAnArchive() throws {
    let region = circle("home", radius: 250)
    region.notifyOnEntry = false
    let copy = try archived(region)
    #expect(copy.identifier == "home")
    #expect((copy.center.latitude, copy.center.longitude, copy.radius) == (46.95, 7.45, 250))
    #expect(!copy.notifyOnEntry && copy.notifyOnExit)
    #expect(CLCircularRegion(coder: try foreignArchive()) == nil)
  }

  @Test func aSetOfRegionsSurvivesAnArchive() throws {
    let regions = NSSet(array: [circle("a"), CLBeaconRegion(uuid: UUID(), identifier: "b")])
    let data = try NSKeyedArchiver.archivedData(withRootObject: regions, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSSet.self, CLCircularRegion.self, CLBeaconRegion.self], from: data)
    #expect((read as? NSSet)?.count == 2)
    #expect((read as? NSSet)?.contains(circle("a")) == true)
  }

  @Test func aCopyIsItsOwn() throws {
    let region = circle("a")
    region.notifyOnExit = false
    let copy = try #require(region.copy() as? CLCircularRegion)
    #expect(copy == region && copy !== region)
    #expect(!copy.notifyOnExit)
    copy.notifyOnExit = true
    #expect(!region.notifyOnExit)
  }
}
