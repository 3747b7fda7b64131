import Foundation
import Testing

@testable import CoreLocation

@Suite struct BeaconTests {
  private let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  @Test func aConstraintIsItsThreeParts() {
    let one = CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2)
    #expect((one.uuid, one.major, one.minor) == (uuid, 1, 2))
    #expect(one == CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2))
    #expect(one.hash == CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2).hash)
    #expect(one != CLBeaconIdentityConstraint(uuid: uuid, major: 1))
    #expect(one != CLBeaconIdentityConstraint(uuid: UUID(), major: 1, minor: 2))
    #expect(CLBeaconIdentityConstraint(uuid: uuid) != CLBeaconIdentityConstraint(uuid: uuid, major: 0))
    let set: Set = [one, CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2), .init(uuid: uuid)]
    #expect(set.count == 2)
  }

  @Test func aConstraintSurvivesAnArchive() throws {
    for constraint in [
      CLBeaconIdentityConstraint(uuid: uuid), .init(uuid: uuid, major: 65535), .init(uuid: uuid, major: 0, minor: 0),
    ] {
      #expect(try archived(constraint) == constraint)
    }
    #expect(CLBeaconIdentityConstraint(coder: try foreignArchive()) == nil)
  }

  @Test func aRegionHasItsConstraint() {
    let regions = [
      CLBeaconRegion(uuid: uuid, identifier: "a"), CLBeaconRegion(uuid: uuid, major: 7, identifier: "a"),
      CLBeaconRegion(uuid: uuid, major: 7, minor: 8, identifier: "a"),
      CLBeaconRegion(proximityUUID: uuid, identifier: "a"),
      CLBeaconRegion(proximityUUID: uuid, major: 7, identifier: "a"),
      CLBeaconRegion(proximityUUID: uuid, major: 7, minor: 8, identifier: "a"),
      CLBeaconRegion(beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid, major: 9), identifier: "a"),
    ]
    #expect(regions.map { $0.major?.intValue } == [nil, 7, 7, nil, 7, 7, 9])
    #expect(regions.map { $0.minor?.intValue } == [nil, nil, 8, nil, nil, 8, nil])
    #expect(regions.allSatisfy { $0.uuid == uuid && $0.proximityUUID == uuid && $0.identifier == "a" })
    #expect(regions[6].beaconIdentityConstraint == CLBeaconIdentityConstraint(uuid: uuid, major: 9))
  }

  @Test func aRegionSurvivesAnArchiveAndACopy() throws {
    let region = CLBeaconRegion(uuid: uuid, major: 7, minor: 8, identifier: "shop")
    region.notifyEntryStateOnDisplay = true
    region.notifyOnExit = false
    for copy in [try archived(region), try #require(region.copy() as? CLBeaconRegion)] {
      #expect(copy == region && copy !== region)
      #expect(copy.beaconIdentityConstraint == region.beaconIdentityConstraint)
      #expect(copy.notifyEntryStateOnDisplay && copy.notifyOnEntry && !copy.notifyOnExit)
    }
    #expect(CLBeaconRegion(coder: try foreignArchive()) == nil)
  }

  @Test func aRegionSaysWhatToAdvertise() {
    let region = CLBeaconRegion(uuid: uuid, major: 0x0102, minor: 0x0304, identifier: "a")
    let id = [UInt8](1...16)
    let key = "kCBAdvDataAppleBeaconKey" as NSString
    let data = region.peripheralData(withMeasuredPower: -70).object(forKey: key) as? NSData
    #expect(data == NSData(data: Data(id + [1, 2, 3, 4, 0xBA])))
    let usual = region.peripheralData(withMeasuredPower: nil).object(forKey: key) as? NSData
    #expect(usual == NSData(data: Data(id + [1, 2, 3, 4, 0xC5])))
  }

  @Test func aBeaconSurvivesAnArchive() throws {
    let time = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
    let beacon = try archived(
      CLBeacon(
        BeaconValues(timestamp: time, uuid: uuid, major: 65535, minor: 2, proximity: .near, accuracy: 1.5, rssi: -60)))
    #expect((beacon.uuid, beacon.major.intValue, beacon.minor.intValue) == (uuid, 65535, 2))
    #expect((beacon.timestamp, beacon.proximity, beacon.accuracy, beacon.rssi) == (time, .near, 1.5, -60))
    #expect(beacon.proximityUUID == uuid)
    #expect(CLBeacon(coder: try foreignArchive()) == nil)
  }

  @Test func nothingIsKnownOfAnEmptyBeacon() {
    #expect(CLBeacon().proximity == .unknown)
    #expect(CLBeacon().accuracy < 0)
  }
}
