/// What of this module is answered by a location service. Each answer stands behind one protocol; until something serves it, it
/// says that the device has none.
enum Service {
  /// Serves `CLLocationUpdate.liveUpdates`.
  static let locations: any LocationStream = HostedLocationStream()
  /// Serves the diagnostics of `CLServiceSession` and `CLBackgroundActivitySession`.
  static let authorization: any AuthorizationSource = ProcessAuthorization.shared
  /// Serves `CLGeocoder`.
  static let geocoding: any GeocodingSource = UnservedGeocoding()
}
