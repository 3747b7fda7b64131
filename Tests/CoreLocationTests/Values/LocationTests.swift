import Foundation
import Testing

@testable import CoreLocation

@Suite struct LocationTests {
  private static let place = CLLocationCoordinate2D(latitude: 47.5, longitude: 8.25)
  private static let time = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
  private static let full = CLLocation(
    coordinate: place, altitude: 300, horizontalAccuracy: 5, verticalAccuracy: 6, course: 90, courseAccuracy: 2,
    speed: 3, speedAccuracy: 0.5, timestamp: time,
    sourceInfo: CLLocationSourceInformation(softwareSimulationState: false, andExternalAccessoryState: true))

  /// Altitude, horizontal and vertical accuracy, course, its accuracy, speed, its accuracy.
  private func numbers(_ location: CLLocation) -> [Double] {
    [
      location.altitude, location.horizontalAccuracy, location.verticalAccuracy, location.course,
      location.courseAccuracy, location.speed, location.speedAccuracy,
    ]
  }

  @Test func aPlaceIsExactAndNow() {
    let before = Date()
    let location = CLLocation(latitude: 47.5, longitude: 8.25)
    #expect((location.coordinate.latitude, location.coordinate.longitude) == (47.5, 8.25))
    #expect(numbers(location) == [0, 0, -1, -1, -1, -1, -1])
    #expect(location.timestamp >= before && location.timestamp <= Date())
    #expect(location.floor == nil)
    #expect(location.sourceInformation == nil)
  }

  @Test func missingFieldsAreUnknown() {
    let short = CLLocation(
      coordinate: Self.place, altitude: 300, horizontalAccuracy: 5, verticalAccuracy: 6, timestamp: Self.time)
    #expect(numbers(short) == [300, 5, 6, -1, -1, -1, -1])
    let moving = CLLocation(
      coordinate: Self.place, altitude: 300, horizontalAccuracy: 5, verticalAccuracy: 6, course: 90, speed: 3,
      timestamp: Self.time)
    #expect(numbers(moving) == [300, 5, 6, 90, -1, 3, -1])
    let exact = CLLocation(
      coordinate: Self.place, altitude: 300, horizontalAccuracy: 5, verticalAccuracy: 6, course: 90, courseAccuracy: 2,
      speed: 3, speedAccuracy: 0.5, timestamp: Self.time)
    #expect(numbers(exact) == [300, 5, 6, 90, 2, 3, 0.5])
    #expect(exact.sourceInformation == nil)
    #expect(exact.timestamp == Self.time)
    #expect(numbers(Self.full) == [300, 5, 6, 90, 2, 3, 0.5])
    #expect(Self.full.sourceInformation?.isProducedByAccessory == true)
    #expect(Self.full.sourceInformation?.isSimulatedBySoftware == false)
  }

  @Test func nothingIsKnownOfAnEmptyOne() {
    #expect(CLLocation().horizontalAccuracy < 0)
    #expect(CLLocation().verticalAccuracy < 0)
  }

  @Test func onlySourcesReportAHeightAboveTheEllipsoid() {
    #expect(Self.full.ellipsoidalAltitude == 0)
    let fix = CLLocation(LocationValues(altitude: 300, ellipsoidalAltitude: 347.5, verticalAccuracy: 5))
    #expect(fix.ellipsoidalAltitude == 347.5)
  }

  @Test func distanceFollowsTheEllipsoid() {
    let stops = [-111.0, -112, -113].map { CLLocation(latitude: 41, longitude: $0) }
    let way = stops[0].distance(from: stops[1]) + stops[1].distance(from: stops[2])
    #expect(abs(way - 168_269.45) < 0.01)
    #expect(stops[0].getDistanceFrom(stops[1]) == stops[1].distance(from: stops[0]))
  }

  @Test func distanceGoesTheShortWayRound() {
    let east = CLLocation(latitude: 0, longitude: 179.5)
    #expect(abs(east.distance(from: CLLocation(latitude: 0, longitude: -179.5)) - 111_319.49) < 0.01)
    #expect(
      east.distance(from: CLLocation(latitude: 0, longitude: 180.5))
        == east.distance(from: CLLocation(latitude: 0, longitude: -179.5)))
    #expect(east.distance(from: east) == 0)
  }

  @Test(arguments: [(91, 0), (-180, -180), (.nan, 0), (0, .nan), (0, .infinity)])
  func thereIsNoDistanceToNowhere(latitude: Double, longitude: Double) {
    let nowhere = CLLocation(latitude: latitude, longitude: longitude)
    #expect(nowhere.distance(from: Self.full).isNaN)
    #expect(Self.full.distance(from: nowhere).isNaN)
  }

  @Test func isPrintedAsInTheField() {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 37.33, longitude: -122.03), altitude: 0, horizontalAccuracy: 5,
      verticalAccuracy: -1, timestamp: Self.time)
    let words = "<+37.33000000,-122.03000000> +/- 5.00m (speed -1.00 mps / course -1.00) @ "
    #expect(location.description.hasPrefix(words))
    #expect(location.description.dropFirst(words.count).contains("23"), "the year 2023, in the person's own form")
  }

  @Test func isPrintedInThePersonsOwnForm() {
    #expect(DescriptionTime.localeIdentifier(in: ["LANG": "de_CH.UTF-8"]) == "de_CH")
    #expect(DescriptionTime.localeIdentifier(in: ["LANG": "de_CH.UTF-8", "LC_TIME": "fr_FR@euro"]) == "fr_FR")
    #expect(DescriptionTime.localeIdentifier(in: ["LC_ALL": "sv_SE", "LC_TIME": "fr_FR"]) == "sv_SE")
    #expect(DescriptionTime.localeIdentifier(in: ["LC_ALL": "", "LANG": "C.UTF-8"]) == "en_US")
    #expect(DescriptionTime.localeIdentifier(in: [:]) == "en_US")
    let german = DescriptionTime.words(Self.time, environment: ["LANG": "de_DE.UTF-8"])
    let american = DescriptionTime.words(Self.time, environment: [:])
    #expect(german.contains(".03.23") && american.contains("/23"), "\(german) \(american)")
  }

  @Test func survivesAnArchive() throws {
    let values = LocationValues(
      coordinate: Self.place, altitude: 300, ellipsoidalAltitude: 347.5, horizontalAccuracy: 5, verticalAccuracy: 6,
      course: 90, courseAccuracy: 2, speed: 3, speedAccuracy: 0.5, timestamp: Self.time, floor: CLFloor(level: -2),
      sourceInformation: CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false))
    let copy = try archived(CLLocation(values))
    #expect((copy.coordinate.latitude, copy.coordinate.longitude) == (47.5, 8.25))
    #expect(numbers(copy) == [300, 5, 6, 90, 2, 3, 0.5])
    #expect(copy.ellipsoidalAltitude == 347.5)
    #expect(copy.timestamp == Self.time)
    #expect(copy.floor?.level == -2)
    #expect(copy.sourceInformation?.isSimulatedBySoftware == true)
    #expect(copy.sourceInformation?.isProducedByAccessory == false)
    #expect(try archived(CLLocation(latitude: 1, longitude: 2)).floor == nil)
  }

  @Test func isNotReadFromSomethingElse() throws {
    #expect(CLLocation(coder: try foreignArchive()) == nil)
  }

  @Test func aCopyIsAsGood() {
    #expect((Self.full.copy() as? CLLocation)?.altitude == 300)
  }

  @Test func crossesTasks() async {
    let location = await Task.detached { Self.full }.value
    #expect(location === Self.full)
  }
}
