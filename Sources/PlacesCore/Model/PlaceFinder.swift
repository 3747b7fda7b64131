package import Geodesy

/// Answers from all data: imported files, the newest first, then the data of the world, which also fills in what they lack.
package struct PlaceFinder: Sendable {
  private let imported: [any PlaceSource]
  private let world: (any PlaceSource)?
  private let report: @Sendable (PlaceError) -> Void

  /// - Parameter report: gets the error of an imported file that cannot answer a query; the others still answer.
  package init(
    imported: [any PlaceSource], world: (any PlaceSource)?,
    report: @escaping @Sendable (PlaceError) -> Void = { _ in }
  ) {
    self.imported = imported.sorted { $0.provenance.dataDate > $1.provenance.dataDate }
    self.world = world
    self.report = report
  }

  /// The result of an imported file; `nil`, and a report, if it cannot answer.
  private func answer<Found>(_ query: () throws(PlaceError) -> Found?) -> Found? {
    do throws(PlaceError) {
      return try query()
    } catch {
      report(error)
      return nil
    }
  }

  /// Whether there is any data.
  package var isEmpty: Bool { imported.isEmpty && world == nil }

  /// The place at a position; `nil` if no data has anything there. Throws the error of the world's data.
  package func place(at query: ReverseQuery) throws(PlaceError) -> Place? {
    let around = try world?.place(at: query)
    for source in imported {
      let found = answer { () throws(PlaceError) in try source.place(at: query) }
      guard var place = found else { continue }
      if let around { place.complete(by: around, country: try country(of: place) ?? around.isoCountryCode) }
      return place
    }
    return around
  }

  /// Whether a server may know more about a position than the data on this machine: no imported file has an answer there.
  package func mayBeRefined(_ place: Place?) -> Bool {
    guard let place else { return true }
    guard place.kind != .ocean else { return false }
    return !imported.contains { place.sources.contains($0.provenance) }
  }

  /// The same for the answers to a text: none, or only some of its words are explained.
  package func mayBeRefined(_ places: [Place]) -> Bool { places.first.map { $0.match == .partial } ?? true }

  /// A place from a server with its time zone, and with what the data of the world adds.
  package func completed(_ place: Place) -> Place {
    guard let around = answer({ () throws(PlaceError) in try world?.place(at: ReverseQuery(place.coordinate)) }) else {
      return place
    }
    var place = place
    switch place.kind {
    case .address, .street, .pointOfInterest, .quarter, .town:
      place.complete(by: around, country: place.isoCountryCode == nil ? around.isoCountryCode : nil)
    case .area, .inlandWater, .ocean, .zone: place.timeZone = place.timeZone ?? around.timeZone
    }
    return place
  }

  /// The country of a place that is smaller than a country: it may be on the other side of a border near the position of the query.
  private func country(of place: Place) throws(PlaceError) -> String? {
    switch place.kind {
    case .address, .street, .pointOfInterest, .quarter, .town:
      try world?.place(at: ReverseQuery(place.coordinate))?.isoCountryCode
    case .area, .inlandWater, .ocean, .zone: nil
    }
  }

  /// The places that match a text, the best first, without duplicates, at most `query.limit`: complete matches or, if there are none,
  /// partial ones. A street comes before a town of the same quality. A country at the end of the text, as on an envelope, selects places
  /// in it. Throws the error of the world's data.
  package func places(matching query: ForwardQuery) throws(PlaceError) -> [Place] {
    guard let (rest, country) = withoutCountry(query) else { return try search(query) }
    let found = try search(rest).filter { $0.isoCountryCode == nil || $0.isoCountryCode == country }
    // "Georgia" and "Luxembourg" are more than countries.
    return found.isEmpty ? try search(query) : found
  }

  /// The query without its country, and the country; `nil` if it names none.
  private func withoutCountry(_ query: ForwardQuery) -> (ForwardQuery, String)? {
    var query = query
    switch query.subject {
    case .text(let text):
      guard let comma = text.lastIndex(of: ","),
        let code = world?.countryCode(named: TextFolding.fold(String(text[text.index(after: comma)...])))
      else { return nil }
      query.subject = .text(String(text[..<comma]))
      return (query, code)
    case .parts(var parts):
      let code =
        parts.isoCountryCode?.uppercased() ?? parts.country.flatMap { world?.countryCode(named: TextFolding.fold($0)) }
      guard let code else { return nil }
      (parts.country, parts.isoCountryCode) = (nil, nil)
      guard !parts.line.isEmpty else { return nil }
      query.subject = .parts(parts)
      return (query, code)
    }
  }

  private func search(_ query: ForwardQuery) throws(PlaceError) -> [Place] {
    var found: [Place] = []
    for source in imported {
      for var place in answer({ () throws(PlaceError) in try source.places(matching: query) }) ?? [] {
        try explain(&place, query)
        if let around = try world?.place(at: ReverseQuery(place.coordinate, languages: query.languages)) {
          place.complete(by: around, country: around.isoCountryCode)
        }
        found.append(place)
      }
    }
    found += try world?.places(matching: query) ?? []
    var result: [Place] = []
    let complete = found.filter { $0.match == .complete }
    for var place in Self.ordered(complete.isEmpty ? found : complete, query) {
      guard result.count < query.limit else { break }
      place.unexplained = []
      if !result.contains(where: { $0.isDuplicate(of: place) }) { result.append(place) }
    }
    return result
  }

  /// The places with the text as their name first: "Porto" is the town rather than the road "Porto - Amarante". Then those that explain most
  /// of it, of all files. Otherwise the order of the sources stays.
  private static func ordered(_ places: [Place], _ query: ForwardQuery) -> [Place] {
    var name: String?
    if case .text(let text) = query.subject { name = TextFolding.fold(text) }
    let keys = places.map { place in
      if name != nil, place.name.map(TextFolding.fold) == name { return -1 }
      // The data of the world does not say how many words remain.
      return place.match == .partial && place.unexplained.isEmpty ? .max : place.unexplained.count
    }
    return places.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { places[$0] }
  }

  /// Explains the rest of the text by a town of the world's data near the place, if the place has no town: an extract with roads only has
  /// none.
  private func explain(_ place: inout Place, _ query: ForwardQuery) throws(PlaceError) {
    guard place.locality == nil, !place.unexplained.isEmpty else { return }
    // The house number remains unexplained.
    let words = place.unexplained.filter { !HouseNumber.isPossible($0) }
    guard !words.isEmpty else { return }
    var towns = ForwardQuery(.text(words.joined(separator: " ")), languages: query.languages)
    towns.hint = ForwardQuery.Hint(center: place.coordinate, radius: Self.widestTown)
    let town = try world?.places(matching: towns).first { town in
      town.match == .complete
        && Geodesic.distance(from: town.coordinate, to: place.coordinate)
          <= Meters(max(Self.leastReach.value, 2 * town.radius.value))
    }
    guard let town else { return }
    (place.locality, place.administrativeArea) = (town.locality, place.administrativeArea ?? town.administrativeArea)
    for source in town.sources where !place.sources.contains(source) { place.sources.append(source) }
    place.unexplained.removeAll { words.contains($0) }
    if place.unexplained.isEmpty { place.match = .complete }
  }

  /// A place belongs to a town of the world's data whose middle is at most this far away, or twice the radius of the town.
  private static let leastReach = Meters(3000)
  private static let widestTown = Meters(30_000)
}

extension Place {
  /// The greatest distance at which two results are one place.
  private static let duplicateDistance = Meters(100)
  /// The same for towns, whose middles differ between sources.
  private static let duplicateTowns = Meters(5000)

  /// Whether the other place has the same names and is close.
  func isDuplicate(of other: Place) -> Bool {
    guard kind == other.kind, name.map(TextFolding.fold) == other.name.map(TextFolding.fold),
      thoroughfare == other.thoroughfare, subThoroughfare == other.subThoroughfare
    else { return false }
    let limit = kind == .town ? Self.duplicateTowns : Self.duplicateDistance
    return Geodesic.distance(from: coordinate, to: other.coordinate) <= limit
  }

  /// Makes another country that of the place, and an address one in the order of that country.
  private mutating func move(to country: String) {
    if let street = thoroughfare, let number = subThoroughfare,
      name == AddressOrder.line(street: street, number: number, country: isoCountryCode)
    {
      name = AddressOrder.line(street: street, number: number, country: country)
    }
    isoCountryCode = country
  }

  /// Fills in what this place lacks from coarser data about a position near it, and corrects the country: an imported file has one
  /// country for all its places, but an extract contains parts of others, or several countries.
  ///
  /// - Parameter country: that of this place; `nil` if it is not known.
  package mutating func complete(by around: Place, country: String?) {
    func fill(_ path: WritableKeyPath<Place, String?>) -> Bool {
      guard self[keyPath: path] == nil, let value = around[keyPath: path] else { return false }
      self[keyPath: path] = value
      return true
    }
    var used = fill(\.timeZone)
    if let country, country != isoCountryCode {
      move(to: country)
      used = true
    }
    // The names of another country's town would be wrong.
    if isoCountryCode == around.isoCountryCode {
      if inlandWater == nil || locality != nil { used = fill(\.locality) || used }
      used = fill(\.administrativeArea) || used
    }
    if isoCountryCode == nil { used = fill(\.ocean) || used }
    guard used else { return }
    for source in around.sources where !sources.contains(source) { sources.append(source) }
  }

  /// Leaves only what is known far around a position.
  package mutating func removeTown(_ position: Coordinate) {
    guard kind == .town || kind == .quarter else { return }
    (kind, name, locality, subLocality, subAdministrativeArea) = (.zone, nil, nil, nil, nil)
    (coordinate, radius, distance) = (position, Meters(0), nil)
  }
}
