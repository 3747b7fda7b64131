public import Foundation

/// A postal address, as in the Contacts framework: the type of `CLPlacemark.postalAddress`. An empty text means that the part is
/// not known. Two addresses are equal if all parts are.
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
  /// Changed only by `CNMutablePostalAddress`.
  var parts: PostalAddressParts

  /// Creates an empty address.
  public override init() {
    parts = PostalAddressParts()
    super.init()
  }

  init(_ parts: PostalAddressParts) {
    self.parts = parts
    super.init()
  }

  /// Reads an archive.
  public required init?(coder: NSCoder) {
    parts = PostalAddressParts(from: coder)
    super.init()
  }

  /// The street with its number; several lines are separated by a newline.
  open var street: String { parts.street }
  /// The neighborhood.
  open var subLocality: String { parts.subLocality }
  /// The city.
  open var city: String { parts.city }
  /// The county.
  open var subAdministrativeArea: String { parts.subAdministrativeArea }
  /// The state or province.
  open var state: String { parts.state }
  /// The postal code.
  open var postalCode: String { parts.postalCode }
  /// The country's name.
  open var country: String { parts.country }
  /// The country code (ISO 3166-1 alpha-2).
  open var isoCountryCode: String { parts.isoCountryCode }

  /// The display name of a part, in English; an unknown key is returned as it is.
  open class func localizedString(forKey key: String) -> String {
    switch key {
    case CNPostalAddressStreetKey: "Street"
    case CNPostalAddressSubLocalityKey: "Neighborhood"
    case CNPostalAddressCityKey: "City"
    case CNPostalAddressSubAdministrativeAreaKey: "County"
    case CNPostalAddressStateKey: "State"
    case CNPostalAddressPostalCodeKey: "Postal Code"
    case CNPostalAddressCountryKey: "Country"
    case CNPostalAddressISOCountryCodeKey: "Country Code"
    default: key
    }
  }

  /// An immutable copy of the address.
  open func copy(with zone: NSZone? = nil) -> Any { CNPostalAddress(parts) }

  /// A mutable copy of the address: a `CNMutablePostalAddress`.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { CNMutablePostalAddress(parts) }

  /// Whether all parts are equal.
  open override func isEqual(_ object: Any?) -> Bool { (object as? CNPostalAddress)?.parts == parts }

  /// Computed from the parts.
  open override var hash: Int { parts.hashValue }

  /// Always `true`.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { parts.encode(to: coder) }
}

/// A postal address whose parts can be changed.
open class CNMutablePostalAddress: CNPostalAddress {
  /// The street with its number; several lines are separated by a newline.
  open override var street: String {
    get { parts.street }
    set { parts.street = newValue }
  }
  /// The neighborhood.
  open override var subLocality: String {
    get { parts.subLocality }
    set { parts.subLocality = newValue }
  }
  /// The city.
  open override var city: String {
    get { parts.city }
    set { parts.city = newValue }
  }
  /// The county.
  open override var subAdministrativeArea: String {
    get { parts.subAdministrativeArea }
    set { parts.subAdministrativeArea = newValue }
  }
  /// The state or province.
  open override var state: String {
    get { parts.state }
    set { parts.state = newValue }
  }
  /// The postal code.
  open override var postalCode: String {
    get { parts.postalCode }
    set { parts.postalCode = newValue }
  }
  /// The country's name.
  open override var country: String {
    get { parts.country }
    set { parts.country = newValue }
  }
  /// The country code (ISO 3166-1 alpha-2).
  open override var isoCountryCode: String {
    get { parts.isoCountryCode }
    set { parts.isoCountryCode = newValue }
  }
}

/// The key of a postal address's street.
public let CNPostalAddressStreetKey = "street"
/// The key of the neighborhood.
public let CNPostalAddressSubLocalityKey = "subLocality"
/// The key of the city.
public let CNPostalAddressCityKey = "city"
/// The key of the county.
public let CNPostalAddressSubAdministrativeAreaKey = "subAdministrativeArea"
/// The key of the state or province.
public let CNPostalAddressStateKey = "state"
/// The key of the postal code.
public let CNPostalAddressPostalCodeKey = "postalCode"
/// The key of the country's name.
public let CNPostalAddressCountryKey = "country"
/// The key of the country code (ISO 3166-1 alpha-2).
public let CNPostalAddressISOCountryCodeKey = "ISOCountryCode"

/// The parts of a postal address; an empty text means that the part is not known.
struct PostalAddressParts: Hashable, Sendable {
  var street = ""
  var subLocality = ""
  var city = ""
  var subAdministrativeArea = ""
  var state = ""
  var postalCode = ""
  var country = ""
  /// ISO 3166-1 alpha-2.
  var isoCountryCode = ""

  /// Whether no part is known.
  var isEmpty: Bool { self == PostalAddressParts() }
}

extension PostalAddressParts {
  /// The parts by their Apple keys.
  private static let texts: [(key: String, path: any WritableKeyPath<PostalAddressParts, String> & Sendable)] = [
    (CNPostalAddressStreetKey, \.street), (CNPostalAddressSubLocalityKey, \.subLocality),
    (CNPostalAddressCityKey, \.city), (CNPostalAddressSubAdministrativeAreaKey, \.subAdministrativeArea),
    (CNPostalAddressStateKey, \.state), (CNPostalAddressPostalCodeKey, \.postalCode),
    (CNPostalAddressCountryKey, \.country), (CNPostalAddressISOCountryCodeKey, \.isoCountryCode),
  ]

  /// Reads an archive.
  init(from coder: NSCoder) {
    for (key, path) in Self.texts { self[keyPath: path] = coder.optionalString(forKey: key) ?? "" }
  }

  /// Writes an archive.
  func encode(to coder: NSCoder) {
    for (key, path) in Self.texts { coder.encode(self[keyPath: path] as NSString, forKey: key) }
  }

  /// The address of a placemark; empty if the placemark has no part of an address.
  init(_ place: PlacemarkValues) {
    isoCountryCode = place.isoCountryCode ?? ""
    street = PostalConvention(isoCountryCode: isoCountryCode).street(
      name: place.thoroughfare ?? "", number: place.subThoroughfare ?? "")
    subLocality = place.subLocality ?? ""
    city = place.locality ?? ""
    subAdministrativeArea = place.subAdministrativeArea ?? ""
    state = place.administrativeArea ?? ""
    postalCode = place.postalCode ?? ""
    country = place.country ?? ""
  }
}

extension PlacemarkValues {
  /// A place from its address; the street keeps its number.
  init(location: CLLocation, name: String?, _ address: PostalAddressParts) {
    func known(_ text: String) -> String? { text.isEmpty ? nil : text }
    self.init()
    self.location = location
    self.name = name
    thoroughfare = known(address.street)
    subLocality = known(address.subLocality)
    locality = known(address.city)
    subAdministrativeArea = known(address.subAdministrativeArea)
    administrativeArea = known(address.state)
    postalCode = known(address.postalCode)
    country = known(address.country)
    isoCountryCode = known(address.isoCountryCode)
  }
}
