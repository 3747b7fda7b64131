package import Geodesy

/// A place: the answer to a query for a position or for a text. `nil` and empty mean that a value is not known.
package struct Place: Hashable, Sendable {
  /// What is at the position: the finest part of the place that is known.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A house number in a street.
    case address
    case street
    /// A shop, a station, a monument and so on.
    case pointOfInterest
    /// A suburb, a quarter or a neighborhood.
    case quarter
    /// A city, a town or a village.
    case town
    /// A state, a county, a postal code and any other area that is larger than a town.
    case area
    /// A lake or a river.
    case inlandWater
    case ocean
    /// Only the time zone or the country is known.
    case zone
  }

  /// How much of the text of a forward query the place explains.
  package enum Match: Hashable, Sendable {
    /// All of it.
    case complete
    /// The town or the street, without the street or the number that the text has as well.
    case partial
  }

  /// Whether it is a part of a town.
  package var isFinerThanTown: Bool {
    switch kind {
    case .address, .street, .pointOfInterest, .quarter: true
    case .town, .area, .inlandWater, .ocean, .zone: false
    }
  }

  /// The middle of the place itself, which may differ from the position of a reverse query.
  package var coordinate: Coordinate
  /// Half the extent of the place, 0 for a point.
  package var radius: Meters
  package var kind: Kind

  /// The name of the place: a point of interest, an address in the order of its country, or the town.
  package var name: String?
  /// The street, or the name that takes its place in an address.
  package var thoroughfare: String?
  /// The house number as signposted: "49", "203-06", "12 bis".
  package var subThoroughfare: String?
  /// The city, town or village.
  package var locality: String?
  /// The suburb, quarter or neighborhood.
  package var subLocality: String?
  /// The state, province or canton; in the United States, Canada and Australia its postal abbreviation.
  package var administrativeArea: String?
  /// The county or district.
  package var subAdministrativeArea: String?
  package var postalCode: String?
  /// The country by ISO 3166-1 alpha-2, in capitals. The name of the country is added by the target that has a locale.
  package var isoCountryCode: String?
  package var inlandWater: String?
  package var ocean: String?
  /// Named areas that contain the position, the smallest first, at most `mostAreas`.
  package var areasOfInterest: [String] = []
  /// The time zone by its name in the tz database: "Europe/Vaduz".
  package var timeZone: String?

  /// The distance from the position of a reverse query, or from the middle of the hint of a forward query.
  package var distance: Meters?
  package var match = Match.complete
  /// The folded words of the text that the source of the place could not explain; empty in answers of `PlaceFinder`.
  package var unexplained: [String] = []
  /// The data from which the values were taken, without duplicates.
  package var sources: [PlaceProvenance] = []

  /// The most entries in `areasOfInterest`.
  package static let mostAreas = 5

  package init(coordinate: Coordinate, radius: Meters = Meters(0), kind: Kind) {
    self.coordinate = coordinate
    self.radius = radius
    self.kind = kind
  }
}

/// The origin of data, as in the header of its file. The license requires that the attribution is shown.
package struct PlaceProvenance: Hashable, Sendable {
  /// The name of the file, without its folder and its extension: "world", "liechtenstein".
  package var name: String
  /// The license by its SPDX identifier: "ODbL-1.0", "CC-BY-4.0".
  package var license: String
  /// The text to show: "© OpenStreetMap contributors".
  package var attribution: String
  /// The day to which the data is current: "2026-09-10"; empty if it is not known.
  package var dataDate: String

  package init(name: String, license: String, attribution: String, dataDate: String) {
    self.name = name
    self.license = license
    self.attribution = attribution
    self.dataDate = dataDate
  }
}
