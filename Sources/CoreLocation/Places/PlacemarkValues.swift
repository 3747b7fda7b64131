import Foundation

/// What is known of a place; `nil` what is not.
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

  /// The same under the names that address books use.
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
