/// The key of a postal address's street.
public let CNPostalAddressStreetKey = "street"
/// The key of the quarter.
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
/// The key of the country by ISO 3166-1 alpha-2.
public let CNPostalAddressISOCountryCodeKey = "ISOCountryCode"
