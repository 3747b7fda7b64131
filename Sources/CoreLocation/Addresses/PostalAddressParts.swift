import Foundation

/// What a postal address consists of; an empty text is a part that is not known.
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

  /// The address of a placemark; empty where the placemark names no part of one.
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
  /// A place by its address; the street keeps its number.
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
