import Geodesy
import LocationIPC
import PlacesCore
import Positioning

extension MessageGenerator {
  mutating func placesRequest() -> PlacesRequest {
    let languages = list(upTo: 8) { $0.text() }
    guard flag() else {
      return .at(ReverseQuery(fix().coordinate, accuracy: maybe { Meters($0.positive()) }, languages: languages))
    }
    let hint = maybe { generator in
      ForwardQuery.Hint(center: generator.fix().coordinate, radius: generator.maybe { Meters($0.positive()) })
    }
    let subject: ForwardQuery.Subject = flag() ? .text(text() + text()) : .parts(addressParts())
    return .find(ForwardQuery(subject, near: hint, languages: languages, limit: int(1...10)))
  }

  private mutating func addressParts() -> AddressParts {
    var parts = AddressParts()
    for path in [
      \AddressParts.name, \.street, \.subThoroughfare, \.subLocality, \.locality, \.administrativeArea,
      \.subAdministrativeArea, \.postalCode, \.country, \.isoCountryCode,
    ] {
      parts[keyPath: path] = maybe { $0.text() }
    }
    return parts
  }

  mutating func foundPlace() -> Place {
    var place = Place(coordinate: fix().coordinate, radius: Meters(positive()), kind: one(of: Place.Kind.allCases))
    for path in [
      \Place.name, \.thoroughfare, \.subThoroughfare, \.locality, \.subLocality, \.administrativeArea,
      \.subAdministrativeArea, \.postalCode, \.isoCountryCode, \.inlandWater, \.ocean, \.timeZone,
    ] {
      place[keyPath: path] = maybe { $0.text() }
    }
    place.areasOfInterest = list(upTo: 5) { $0.text() }
    place.distance = maybe { Meters($0.positive()) }
    place.match = flag() ? .partial : .complete
    place.sources = list(upTo: 3) {
      PlaceProvenance(name: $0.text(), license: $0.text(), attribution: $0.text(), dataDate: $0.text())
    }
    return place
  }

  mutating func placesFailure() -> PlacesFailure {
    one(of: [
      .noProvider, .noContact, .busy, .tooLong, .failed(host: text(), .refused(status: int(400...599))),
      .failed(host: text(), .nonsense),
    ])
  }
}
