import Geodesy
package import Positioning

/// Answers of servers: GeoJSON from all three programs. Nothing in them is trusted: texts are cut and cleaned, positions are checked.
extension PlaceProvider {
  /// The longest text that is used, bytes.
  private static let longestText = 200
  private static let openStreetMap = "© OpenStreetMap contributors"

  /// The place of a reverse query, no more precise than the accuracy of the query permits; `nil` if the server knows none.
  package func place(_ answer: WebResponse, to query: ReverseQuery) throws(FetchProblem) -> Place? {
    guard var place = try places(answer, limit: 1).first else { return nil }
    place.coarsen(to: ProviderPrecision(query.accuracy))
    place.distance = Geodesic.distance(from: query.coordinate, to: place.coordinate)
    return place
  }

  /// The places of a forward query, the best first.
  package func places(_ answer: WebResponse, to query: ForwardQuery) throws(FetchProblem) -> [Place] {
    var places = try places(answer, limit: query.limit)
    guard let hint = query.hint else { return places }
    for index in places.indices {
      places[index].distance = Geodesic.distance(from: hint.center, to: places[index].coordinate)
    }
    return places
  }

  private func places(_ answer: WebResponse, limit: Int) throws(FetchProblem) -> [Place] {
    guard answer.isSuccess else { throw .refused(status: answer.status) }
    guard answer.body.count <= FetchRequest.Purpose.place.longestAnswer else { throw .tooLong }
    guard let values = try? JSONScanner.values(answer.body, lists: ForwardQuery.mostPlaces) else { throw .nonsense }
    guard values["features"] == .other else {
      // Nominatim has an error in place of features where it knows nothing.
      if kind == .nominatim, values["error"] != nil { return [] }
      throw .nonsense
    }
    let source = provenance(values["geocoding.attribution"])
    var places: [Place] = []
    for index in 0..<ForwardQuery.mostPlaces {
      let feature = ProviderFeature(values, at: index, of: kind)
      guard feature.isPresent else { break }
      guard let place = feature.place(source) else { throw .nonsense }
      places.append(place)
    }
    return Array(places.prefix(limit))
  }

  private func provenance(_ value: JSONScanner.Value?) -> PlaceProvenance {
    let given = value.flatMap { Self.clean($0) }
    let text = given ?? (kind == .pelias ? "Data from \(host)" : Self.openStreetMap)
    return PlaceProvenance(
      name: host, license: kind == .pelias ? "" : "ODbL-1.0", attribution: text, dataDate: "")
  }

  /// A text without control characters and of bounded length; `nil` if nothing is left.
  static func clean(_ value: JSONScanner.Value) -> String? {
    guard case .text(let text) = value else { return nil }
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: continue
      default: break
      }
      count += UTF8.width(scalar)
      guard count <= longestText else { break }
      result.unicodeScalars.append(scalar)
    }
    return result.isEmpty || result.utf8.allSatisfy({ $0 == 0x20 }) ? nil : result
  }
}

/// One feature of an answer.
private struct ProviderFeature {
  private let values: [String: JSONScanner.Value]
  private let path: String
  private let kind: PlaceProvider.Kind

  init(_ values: [String: JSONScanner.Value], at index: Int, of kind: PlaceProvider.Kind) {
    (self.values, self.kind) = (values, kind)
    path = "features.\(index)"
  }

  var isPresent: Bool { values[path] != nil }

  private func text(_ names: String...) -> String? {
    let properties = kind == .nominatim ? "properties.geocoding" : "properties"
    for name in names {
      if let value = values["\(path).\(properties).\(name)"], let text = PlaceProvider.clean(value) { return text }
    }
    return nil
  }

  private func number(_ name: String) -> Double? {
    if case .number(let number)? = values["\(path).\(name)"] { number } else { nil }
  }

  /// `nil` without a position on Earth.
  func place(_ provenance: PlaceProvenance) -> Place? {
    guard let longitude = number("geometry.coordinates.0"), let latitude = number("geometry.coordinates.1"),
      let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude)
    else { return nil }
    let name = text("name")
    var place = Place(coordinate: coordinate, radius: radius, kind: placeKind)
    place.sources = [provenance]
    place.thoroughfare = text("street")
    place.subThoroughfare = place.thoroughfare == nil ? nil : text("housenumber")
    place.postalCode = text("postcode", "postalcode")
    place.isoCountryCode = country
    if kind == .pelias {
      place.locality = text("locality", "localadmin")
      place.subLocality = text("neighbourhood", "borough")
      place.administrativeArea = text("region")
      if let code = place.isoCountryCode, ["US", "CA", "AU"].contains(code), let short = text("region_a") {
        place.administrativeArea = short
      }
    } else {
      place.locality = text("city")
      place.subLocality = text("district", "locality")
      place.administrativeArea = text("state")
    }
    place.subAdministrativeArea = text("county")
    switch place.kind {
    case .address:
      if let street = place.thoroughfare, let number = place.subThoroughfare {
        place.name = AddressOrder.line(street: street, number: number, country: place.isoCountryCode)
      } else {
        (place.kind, place.name) = (place.thoroughfare == nil || name != nil ? .pointOfInterest : .street, name)
      }
    case .street: place.thoroughfare = place.thoroughfare ?? name
    case .quarter: place.subLocality = name ?? place.subLocality
    case .town: place.locality = name ?? place.locality
    case .ocean: place.ocean = name
    case .pointOfInterest, .area, .inlandWater, .zone: place.name = name
    }
    place.name = place.name ?? place.nameOfParts
    return place
  }

  private var country: String? {
    guard let code = text("country_code", "countrycode"), code.utf8.count == 2,
      code.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) })
    else { return nil }
    return code.uppercased()
  }

  /// By the types of GeocodeJSON (github.com/geocoders/geocodejson-spec), which Photon has as well, and by Pelias's layers.
  private var placeKind: Place.Kind {
    switch text(kind == .pelias ? "layer" : "type") {
    case "house"?, "address"?: .address
    case "street"?: .street
    case "district"?, "neighbourhood"?, "borough"?, "macrohood"?: .quarter
    case "locality"?: kind == .pelias ? .town : .quarter
    case "city"?, "localadmin"?: .town
    case "county"?, "state"?, "country"?, "region"?, "macroregion"?, "macrocounty"?, "dependency"?, "postalcode"?: .area
    case "ocean"?, "marinearea"?: .ocean
    default: .pointOfInterest
    }
  }

  /// Half the diagonal of the feature's box, at most that of a country.
  private var radius: Meters {
    let names = ["bbox", "properties.extent", "properties.geocoding.bbox"]
    for name in names {
      let corners = (0..<4).compactMap { number("\(name).\($0)") }
      guard corners.count == 4, let one = Coordinate(checkingLatitude: corners[1], longitude: corners[0]),
        let other = Coordinate(checkingLatitude: corners[3], longitude: corners[2])
      else { continue }
      return min(Geodesic.distance(from: one, to: other) * 0.5, Meters(3_000_000))
    }
    return Meters(0)
  }
}

extension Place {
  fileprivate var nameOfParts: String? {
    thoroughfare ?? subLocality ?? locality ?? subAdministrativeArea ?? administrativeArea ?? ocean
  }

  /// Removes what is finer than that.
  fileprivate mutating func coarsen(to precision: ProviderPrecision) {
    guard precision > .building else { return }
    subThoroughfare = nil
    if precision >= .quarter { (thoroughfare, postalCode) = (nil, nil) }
    if precision >= .town { subLocality = nil }
    guard isFinerThanTown else { return }
    kind = thoroughfare != nil ? .street : subLocality != nil ? .quarter : locality != nil ? .town : .area
    name = nameOfParts
  }
}
