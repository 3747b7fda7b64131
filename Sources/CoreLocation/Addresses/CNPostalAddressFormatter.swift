public import Foundation

/// The purpose of a formatted postal address.
public enum CNPostalAddressFormatterStyle: Int, Hashable, Sendable {
  /// On an envelope.
  case mailingAddress = 0
}

/// Formats a postal address by the convention of its country: `3011 Bern` in Switzerland, `Cupertino CA 95014` in the United
/// States.
open class CNPostalAddressFormatter: Formatter {
  /// The purpose of the formatted address.
  open var style = CNPostalAddressFormatterStyle.mailingAddress

  /// The address on several lines.
  open class func string(
    from postalAddress: CNPostalAddress, style: CNPostalAddressFormatterStyle
  ) -> String {
    // Uses the properties, which a subclass may have overridden.
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

  /// The same; `nil` if the object is not a postal address.
  open override func string(for obj: Any?) -> String? { (obj as? CNPostalAddress).map { string(from: $0) } }
}

/// How a country writes a postal address (Universal Postal Union, "Postal addressing systems in member countries").
struct PostalConvention {
  /// The position of the postal code.
  private enum CodePosition {
    /// Before the city; the state follows only if `writesState` is set.
    case beforeCity
    /// On the city's line, after the state.
    case afterState
    /// On a line of its own.
    case ownLine
  }

  /// Countries with the code before the city and the number after the street's name.
  private static let numberLast: Set<String> = [
    "AT", "BA", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FO", "GL", "GR", "HR", "IS", "IT", "LI",
    "LT", "ME", "MK", "MX", "NL", "NO", "PL", "PT", "RO", "RS", "SE", "SI", "SK", "SM", "TR", "VA", "XK",
  ]
  /// Countries with the code before the city and the number before the street's name.
  private static let numberFirst: Set<String> = ["FR", "GF", "GP", "LU", "MC", "MQ", "NC", "PF", "PM", "RE", "YT"]
  /// Countries that write the code on a line of its own.
  private static let codeAlone: Set<String> = ["GB", "GG", "IE", "IM", "JE"]
  /// Countries with the code before the city that write the province or state after it.
  private static let withState: Set<String> = ["ES", "IT", "MX", "SM"]

  private let codePosition: CodePosition
  private let writesState: Bool
  private let isNumberLast: Bool

  /// Upper or lower case; an unknown country writes "city state code" and the number first.
  init(isoCountryCode: String) {
    let code = isoCountryCode.uppercased()
    isNumberLast = Self.numberLast.contains(code)
    if isNumberLast || Self.numberFirst.contains(code) {
      codePosition = .beforeCity
      writesState = Self.withState.contains(code)
    } else {
      codePosition = Self.codeAlone.contains(code) ? .ownLine : .afterState
      writesState = true
    }
  }

  /// A street with its number.
  func street(name: String, number: String) -> String {
    Self.joined(isNumberLast ? [name, number] : [number, name])
  }

  /// The lines of an address; an unknown part leaves no gap.
  func lines(of address: PostalAddressParts) -> [String] {
    let place =
      switch codePosition {
      case .beforeCity: [Self.joined([address.postalCode, address.city, writesState ? address.state : ""])]
      case .afterState: [Self.joined([address.city, address.state, address.postalCode])]
      case .ownLine: [address.city, address.state, address.postalCode]
      }
    let street = address.street.split(separator: "\n").map(String.init)
    return (street + place + [address.country]).filter { !$0.isEmpty }
  }

  private static func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: " ") }
}
