/// The order of the street and the number in an address.
package enum AddressOrder {
  /// Countries in which the number comes first (upu.int, "Postal addressing systems").
  private static let numberFirst: Set<String> = [
    "AU", "CA", "FR", "GB", "GG", "GH", "HK", "IE", "IL", "IM", "IN", "JE", "KE", "LK", "LU", "MA", "MC", "MU", "MY",
    "NG", "NZ",
    "OM", "PH", "PK", "RE", "SA", "SG", "TH", "TN", "TT", "TW", "UG", "US", "VN", "ZA", "ZW",
  ]

  /// The street and the number as on an envelope. An unknown country has the number last.
  package static func line(street: String, number: String, country: String?) -> String {
    country.map(numberFirst.contains) == true ? "\(number) \(street)" : "\(street) \(number)"
  }
}
