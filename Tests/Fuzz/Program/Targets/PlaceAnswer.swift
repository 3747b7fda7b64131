import Geodesy
import PlacesCore
import Positioning

/// Any bytes as the answer of a server of places: rejected, or places on the earth whose texts are short and have no control characters, and
/// no more precise than the position. Any text as a setting, and as a query: an address that is one.
func checkPlaceAnswer(_ bytes: [UInt8]) {
  let origin = Coordinate(latitude: Angle(degrees: 47.1415), longitude: Angle(degrees: 9.5226))
  let text = String(decoding: bytes.prefix(600), as: UTF8.self)
  for kind in PlaceProvider.Kind.allCases {
    guard let provider = PlaceProvider("\(kind.rawValue):http://a.example/b?key=1") else {
      preconditionFailure("no provider")
    }
    let response = WebResponse(status: 200, body: bytes)
    let query = ForwardQuery(.text(text), near: ForwardQuery.Hint(center: origin), languages: [text])
    if let address = provider.address(of: query) {
      precondition(WebAddress(address.text) == address && address.host == "a.example", "another server")
    }
    let places = (try? provider.places(response, to: query)) ?? []
    precondition(places.count <= ForwardQuery.mostPlaces, "too many")
    for place in places { check(place) }
    for (accuracy, hasNumber) in [(1.0, true), (50, false), (1000, false), (9000, false)] {
      guard let place = try? provider.place(response, to: ReverseQuery(origin, accuracy: Meters(accuracy))) else {
        continue
      }
      check(place)
      precondition(hasNumber || place.subThoroughfare == nil, "a number at \(accuracy) m")
      precondition(accuracy < 100 || place.thoroughfare == nil || !place.isFinerThanTown, "a street at \(accuracy) m")
    }
  }
  if let provider = PlaceProvider(text) { precondition(!provider.host.isEmpty, "no host") }
  if ProviderContact.isValid(text) { precondition(!text.contains("\n") && !text.contains(")"), "ends a header") }
}

private func check(_ place: Place) {
  precondition(
    Coordinate(
      checkingLatitude: place.coordinate.latitude.degrees, longitude: place.coordinate.longitude.degrees) != nil,
    "not on the earth")
  precondition((0...3_000_000).contains(place.radius.value), "no radius")
  for text in [
    place.thoroughfare, place.subThoroughfare, place.locality, place.subLocality, place.administrativeArea,
    place.subAdministrativeArea, place.postalCode, place.isoCountryCode, place.ocean,
  ] {
    guard let text else { continue }
    precondition(!text.isEmpty && text.utf8.count <= 200, "a long text")
    precondition(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "a control character")
  }
}
