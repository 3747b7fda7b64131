import Foundation

/// What a geocoder is asked.
package enum GeocodingQuery: Sendable {
  /// What is at a place.
  case place(CLLocation, locale: Locale?)
  /// Where an address is; places near a circle come first.
  case address(String, near: GeocodingArea?, locale: Locale?)
}

/// Where an address is looked for first.
package struct GeocodingArea: Sendable {
  /// The middle.
  package var center: CLLocation
  /// Metres.
  package var radius: CLLocationDistance
}
