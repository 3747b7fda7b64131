import Foundation
import Testing

@testable import CoreLocation

/// One request at a time, which is answered once and on the main thread.
@Suite struct GeocoderTests {
  /// Answers only when it is canceled.
  private struct Endless: GeocodingSource {
    func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark] {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      for await _ in stream {}
      continuation.finish()
      throw CLError(.network)
    }
  }

  private let place = CLLocation(latitude: 46.95, longitude: 7.45)

  /// The code of the error that the request throws.
  private func code(_ request: () async throws -> [CLPlacemark]) async -> CLError.Code? {
    do {
      _ = try await request()
      return nil
    } catch {
      return (error as? CLError)?.code
    }
  }

  @Test func withoutDataThereIsNoNetwork() async {
    let geocoder = CLGeocoder(source: OfflineGeocoding(folders: ["/nonexistent"]))
    #expect(await code { try await geocoder.reverseGeocodeLocation(place) } == .network)
    #expect(await code { try await geocoder.reverseGeocodeLocation(place, preferredLocale: nil) } == .network)
    #expect(await code { try await geocoder.geocodeAddressString("Bern") } == .network)
    #expect(await code { try await geocoder.geocodeAddressString("Bern", in: nil) } == .network)
    #expect(await code { try await geocoder.geocodeAddressString("Bern", in: nil, preferredLocale: nil) } == .network)
    #expect(
      await code {
        try await geocoder.geocodeAddressString(
          "Bern", inRegionCenteredAt: place, inRegionRadius: 100, preferredLocale: nil)
      } == .network)
    #expect(await code { try await geocoder.geocodeAddressDictionary(["City": "Bern"]) } == .network)
    let address = CNMutablePostalAddress()
    address.city = "Bern"
    #expect(await code { try await geocoder.geocodePostalAddress(address) } == .network)
    #expect(await code { try await geocoder.geocodePostalAddress(address, preferredLocale: nil) } == .network)
    #expect(!geocoder.isGeocoding)
  }

  /// Answers with the text of the query.
  private struct Echo: GeocodingSource {
    private let place = CLLocation(latitude: 46.95, longitude: 7.45)

    func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark] {
      guard case .postalAddress(let parts, _) = query else { throw CLError(.network) }
      return [CLPlacemark(PlacemarkValues(location: place, name: nil, parts))]
    }
  }

  @Test func aPostalAddressKeepsItsParts() async throws {
    let address = CNMutablePostalAddress()
    (address.street, address.city, address.postalCode) = ("Bundesplatz 3", "Bern", "3011")
    (address.country, address.isoCountryCode) = ("Switzerland", "CH")
    let found = try await CLGeocoder(source: Echo()).geocodePostalAddress(address)
    #expect(found.map(\.thoroughfare) == ["Bundesplatz 3"])
    #expect(found.map(\.postalCode) == ["3011"])
    #expect(found.map(\.isoCountryCode) == ["CH"])
    let entry: [AnyHashable: Any] = [
      "Thoroughfare": "Bundesplatz", "SubThoroughfare": "3", "City": "Bern", "ZIP": 3011,
    ]
    let listed = try await CLGeocoder(source: Echo()).geocodeAddressDictionary(entry)
    #expect(listed.map(\.locality) == ["Bern"])
    #expect(listed.map(\.thoroughfare) == ["3 Bundesplatz"])
    #expect(listed.map(\.postalCode) == [nil])
  }

  @Test func answersOnTheMainThread() async {
    let isMain = await withCheckedContinuation { continuation in
      CLGeocoder(source: OfflineGeocoding(folders: [])).reverseGeocodeLocation(place) { placemarks, error in
        // If another thread serves the main queue after the main thread has ended, there is no main thread, but there is the main
        // queue.
        dispatchPrecondition(condition: .onQueue(.main))
        continuation.resume(returning: placemarks == nil && error != nil)
      }
    }
    #expect(isMain)
  }

  @Test func isBusyUntilCancelled() async {
    let geocoder = CLGeocoder(source: Endless())
    let codes = await withCheckedContinuation { continuation in
      var codes: [CLError.Code?] = []
      geocoder.geocodeAddressString("first") { _, error in
        codes.append((error as? CLError)?.code)
        if codes.count == 2 { continuation.resume(returning: codes) }
      }
      #expect(geocoder.isGeocoding)
      geocoder.geocodeAddressString("second, while the first is under way") { _, error in
        codes.append((error as? CLError)?.code)
        if codes.count == 2 { continuation.resume(returning: codes) }
      }
      #expect(geocoder.isGeocoding)
      geocoder.cancelGeocode()
      #expect(!geocoder.isGeocoding)
    }
    #expect(codes == [.geocodeCanceled, .geocodeCanceled])
    geocoder.cancelGeocode()
  }
}
