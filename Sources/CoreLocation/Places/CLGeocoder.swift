public import CCoreLocation
public import Foundation

/// Called with a geocoder's results, the most likely first, or with the error.
@available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MapKit.")
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Converts between addresses and places. One request at a time; results come on the main thread, the most likely first.
@available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MapKit.")
open class CLGeocoder: NSObject {
  private let requests: GeocodeRequests

  /// Creates a geocoder without a request.
  public override init() {
    requests = GeocodeRequests(source: Service.geocoding)
    super.init()
  }

  init(source: any GeocodingSource) {
    requests = GeocodeRequests(source: source)
    super.init()
  }

  /// Whether a request is in progress.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MapKit.")
  open var isGeocoding: Bool { requests.isBusy }

  /// Cancels the request in progress: it fails with `CLError.geocodeCanceled`.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MapKit.")
  open func cancelGeocode() { requests.cancel() }

  /// Finds the placemarks of a location.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKReverseGeocodingRequest.")
  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(.place(location, locale: nil), PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of a location.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKReverseGeocodingRequest.")
  open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation {
      reverseGeocodeLocation(location, completionHandler: Self.resume($0))
    }
  }

  /// Finds the placemarks of a location, in a language.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKReverseGeocodingRequest.")
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(.place(location, locale: locale), PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of a location, in a language.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKReverseGeocodingRequest.")
  open func reverseGeocodeLocation(_ location: CLLocation, preferredLocale locale: Locale?) async throws
    -> [CLPlacemark]
  {
    try await withCheckedThrowingContinuation {
      reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: Self.resume($0))
    }
  }

  /// Finds the placemarks of an address.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(.address(addressString, near: nil, locale: nil), PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of an address.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation {
      geocodeAddressString(addressString, completionHandler: Self.resume($0))
    }
  }

  /// Finds the placemarks of an address, those in a region first.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(.address(addressString, near: Self.area(of: region), locale: nil), PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of an address, those in a region first.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodeAddressString(_ addressString: String, in region: CLRegion?) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation {
      geocodeAddressString(addressString, in: region, completionHandler: Self.resume($0))
    }
  }

  /// Finds the placemarks of an address, those in a region first, in a language.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(
      .address(addressString, near: Self.area(of: region), locale: locale), PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of an address, those in a region first, in a language.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodeAddressString(_ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?)
    async throws -> [CLPlacemark]
  {
    try await withCheckedThrowingContinuation {
      geocodeAddressString(addressString, in: region, preferredLocale: locale, completionHandler: Self.resume($0))
    }
  }

  /// Finds the placemarks of an address, those within a circle (meters) first, in a language.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodeAddressString(
    _ addressString: String, inRegionCenteredAt centroid: CLLocation, inRegionRadius radius: CLLocationDistance,
    preferredLocale locale: Locale?, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(
      .address(addressString, near: GeocodingArea(center: centroid, radius: radius), locale: locale),
      PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of an address, those within a circle (meters) first, in a language.
  @available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodeAddressString(
    _ addressString: String, inRegionCenteredAt centroid: CLLocation, inRegionRadius radius: CLLocationDistance,
    preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation {
      geocodeAddressString(
        addressString, inRegionCenteredAt: centroid, inRegionRadius: radius, preferredLocale: locale,
        completionHandler: Self.resume($0))
    }
  }

  /// Finds the placemarks of an address.
  @available(iOS, introduced: 11.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodePostalAddress(
    _ postalAddress: CNPostalAddress, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(.postalAddress(Self.parts(of: postalAddress), locale: nil), PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of an address.
  @available(iOS, introduced: 11.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodePostalAddress(_ postalAddress: CNPostalAddress) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation {
      geocodePostalAddress(postalAddress, completionHandler: Self.resume($0))
    }
  }

  /// Finds the placemarks of an address, in a language.
  @available(iOS, introduced: 11.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodePostalAddress(
    _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(.postalAddress(Self.parts(of: postalAddress), locale: locale), PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of an address, in a language.
  @available(iOS, introduced: 11.0, deprecated: 26.0, message: "Use MKGeocodingRequest.")
  open func geocodePostalAddress(_ postalAddress: CNPostalAddress, preferredLocale locale: Locale?) async throws
    -> [CLPlacemark]
  {
    try await withCheckedThrowingContinuation {
      geocodePostalAddress(postalAddress, preferredLocale: locale, completionHandler: Self.resume($0))
    }
  }

  /// Finds the placemarks of an address.
  @available(iOS, introduced: 5.0, deprecated: 11.0)
  open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any], completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    requests.begin(.postalAddress(Self.parts(of: addressDictionary), locale: nil), PendingGeocode(completionHandler))
  }

  /// Finds the placemarks of an address.
  @available(iOS, introduced: 5.0, deprecated: 11.0)
  open func geocodeAddressDictionary(_ addressDictionary: [AnyHashable: Any]) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation {
      geocodeAddressDictionary(addressDictionary, completionHandler: Self.resume($0))
    }
  }

  private static func resume(
    _ continuation: CheckedContinuation<[CLPlacemark], any Error>
  ) -> CLGeocodeCompletionHandler {
    { placemarks, error in
      if let error {
        continuation.resume(throwing: error)
      } else {
        continuation.resume(returning: placemarks ?? [])
      }
    }
  }

  /// The circle of a circular region; other regions are ignored.
  private static func area(of region: CLRegion?) -> GeocodingArea? {
    guard let region, region.kind == .circle else { return nil }
    let center = CLLocation(latitude: region.center.latitude, longitude: region.center.longitude)
    return GeocodingArea(center: center, radius: region.radius)
  }

  /// The parts of an address, by its properties, which a subclass may have overridden.
  private static func parts(of address: CNPostalAddress) -> PostalAddressParts {
    PostalAddressParts(
      street: address.street, subLocality: address.subLocality, city: address.city,
      subAdministrativeArea: address.subAdministrativeArea, state: address.state, postalCode: address.postalCode,
      country: address.country, isoCountryCode: address.isoCountryCode)
  }

  /// The parts of an address book entry, under the keys of `CLPlacemark.addressDictionary`. The name takes the place of a missing street.
  private static func parts(of address: [AnyHashable: Any]) -> PostalAddressParts {
    func text(_ key: String) -> String? { (address[key] as? String).flatMap { $0.isEmpty ? nil : $0 } }
    let lines = (address["FormattedAddressLines"] as? [String])?.joined(separator: ", ")
    let number = [text("SubThoroughfare"), text("Thoroughfare")].compactMap(\.self).joined(separator: " ")
    return PostalAddressParts(
      street: text("Street") ?? (number.isEmpty ? nil : number) ?? text("Name") ?? lines ?? "",
      subLocality: text("SubLocality") ?? "", city: text("City") ?? "",
      subAdministrativeArea: text("SubAdministrativeArea") ?? "", state: text("State") ?? "",
      postalCode: text("ZIP") ?? "",
      country: text("Country") ?? "", isoCountryCode: text("CountryCode") ?? "")
  }
}
