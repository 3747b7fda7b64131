import CoreLocation
import Testing

@Suite struct ConstantTests {
  @Test func haveTheirValues() {
    #expect(kCLDistanceFilterNone == -1)
    #expect(kCLHeadingFilterNone == -1)
    #expect(kCLLocationAccuracyBestForNavigation == -2)
    #expect(kCLLocationAccuracyBest == -1)
    #expect(kCLLocationAccuracyNearestTenMeters == 10)
    #expect(kCLLocationAccuracyHundredMeters == 100)
    #expect(kCLLocationAccuracyKilometer == 1000)
    #expect(kCLLocationAccuracyThreeKilometers == 3000)
    #expect(kCLLocationAccuracyReduced > 3000)
    #expect(CLLocationDistanceMax == .greatestFiniteMagnitude)
    #expect(CLTimeIntervalMax == .greatestFiniteMagnitude)
    #expect(kCLErrorDomain == "kCLErrorDomain")
    #expect(kCLErrorUserInfoAlternateRegionKey == "kCLErrorUserInfoAlternateRegionKey")
    #expect(CLLocationPushServiceErrorDomain == "CLLocationPushServiceErrorDomain")
    #expect(CL_TARGET_SUPPORTS_CONDITIONS == 1)
    #expect(kCLLocationCoordinate2DInvalid.latitude == -180)
    #expect(kCLLocationCoordinate2DInvalid.longitude == -180)
  }

  @Test(arguments: [(90, 180), (-90, -180), (0, 0)])
  func coordinatesOfPlacesAreValid(latitude: Double, longitude: Double) {
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)))
  }

  @Test(arguments: [(90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0), (-180, -180)])
  func otherCoordinatesAreNot(latitude: Double, longitude: Double) {
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)))
  }

  @Test func coordinatesAreMadeByPosition() {
    let made = CLLocationCoordinate2DMake(1, 2)
    #expect((made.latitude, made.longitude) == (1, 2))
    let zero = CLLocationCoordinate2D()
    #expect((zero.latitude, zero.longitude) == (0, 0))
  }
}
