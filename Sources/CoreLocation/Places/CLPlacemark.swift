public import Foundation

/// A place by its names: country, area, locality, street, number.
// Unchecked, as programs may subclass it: what it keeps itself never changes.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Never changes; the region, which could be changed, is kept and handed out as copies.
  private let values: PlacemarkValues

  /// A placemark comes from a geocoder, or from another one.
  @available(*, unavailable, message: "Use init(placemark:).")
  public override init() {
    values = PlacemarkValues()
    super.init()
  }

  /// The same place again.
  public init(placemark: CLPlacemark) {
    values = placemark.values
    super.init()
  }

  /// A place by its address, as Apple's framework Intents adds it.
  public convenience init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
    self.init(PlacemarkValues(location: location, name: name, postalAddress?.parts ?? PostalAddressParts()))
  }

  /// A place as a geocoder found it.
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

  /// Where it is.
  open var location: CLLocation? { values.location }
  /// What it covers.
  open var region: CLRegion? { values.region?.copy() as? CLRegion }
  /// The time zone there.
  open var timeZone: TimeZone? { values.timeZone }
  /// What the place itself is called.
  open var name: String? { values.name }
  /// The street.
  open var thoroughfare: String? { values.thoroughfare }
  /// The number in the street.
  open var subThoroughfare: String? { values.subThoroughfare }
  /// The city.
  open var locality: String? { values.locality }
  /// The quarter.
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
  /// What there is to see.
  open var areasOfInterest: [String]? { values.areasOfInterest }

  /// The address as one value; `nil` where nothing of it is known.
  open var postalAddress: CNPostalAddress? {
    let parts = PostalAddressParts(values)
    return parts.isEmpty ? nil : CNPostalAddress(parts)
  }

  /// The address under the names that address books use; `nil` where nothing of it is known.
  @available(iOS, introduced: 5.0, deprecated: 11.0, message: "Use the properties.")
  open var addressDictionary: [AnyHashable: Any]? { values.addressDictionary }

  /// Itself: a placemark never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { values.encode(to: coder) }
}
