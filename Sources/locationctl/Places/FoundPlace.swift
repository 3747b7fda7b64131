import Geodesy
package import PlacesCore
import PlacesData
package import TrackFormats

/// A place as it is printed.
package struct FoundPlace: Sendable {
  package let place: Place
  /// The English name of the country.
  package let country: String?
  /// The fix that was looked up; `nil` if the user gave a position or a text.
  package let origin: LocatedFix?

  package init(_ place: Place, country: String?, origin: LocatedFix?) {
    (self.place, self.country, self.origin) = (place, country, origin)
  }

  init(_ place: Place, _ data: PlaceData, _ origin: LocatedFix?) {
    self.init(place, country: place.isoCountryCode.flatMap { data.world?.countryName($0) }, origin: origin)
  }

  /// The place in a few words, from the finest to the coarsest: "Städtle 49, Vaduz, Liechtenstein".
  package var line: String {
    var parts: [String] = []
    for part in [
      place.name, place.subLocality, place.locality, place.administrativeArea, country ?? place.isoCountryCode,
    ] {
      if let part, !parts.contains(part) { parts.append(part) }
    }
    return parts.isEmpty ? place.timeZone ?? "-" : parts.joined(separator: ", ")
  }
}

/// The keys of a place, in output order; keys are only ever added. Those of Apple's `CLPlacemark` have its names.
package enum FoundPlaceKey: String, CaseIterable, TemplateKey {
  case name, thoroughfare, subThoroughfare, locality, subLocality, administrativeArea, subAdministrativeArea
  case postalCode, isoCountryCode, country, inlandWater, ocean, areasOfInterest, timeZone, latitude, longitude, radius
  case kind, match, distance, accuracy, timestamp, attribution, dataDate

  package func value(of found: FoundPlace) -> OutputValue? {
    let place = found.place
    switch self {
    case .name: return .text(place.name)
    case .thoroughfare: return .text(place.thoroughfare)
    case .subThoroughfare: return .text(place.subThoroughfare)
    case .locality: return .text(place.locality)
    case .subLocality: return .text(place.subLocality)
    case .administrativeArea: return .text(place.administrativeArea)
    case .subAdministrativeArea: return .text(place.subAdministrativeArea)
    case .postalCode: return .text(place.postalCode)
    case .isoCountryCode: return .text(place.isoCountryCode)
    case .country: return .text(found.country)
    case .inlandWater: return .text(place.inlandWater)
    case .ocean: return .text(place.ocean)
    case .areasOfInterest: return place.areasOfInterest.isEmpty ? nil : .list(place.areasOfInterest)
    case .timeZone: return .text(place.timeZone)
    case .latitude: return .number(place.coordinate.latitude.degrees, decimals: 9, minimum: 7)
    case .longitude: return .number(place.coordinate.longitude.degrees, decimals: 9, minimum: 7)
    case .radius: return place.radius.value > 0 ? .meters(place.radius.value) : nil
    case .kind: return .text(place.kind.rawValue)
    case .match: return place.match == .partial ? .text("partial") : nil
    case .distance: return .meters(place.distance?.value)
    case .accuracy: return .meters(found.origin?.fix.horizontalRadius68.value)
    case .timestamp: return found.origin.flatMap { FixKey.timestamp.value(of: $0) }
    case .attribution: return place.sources.isEmpty ? nil : .list(place.attributions)
    case .dataDate: return .text(place.sources.map(\.dataDate).filter { !$0.isEmpty }.min())
    }
  }

  /// The place as a JSON object.
  package static func object(_ found: FoundPlace) -> JSONObject {
    var object = JSONObject()
    for key in allCases { object.add(key.rawValue, key.value(of: found)) }
    return object
  }
}

extension Place {
  /// The texts that the licenses require to be shown, without duplicates.
  package var attributions: [String] {
    sources.map(\.attribution).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
