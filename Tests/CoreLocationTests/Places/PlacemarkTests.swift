import Foundation
import Testing

@testable import CoreLocation

@Suite struct PlacemarkTests {
  private let placemark = CLPlacemark(
    PlacemarkValues(
      location: CLLocation(latitude: 46.95, longitude: 7.45),
      region: CLCircularRegion(center: .init(latitude: 46.95, longitude: 7.45), radius: 70, identifier: "here"),
      timeZone: TimeZone(identifier: "Europe/Zurich"), name: "Bundeshaus", thoroughfare: "Bundesplatz",
      subThoroughfare: "3", locality: "Bern", subLocality: "Innere Stadt", administrativeArea: "BE",
      subAdministrativeArea: "Bern-Mittelland", postalCode: "3011", isoCountryCode: "CH", country: "Switzerland",
      inlandWater: "Aare", ocean: "none", areasOfInterest: ["Bundeshaus", "Bundesplatz"]))

  private func texts(_ place: CLPlacemark) -> [String?] {
    [
      place.name, place.thoroughfare, place.subThoroughfare, place.locality, place.subLocality,
      place.administrativeArea, place.subAdministrativeArea, place.postalCode, place.isoCountryCode, place.country,
      place.inlandWater, place.ocean,
    ]
  }

  @Test func survivesAnArchiveAndCopies() throws {
    let all: [String?] = [
      "Bundeshaus", "Bundesplatz", "3", "Bern", "Innere Stadt", "BE", "Bern-Mittelland", "3011", "CH", "Switzerland",
      "Aare", "none",
    ]
    for place in [placemark, try archived(placemark), CLPlacemark(placemark: placemark)] {
      #expect(texts(place) == all)
      #expect(place.location?.coordinate.latitude == 46.95)
      #expect((place.region as? CLCircularRegion)?.radius == 70)
      #expect(place.timeZone?.identifier == "Europe/Zurich")
      #expect(place.areasOfInterest == ["Bundeshaus", "Bundesplatz"])
    }
  }

  @Test func unknownValuesAreNil() throws {
    let empty = try archived(CLPlacemark(PlacemarkValues()))
    #expect(texts(empty).allSatisfy { $0 == nil })
    #expect(empty.location == nil && empty.region == nil && empty.timeZone == nil && empty.areasOfInterest == nil)
    #expect(empty.addressDictionary == nil)
  }

  @Test func itsRegionCannotBeChanged() {
    placemark.region?.notifyOnEntry = false
    #expect(placemark.region?.notifyOnEntry == true)
  }

  @Test func hasAnAddressBooksNames() {
    let address = placemark.addressDictionary
    #expect(address?["Street"] as? String == "Bundesplatz 3")
    #expect(address?["City"] as? String == "Bern")
    #expect(address?["CountryCode"] as? String == "CH")
  }
}
