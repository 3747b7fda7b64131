import Foundation
import Geodesy
import Testing

@Suite struct EarthCenteredTests {
  /// The forward conversion by its definition (NGA.STND.0036, equation 4-14).
  private func earthCentered(latitude: Double, longitude: Double, height: Double) -> EarthCentered {
    let (a, f) = (6_378_137.0, 1 / 298.257223563)
    let e2 = f * (2 - f)
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    let n = a / (1 - e2 * sin(phi) * sin(phi)).squareRoot()
    return EarthCentered(
      xMeters: (n + height) * cos(phi) * cos(lambda), yMeters: (n + height) * cos(phi) * sin(lambda),
      zMeters: (n * (1 - e2) + height) * sin(phi))
  }

  @Test(arguments: [-90.0, -89.999, -33.9, -1e-7, 0, 45.2, 55.6, 90], [-6000.0, 0, 488, 9000, 2e7])
  func comesBack(latitude: Double, height: Double) throws {
    for longitude in [-179.9999, -90, 0, 8.5, 180] {
      let point = earthCentered(latitude: latitude, longitude: longitude, height: height)
      let back = try #require(point.geodetic())
      #expect(abs(back.coordinate.latitude.degrees - latitude) < 1e-11)
      #expect(abs(back.height.value - height) < 1e-7)
      guard abs(latitude) < 90 else { continue }
      #expect(abs(back.coordinate.longitude.degrees - longitude) < 1e-11)
    }
  }

  @Test func knowsNoPlaceDeepInsideTheEarth() {
    #expect(EarthCentered(xMeters: 0, yMeters: 0, zMeters: 0).geodetic() == nil)
    #expect(EarthCentered(xMeters: 0.01, yMeters: 0.02, zMeters: 0.03).geodetic() == nil)
    #expect(EarthCentered(xMeters: .nan, yMeters: 0, zMeters: 0).geodetic() == nil)
  }
}
