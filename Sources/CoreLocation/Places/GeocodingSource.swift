/// Who knows places and addresses.
package protocol GeocodingSource: Sendable {
  /// The places that a query means, the most likely first and at least one; a cancelled task's answer is not used.
  func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark]
}

/// Nobody does: as on a device without a network.
struct UnservedGeocoding: GeocodingSource {
  func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark] { throw CLError(.network) }
}
