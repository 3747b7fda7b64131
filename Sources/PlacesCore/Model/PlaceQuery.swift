package import Geodesy

/// A reverse query: what is at a position?
package struct ReverseQuery: Hashable, Sendable {
  package var coordinate: Coordinate
  /// The radius that contains the true position with 68 % probability, as of a fix; `nil` or 0 for an exact position. The
  /// error is a normal distribution in both directions: its standard deviation is this radius divided by 1.515. A house
  /// number is reported only if at least half of that distribution is nearest to it.
  package var accuracy: Meters?
  /// The preferred languages by their BCP 47 tags, the most preferred first. Without any, names are in the local language.
  package var languages: [String]

  package init(_ coordinate: Coordinate, accuracy: Meters? = nil, languages: [String] = []) {
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.languages = languages
  }

  /// The standard deviation of the error in each direction, meters; 0 if the position is exact.
  package var standardDeviation: Double {
    guard let accuracy, accuracy.value > 0 else { return 0 }
    // A circle of this many standard deviations contains 68.27 % of a normal distribution of two dimensions:
    // √(−2 ln (1 − 0.6827)).
    return accuracy.value / 1.515
  }
}

/// A forward query: where is an address or a town?
package struct ForwardQuery: Hashable, Sendable {
  /// What is looked for.
  package enum Subject: Hashable, Sendable {
    /// An address, a street, a point of interest or a town as a person writes it, on one line.
    case text(String)
    /// An address whose parts are known.
    case parts(AddressParts)
  }

  /// A circle whose places come first. It never excludes others.
  package struct Hint: Hashable, Sendable {
    package var center: Coordinate
    /// The radius; `nil` ranks by distance only.
    package var radius: Meters?

    package init(center: Coordinate, radius: Meters? = nil) {
      self.center = center
      self.radius = radius
    }
  }

  package var subject: Subject
  package var hint: Hint?
  /// The preferred languages by their BCP 47 tags, as in `ReverseQuery`.
  package var languages: [String]
  /// The most places in the answer, 1…`mostPlaces`.
  package var limit: Int
  /// Whether the last word may be the beginning of a word, as while a person types.
  package var completesLastWord: Bool

  /// The largest `limit`, and the default.
  package static let mostPlaces = 10
  /// The longest text that is searched, in bytes of UTF-8; a longer one finds nothing.
  package static let longestText = 512

  package init(
    _ subject: Subject, near hint: Hint? = nil, languages: [String] = [], limit: Int = ForwardQuery.mostPlaces,
    completesLastWord: Bool = false
  ) {
    self.subject = subject
    self.hint = hint
    self.languages = languages
    self.limit = min(max(limit, 1), Self.mostPlaces)
    self.completesLastWord = completesLastWord
  }
}

/// The parts of an address that a query knows; `nil` if a part is not given.
package struct AddressParts: Hashable, Sendable {
  package var name: String?
  /// The street with or without its house number: "Städtle 49".
  package var street: String?
  package var subThoroughfare: String?
  package var subLocality: String?
  package var locality: String?
  package var administrativeArea: String?
  package var subAdministrativeArea: String?
  package var postalCode: String?
  /// The name of the country in any language; `isoCountryCode` is preferred.
  package var country: String?
  package var isoCountryCode: String?

  package init() {}

  /// The parts on one line, from the finest to the coarsest, for a source that searches text only.
  package var line: String {
    let street = [street, subThoroughfare].compactMap(\.self).joined(separator: " ")
    let town = [postalCode, locality].compactMap(\.self).joined(separator: " ")
    return [name, street, subLocality, town, subAdministrativeArea, administrativeArea, country ?? isoCountryCode]
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
