import Foundation
import Testing

@testable import CoreLocation

@Suite struct SmallValueTests {
  private static let time = Date(timeIntervalSinceReferenceDate: 700_000_000.125)

  @Test func aFloorHasALevel() throws {
    #expect(CLFloor().level == 0)
    #expect(try archived(CLFloor(level: -3)).level == -3)
    #expect((CLFloor(level: 4).copy() as? CLFloor)?.level == 4)
  }

  @Test(arguments: [true, false], [true, false])
  func aSourceSaysWhatItIs(simulated: Bool, accessory: Bool) throws {
    let source = try archived(
      CLLocationSourceInformation(softwareSimulationState: simulated, andExternalAccessoryState: accessory))
    #expect(source.isSimulatedBySoftware == simulated)
    #expect(source.isProducedByAccessory == accessory)
  }

  @Test func anEmptyHeadingIsNotValid() {
    let heading = CLHeading()
    #expect(heading.magneticHeading < 0)
    #expect(heading.trueHeading < 0)
    #expect(heading.headingAccuracy < 0)
    #expect([heading.x, heading.y, heading.z] == [0, 0, 0])
  }

  @Test func aHeadingSurvivesAnArchive() throws {
    let heading = try archived(
      CLHeading(
        HeadingValues(
          magneticHeading: 10, trueHeading: 12.5, headingAccuracy: 4, x: 1, y: -2, z: 40, timestamp: Self.time)))
    #expect([heading.magneticHeading, heading.trueHeading, heading.headingAccuracy] == [10, 12.5, 4])
    #expect([heading.x, heading.y, heading.z] == [1, -2, 40])
    #expect(heading.timestamp == Self.time)
    #expect(CLHeading(coder: try foreignArchive()) == nil)
  }

  @Test func anEmptyVisitHasNoTimes() {
    #expect(CLVisit().arrivalDate == .distantPast)
    #expect(CLVisit().departureDate == .distantFuture)
    #expect(!CLLocationCoordinate2DIsValid(CLVisit().coordinate))
  }

  @Test func aVisitSurvivesAnArchive() throws {
    let visit = try archived(
      CLVisit(
        arrival: Self.time, departure: .distantFuture,
        coordinate: CLLocationCoordinate2D(latitude: 47.5, longitude: 8.25), horizontalAccuracy: 30))
    #expect(visit.arrivalDate == Self.time)
    #expect(visit.departureDate == .distantFuture)
    #expect((visit.coordinate.latitude, visit.coordinate.longitude) == (47.5, 8.25))
    #expect(visit.horizontalAccuracy == 30)
    #expect(CLVisit(coder: try foreignArchive()) == nil)
  }
}
