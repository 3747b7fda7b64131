public import Foundation

/// What a formatted postal address is for.
public enum CNPostalAddressFormatterStyle: Int, Hashable, Sendable {
  /// On an envelope.
  case mailingAddress = 0
}

/// Writes a postal address as its country does: `3011 Bern` in Switzerland, `Cupertino CA 95014` in the United States.
open class CNPostalAddressFormatter: Formatter {
  /// What the address is for.
  open var style = CNPostalAddressFormatterStyle.mailingAddress

  /// The address on several lines.
  open class func string(
    from postalAddress: CNPostalAddress, style: CNPostalAddressFormatterStyle
  ) -> String {
    // Through the properties, which a subclass may have overridden.
    let parts = PostalAddressParts(
      street: postalAddress.street, subLocality: postalAddress.subLocality, city: postalAddress.city,
      subAdministrativeArea: postalAddress.subAdministrativeArea, state: postalAddress.state,
      postalCode: postalAddress.postalCode, country: postalAddress.country,
      isoCountryCode: postalAddress.isoCountryCode)
    return PostalConvention(isoCountryCode: parts.isoCountryCode).lines(of: parts).joined(separator: "\n")
  }

  /// The address on several lines.
  open func string(from postalAddress: CNPostalAddress) -> String {
    Self.string(from: postalAddress, style: style)
  }

  /// The same; `nil` for anything but a postal address.
  open override func string(for obj: Any?) -> String? { (obj as? CNPostalAddress).map { string(from: $0) } }
}
