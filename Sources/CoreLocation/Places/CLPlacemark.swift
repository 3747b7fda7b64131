public import Foundation

/// A place described by names: country, area, locality, street, number.
// Unchecked, because programs may subclass it: its own storage never changes.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Never changes; the region, which is mutable, is stored and returned as a copy.
  private let values: PlacemarkValues

  /// Not available: a placemark comes from a geocoder, or from another placemark.
  @available(*, unavailable, message: "Use init(placemark:).")
  public override init() {
    values = PlacemarkValues()
    super.init()
  }

  /// Creates a copy of a placemark.
  public init(placemark: CLPlacemark) {
    values = placemark.values
    super.init()
  }

  /// Creates a placemark from an address, an initializer of Apple's Intents framework.
  public convenience init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
    self.init(PlacemarkValues(location: location, name: name, postalAddress?.parts ?? PostalAddressParts()))
  }

  /// Creates a placemark from a geocoder's result.
  init(_ values: PlacemarkValues) {
    var values = values
    values.region = values.region?.copy() as? CLRegion
    self.values = values
    super.init()
  }

  /// Reads an archive.
  public required init?(coder: NSCoder) {
    values = PlacemarkValues(from: coder)
    super.init()
  }

  /// The location of the place.
  open var location: CLLocation? { values.location }
  /// The area of the place.
  open var region: CLRegion? { values.region?.copy() as? CLRegion }
  /// The time zone of the place.
  open var timeZone: TimeZone? { values.timeZone }
  /// The name of the place.
  open var name: String? { values.name }
  /// The street.
  open var thoroughfare: String? { values.thoroughfare }
  /// The number in the street.
  open var subThoroughfare: String? { values.subThoroughfare }
  /// The city.
  open var locality: String? { values.locality }
  /// The neighborhood.
  open var subLocality: String? { values.subLocality }
  /// The state or province.
  open var administrativeArea: String? { values.administrativeArea }
  /// The county.
  open var subAdministrativeArea: String? { values.subAdministrativeArea }
  /// The postal code.
  open var postalCode: String? { values.postalCode }
  /// The country, by ISO 3166-1 alpha-2.
  open var isoCountryCode: String? { values.isoCountryCode }
  /// The country's name.
  open var country: String? { values.country }
  /// The lake or river.
  open var inlandWater: String? { values.inlandWater }
  /// The sea.
  open var ocean: String? { values.ocean }
  /// Points of interest.
  open var areasOfInterest: [String]? { values.areasOfInterest }

  /// The address as one value; `nil` if no part of it is known.
  open var postalAddress: CNPostalAddress? {
    let parts = PostalAddressParts(values)
    return parts.isEmpty ? nil : CNPostalAddress(parts)
  }

  /// The address under the keys of address books; `nil` if no part of it is known.
  @available(iOS, introduced: 5.0, deprecated: 11.0, message: "Use the properties.")
  open var addressDictionary: [AnyHashable: Any]? { values.addressDictionary }

  /// Returns itself, because a placemark never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always `true`.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { values.encode(to: coder) }
}

/// The data of a place; `nil` for unknown values.
struct PlacemarkValues {
  var location: CLLocation?
  var region: CLRegion?
  var timeZone: TimeZone?
  var name: String?
  var thoroughfare: String?
  var subThoroughfare: String?
  var locality: String?
  var subLocality: String?
  var administrativeArea: String?
  var subAdministrativeArea: String?
  var postalCode: String?
  var isoCountryCode: String?
  var country: String?
  var inlandWater: String?
  var ocean: String?
  var areasOfInterest: [String]?
}

extension PlacemarkValues {
  private static let texts: [(name: String, path: any WritableKeyPath<PlacemarkValues, String?> & Sendable)] = [
    ("name", \.name), ("thoroughfare", \.thoroughfare), ("subThoroughfare", \.subThoroughfare),
    ("locality", \.locality), ("subLocality", \.subLocality), ("administrativeArea", \.administrativeArea),
    ("subAdministrativeArea", \.subAdministrativeArea), ("postalCode", \.postalCode),
    ("isoCountryCode", \.isoCountryCode), ("country", \.country), ("inlandWater", \.inlandWater), ("ocean", \.ocean),
  ]

  /// Reads an archive.
  init(from coder: NSCoder) {
    location = coder.optional(CLLocation.self, forKey: "location")
    region =
      coder.containsValue(forKey: "region")
      ? coder.decodeObject(of: [CLRegion.self, CLCircularRegion.self], forKey: "region") as? CLRegion : nil
    timeZone = coder.optionalString(forKey: "timeZone").flatMap { TimeZone(identifier: $0) }
    for (name, path) in Self.texts {
      self[keyPath: path] = coder.optionalString(forKey: name)
    }
    let areas =
      coder.containsValue(forKey: "areasOfInterest")
      ? coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "areasOfInterest") as? NSArray : nil
    areasOfInterest = areas?.compactMap { $0 as? String }
  }

  /// Writes an archive.
  func encode(to coder: NSCoder) {
    coder.encode(location, forKey: "location")
    coder.encode(region, forKey: "region")
    coder.encode(timeZone.map { $0.identifier as NSString }, forKey: "timeZone")
    for (name, path) in Self.texts { coder.encode(self[keyPath: path].map { $0 as NSString }, forKey: name) }
    coder.encode(areasOfInterest.map { NSArray(array: $0.map { $0 as NSString }) }, forKey: "areasOfInterest")
  }

  /// The address under the keys of address books; `nil` if no part of it is known.
  var addressDictionary: [AnyHashable: Any]? {
    let street = PostalAddressParts(self).street
    let entries: [(String, String?)] = [
      ("Name", name), ("Street", street.isEmpty ? nil : street), ("Thoroughfare", thoroughfare),
      ("SubThoroughfare", subThoroughfare), ("City", locality), ("SubLocality", subLocality),
      ("State", administrativeArea), ("SubAdministrativeArea", subAdministrativeArea), ("ZIP", postalCode),
      ("Country", country), ("CountryCode", isoCountryCode),
    ]
    let known = entries.compactMap { key, text in text.map { (AnyHashable(key), $0 as Any) } }
    return known.isEmpty ? nil : Dictionary(uniqueKeysWithValues: known)
  }
}
