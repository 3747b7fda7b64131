import Foundation
import Testing

@testable import CoreLocation

/// A geocoder with the data of Switzerland, Liechtenstein and Andorra that `PlacesTests` has.
@Suite struct OfflineGeocodingTests {
  private let geocoder = CLGeocoder(
    source: OfflineGeocoding(folders: [
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "PlacesTests/Cut").path
    ]))
  private let english = Locale(identifier: "en_US")

  /// The code of the error that the request throws.
  private func code(_ request: () async throws -> [CLPlacemark]) async -> CLError.Code? {
    do {
      _ = try await request()
      return nil
    } catch {
      return (error as? CLError)?.code
    }
  }

  @Test func findsTheTownOfALocation() async throws {
    let here = CLLocation(latitude: 47.1410, longitude: 9.5209)
    let found = try #require(try await geocoder.reverseGeocodeLocation(here, preferredLocale: english).first)
    #expect((found.name, found.locality) == ("Vaduz", "Vaduz"))
    #expect((found.isoCountryCode, found.country) == ("LI", "Liechtenstein"))
    #expect(found.timeZone?.identifier == "Europe/Vaduz")
    #expect(found.ocean == nil)
    #expect(found.thoroughfare == nil)
    let location = try #require(found.location)
    #expect(location.distance(from: here) < 500)
    #expect(location.horizontalAccuracy >= 500)
    let region = try #require(found.region as? CLCircularRegion)
    #expect(region.radius == location.horizontalAccuracy)
    #expect(region.identifier.hasPrefix("<+47.1415"))
    let german = try await geocoder.reverseGeocodeLocation(
      CLLocation(latitude: 47.05, longitude: 8.3), preferredLocale: Locale(identifier: "de_CH"))
    #expect(german.first?.country == "Schweiz")
  }

  @Test func findsTheOceanAndTheTimeZoneAtSea() async throws {
    let found = try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 42.05, longitude: 5.5)).first
    #expect(found?.ocean == "Mediterranean Sea")
    #expect(found?.isoCountryCode == nil)
    #expect(found?.timeZone != nil)
  }

  @Test func findsTheLocationOfATown() async throws {
    let found = try #require(try await geocoder.geocodeAddressString("Vaduz, Liechtenstein").first)
    #expect(found.locality == "Vaduz")
    #expect((found.location?.coordinate.latitude).map { abs($0 - 47.14) < 0.02 } == true)
    let parts = try await geocoder.geocodeAddressDictionary(["City": "Vaduz", "CountryCode": "LI"])
    #expect(parts.first?.locality == "Vaduz")
    let center = CLLocation(latitude: 47.17, longitude: 9.47)
    let near = try await geocoder.geocodeAddressString(
      "Buchs", inRegionCenteredAt: center, inRegionRadius: 20_000, preferredLocale: nil)
    #expect((near.first?.location?.distance(from: center)).map { $0 < 20_000 } == true)
  }

  @Test func hasAnErrorForEverythingElse() async {
    #expect(await code { try await geocoder.geocodeAddressString("") } == .geocodeFoundNoResult)
    #expect(await code { try await geocoder.geocodeAddressString("Xyzzyxyzzy") } == .geocodeFoundNoResult)
    #expect(await code { try await geocoder.geocodeAddressString("Städtle 49, Vaduz") } == .geocodeFoundPartialResult)
    #expect(
      await code { try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 91, longitude: 0)) }
        == .geocodeFoundNoResult)
    // Outside the area of the data.
    #expect(
      await code { try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 0, longitude: 100)) }
        == .geocodeFoundNoResult)
  }

  @Test func answersManyRequestsOneAfterTheOther() async throws {
    for index in 0..<2000 {
      let place = CLLocation(latitude: 46 + Double(index % 100) / 100, longitude: 7 + Double(index / 100) / 20)
      #expect(try await geocoder.reverseGeocodeLocation(place).count == 1)
    }
    #expect(!geocoder.isGeocoding)
  }

  @Test func aPlacemarkSurvivesAnArchive() async throws {
    let found = try #require(try await geocoder.geocodeAddressString("Vaduz").first)
    let data = try NSKeyedArchiver.archivedData(withRootObject: found, requiringSecureCoding: true)
    let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLPlacemark.self, from: data))
    #expect(copy.locality == found.locality)
    #expect(copy.timeZone == found.timeZone)
    #expect(copy.region == found.region)
    #expect(copy.location?.coordinate.latitude == found.location?.coordinate.latitude)
  }
}
