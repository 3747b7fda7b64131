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
      if let around { place.complete(by: around) }
      return place
    }
    return around
  }

  /// The places that match a text, the best first, without duplicates, at most `query.limit`. Complete matches come before partial
  /// ones; a street comes before a town of the same quality. Throws the error of the world's data.
  package func places(matching query: ForwardQuery) throws(PlaceError) -> [Place] {
    var found: [Place] = []
    for source in imported {
      for var place in answer({ () throws(PlaceError) in try source.places(matching: query) }) ?? [] {
        if let around = try world?.place(at: ReverseQuery(place.coordinate, languages: query.languages)) {
          place.complete(by: around)
        }
        found.append(place)
      }
    }
    found += try world?.places(matching: query) ?? []
    var result: [Place] = []
    for place in found.filter({ $0.match == .complete }) + found.filter({ $0.match == .partial }) {
      guard result.count < query.limit else { break }
      if !result.contains(where: { $0.isDuplicate(of: place) }) { result.append(place) }
    }
    return result
  }
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

  /// Fills in what this place lacks from coarser data about the same position.
  package mutating func complete(by around: Place) {
    func fill(_ path: WritableKeyPath<Place, String?>) -> Bool {
      guard self[keyPath: path] == nil, let value = around[keyPath: path] else { return false }
      self[keyPath: path] = value
      return true
    }
    var used = fill(\.timeZone)
    // The names of another country's town would be wrong.
    if isoCountryCode == nil || isoCountryCode == around.isoCountryCode {
      used = fill(\.isoCountryCode) || used
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
