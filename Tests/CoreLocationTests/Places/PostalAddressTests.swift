import Foundation
import Testing

@testable import CoreLocation

@Suite struct PostalAddressTests {
  private func address(_ country: String, _ code: String) -> CNMutablePostalAddress {
    let address = CNMutablePostalAddress()
    address.street = "Main Street 1"
    address.subLocality = "Old Town"
    address.city = "Town"
    address.subAdministrativeArea = "County"
    address.state = "ST"
    address.postalCode = "1234"
    address.country = country
    address.isoCountryCode = code
    return address
  }

  @Test(arguments: [
    ("us", "Main Street 1\nTown ST 1234\nLand"), ("CH", "Main Street 1\n1234 Town\nLand"),
    ("IT", "Main Street 1\n1234 Town ST\nLand"), ("GB", "Main Street 1\nTown\nST\n1234\nLand"),
    ("", "Main Street 1\nTown ST 1234\nLand"),
  ])
  func isWrittenAsItsCountryDoes(code: String, text: String) {
    let formatter = CNPostalAddressFormatter()
    #expect(formatter.string(from: address("Land", code)) == text)
    #expect(formatter.string(for: address("Land", code)) == text)
    #expect(formatter.string(for: "Land") == nil)
    #expect(CNPostalAddressFormatter.string(from: address("Land", code), style: .mailingAddress) == text)
  }

  @Test func aPartThatIsNotKnownLeavesNoGap() {
    let address = CNMutablePostalAddress()
    #expect(CNPostalAddressFormatter().string(from: address).isEmpty)
    address.city = "Bern"
    address.isoCountryCode = "ch"
    #expect(CNPostalAddressFormatter().string(from: address) == "Bern")
    address.street = "c/o Somebody\nBundesplatz 3"
    #expect(CNPostalAddressFormatter().string(from: address) == "c/o Somebody\nBundesplatz 3\nBern")
  }

  @Test func copiesAreEqualAndTheirOwn() throws {
    let original = address("Land", "CH")
    let fixed = try #require(original.copy() as? CNPostalAddress)
    let changing = try #require(fixed.mutableCopy() as? CNMutablePostalAddress)
    #expect(fixed == original && changing == fixed && fixed.hash == original.hash)
    original.city = "Elsewhere"
    #expect(fixed.city == "Town" && changing.city == "Town" && fixed != original)
    #expect(try archived(fixed) == fixed)
    #expect(try archived(fixed).isoCountryCode == "CH")
  }

  @Test func keysHaveNames() {
    #expect(CNPostalAddress.localizedString(forKey: CNPostalAddressPostalCodeKey) == "Postal Code")
    #expect(CNPostalAddress.localizedString(forKey: CNPostalAddressISOCountryCodeKey) == "Country Code")
    #expect(CNPostalAddress.localizedString(forKey: "planet") == "planet")
  }

  private func placemark(_ code: String) -> CLPlacemark {
    CLPlacemark(
      PlacemarkValues(
        thoroughfare: "Bundesplatz", subThoroughfare: "3", locality: "Bern", subLocality: "Altstadt",
        administrativeArea: "BE", subAdministrativeArea: "Bern-Mittelland", postalCode: "3011", isoCountryCode: code,
        country: "Switzerland"))
  }

  @Test func aPlacemarkHasItsAddress() throws {
    let address = try #require(placemark("CH").postalAddress)
    #expect(CNPostalAddressFormatter().string(from: address) == "Bundesplatz 3\n3011 Bern\nSwitzerland")
    #expect(address.subLocality == "Altstadt" && address.subAdministrativeArea == "Bern-Mittelland")
    #expect(address.state == "BE" && address.isoCountryCode == "CH")
    #expect(placemark("US").postalAddress?.street == "3 Bundesplatz")
    #expect(placemark("FR").postalAddress?.street == "3 Bundesplatz")
    #expect(CLPlacemark(PlacemarkValues(name: "nowhere")).postalAddress == nil)
  }

  @Test func aPlacemarkIsMadeOfAnAddress() {
    let place = CLLocation(latitude: 46.95, longitude: 7.45)
    let made = CLPlacemark(location: place, name: "House", postalAddress: placemark("CH").postalAddress)
    #expect(made.name == "House" && made.location?.coordinate.latitude == 46.95)
    #expect(made.thoroughfare == "Bundesplatz 3" && made.postalAddress == placemark("CH").postalAddress)
    let bare = CLPlacemark(location: place, name: nil, postalAddress: nil)
    #expect(bare.postalAddress == nil && bare.locality == nil)
  }
}
