// Without the trait no data is read: a geocoder then answers as on a device without a network.
#if Places
  import Foundation
  import Geodesy
  import LocationIPC
  import PlacesCore
  import PlacesData
  import PlacesStore
  import Synchronization

  /// Answers from files on this machine: no network, no daemon and no permission is needed. Where no imported file has an answer, the daemon
  /// is asked as well, which may have a server for that.
  final class OfflineGeocoding: GeocodingSource {
    private let folders: [String]
    /// Opened by the first request that finds files; they stay mapped.
    private let opened = Mutex<PlaceFinder?>(nil)

    /// The data that is installed with this library, or in the folder that `LOCATIOND_WORLD` names.
    static let ofProgram = OfflineGeocoding(folders: WorldPlaces.folders(ServiceEnvironment.text("LOCATIOND_WORLD")))

    init(folders: [String]) { self.folders = folders }

    /// The answer of the data on this machine, and the query for a server that may know more.
    private struct LocalAnswer {
      var places: [Place] = []
      var error: CLError?
      var request: PlacesRequest?
    }

    func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark] {
      let finder = finder()
      var answer: LocalAnswer
      do throws(PlaceError) {
        answer = try Self.answer(query, finder)
      } catch {
        // A file that cannot be read has no answer, as a server that cannot be reached.
        throw CLError(.network)
      }
      if let request = answer.request, let found = await ProviderGeocoding.places(request), let best = found.first,
        answer.places.isEmpty || answer.error != nil || best.isFinerThanTown
      {
        answer = LocalAnswer(places: found.map { finder?.completed($0) ?? $0 })
      }
      if let error = answer.error { throw error }
      let locale = query.locale
      return answer.places.map { CLPlacemark(PlacemarkValues($0, locale)) }
    }

    private static func answer(_ query: GeocodingQuery, _ finder: PlaceFinder?) throws(PlaceError) -> LocalAnswer {
      switch query {
      case .place(let location, let locale): try reverse(location, locale, finder)
      case .address(let text, let area, let locale): try forward(.text(text), area, locale, finder)
      case .postalAddress(let parts, let locale): try forward(.parts(AddressParts(parts)), nil, locale, finder)
      }
    }

    private static func reverse(
      _ location: CLLocation, _ locale: Locale?, _ finder: PlaceFinder?
    ) throws(PlaceError) -> LocalAnswer {
      let (latitude, longitude) = (location.coordinate.latitude, location.coordinate.longitude)
      guard let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude) else {
        return LocalAnswer(error: CLError(.geocodeFoundNoResult))
      }
      let accuracy = location.horizontalAccuracy
      let query = ReverseQuery(
        coordinate, accuracy: accuracy > 0 && accuracy.isFinite ? Meters(accuracy) : nil, languages: languages(locale))
      guard let finder else { return LocalAnswer(error: CLError(.network), request: .at(query)) }
      let place = try finder.place(at: query)
      var answer = LocalAnswer(places: place.map { [$0] } ?? [])
      if place == nil { answer.error = CLError(.geocodeFoundNoResult) }
      if finder.mayBeRefined(place) { answer.request = .at(query) }
      return answer
    }

    private static func forward(
      _ subject: ForwardQuery.Subject, _ area: GeocodingArea?, _ locale: Locale?, _ finder: PlaceFinder?
    ) throws(PlaceError) -> LocalAnswer {
      var query = ForwardQuery(subject, languages: languages(locale))
      if let area,
        let center = Coordinate(
          checkingLatitude: area.center.coordinate.latitude, longitude: area.center.coordinate.longitude)
      {
        query.hint = ForwardQuery.Hint(center: center, radius: area.radius > 0 ? Meters(area.radius) : nil)
      }
      guard let finder else { return LocalAnswer(error: CLError(.network), request: .find(query)) }
      let found = try finder.places(matching: query)
      var answer = LocalAnswer()
      if finder.mayBeRefined(found) { answer.request = .find(query) }
      guard let best = found.first else {
        answer.error = CLError(.geocodeFoundNoResult)
        return answer
      }
      // A street without the number is an answer; a town alone does not answer a question for a street in it.
      if best.match == .partial, [.town, .area, .zone, .quarter].contains(best.kind) {
        answer.error = CLError(.geocodeFoundPartialResult)
      } else {
        answer.places = found.filter { $0.match == best.match }
      }
      return answer
    }

    /// The language of the locale, and the user's languages without one.
    private static func languages(_ locale: Locale?) -> [String] {
      locale.map { [$0.identifier(.bcp47)] } ?? Locale.preferredLanguages
    }

    /// Files of streets and addresses that `locationctl places import` made; one that cannot be read has no answer.
    private func imported() -> [PlacesFile] {
      PlacesFolders.files().compactMap { try? PlacesFile(path: $0.path) }
    }

    private func finder() -> PlaceFinder? {
      opened.withLock { opened in
        if let opened { return opened }
        // Without usable files there is nothing to ask; the next request looks again.
        let world = try? WorldPlaces.open(folders)
        let found = PlaceFinder(imported: imported(), world: world)
        guard !found.isEmpty else { return nil }
        opened = found
        return found
      }
    }
  }

  extension AddressParts {
    init(_ parts: PostalAddressParts) {
      func known(_ text: String) -> String? { text.isEmpty ? nil : text }
      self.init()
      street = known(parts.street.replacing("\n", with: ", "))
      subLocality = known(parts.subLocality)
      locality = known(parts.city)
      subAdministrativeArea = known(parts.subAdministrativeArea)
      administrativeArea = known(parts.state)
      postalCode = known(parts.postalCode)
      country = known(parts.country)
      isoCountryCode = known(parts.isoCountryCode)
    }
  }

  extension PlacemarkValues {
    /// The smallest radius of a placemark's region, meters.
    private static let smallestRegion = 10.0

    /// The values of a place; the name of the country is in the language of the locale.
    init(_ place: Place, _ locale: Locale?) {
      self.init()
      let (latitude, longitude) = (place.coordinate.latitude.degrees, place.coordinate.longitude.degrees)
      let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
      location = CLLocation(
        coordinate: center, altitude: 0, horizontalAccuracy: place.radius.value, verticalAccuracy: -1, timestamp: Date()
      )
      let radius = max(place.radius.value, Self.smallestRegion)
      let identifier =
        "<\(Self.signed(latitude)),\(Self.signed(longitude))> radius "
        + radius.formatted(
          .number.precision(.fractionLength(2)).locale(Locale(identifier: "en_US_POSIX")).grouping(.never))
      region = CLCircularRegion(center: center, radius: radius, identifier: identifier)
      timeZone = place.timeZone.flatMap { TimeZone(identifier: $0) }
      (name, thoroughfare, subThoroughfare) = (place.name, place.thoroughfare, place.subThoroughfare)
      (locality, subLocality) = (place.locality, place.subLocality)
      (administrativeArea, subAdministrativeArea) = (place.administrativeArea, place.subAdministrativeArea)
      (postalCode, isoCountryCode) = (place.postalCode, place.isoCountryCode)
      country = place.isoCountryCode.flatMap { (locale ?? .current).localizedString(forRegionCode: $0) }
      (inlandWater, ocean) = (place.inlandWater, place.ocean)
      areasOfInterest = place.areasOfInterest.isEmpty ? nil : place.areasOfInterest
    }

    /// Degrees with their sign: `+47.14151000`.
    private static func signed(_ degrees: Double) -> String {
      degrees.formatted(
        .number.sign(strategy: .always()).precision(.fractionLength(8)).locale(Locale(identifier: "en_US_POSIX")))
    }
  }
#endif
