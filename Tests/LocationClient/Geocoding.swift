import CoreLocation

/// Geocodes a position and an address, and prints the first placemark of each, or the code of the error.
func showGeocoding() {
  Task {
    let geocoder = CLGeocoder()
    let locale = Locale(identifier: "de_LI")
    await show("reverse") {
      try await geocoder.reverseGeocodeLocation(
        CLLocation(latitude: 47.1416, longitude: 9.5226), preferredLocale: locale)
    }
    await show("forward") {
      try await geocoder.geocodeAddressString("Städtle 49, Vaduz", in: nil, preferredLocale: locale)
    }
    exit(0)
  }
  RunLoop.main.run()
}

private func show(_ what: String, _ query: () async throws -> [CLPlacemark]) async {
  do {
    let found = try await query()
    print(what, found.count, found.first?.name ?? "-", found.first?.subThoroughfare ?? "-")
  } catch let error as CLError {
    print(what, "error", error.code.rawValue)
  } catch {
    print(what, "another error")
  }
}
