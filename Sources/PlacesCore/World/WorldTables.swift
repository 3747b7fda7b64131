package import Geodesy

/// The tables of time zones and towns, with what they say about a position. Each may be missing.
package struct WorldTables: Sendable {
  package let zones: ZoneMap?
  package let towns: TownTable?

  /// A town is the locality of positions up to this distance from its middle.
  package static let reachOfTown = Meters(25_000)
  /// The region is that of the nearest town up to this distance.
  static let reachOfRegion = Meters(150_000)
  /// Which of two countries in a zone it is, is decided by towns up to this distance.
  static let reachOfCountry = Meters(500_000)

  package init(zones: ZoneMap?, towns: TownTable?) {
    self.zones = zones
    self.towns = towns
  }

  /// The origins of the data of both tables.
  package var provenances: [PlaceProvenance] { [zones?.file.provenance, towns?.file.provenance].compactMap(\.self) }

  /// The country of a position: that of its time zone, or of the nearest town where the zone is in two countries. Without zones, that
  /// of a town near by.
  package func country(
    at coordinate: Coordinate, zone: Int?, _ zoneBytes: Span<UInt8>, _ townBytes: Span<UInt8>
  ) -> String? {
    guard let zones, let zone else {
      guard let towns, let town = towns.nearest(to: coordinate, within: Self.reachOfTown, in: townBytes) else {
        return nil
      }
      return towns.country(of: town, in: townBytes)
    }
    let countries = zones.countries(of: zone, in: zoneBytes)
    guard countries.count > 1, let towns,
      let town = towns.nearest(
        to: coordinate, within: Self.reachOfCountry, in: townBytes,
        where: { towns.country(of: $0, in: townBytes).map(countries.contains) ?? false })
    else { return countries.first }
    return towns.country(of: town, in: townBytes)
  }

  /// What the tables know about a position; `nil` if nothing.
  package func place(
    at coordinate: Coordinate, _ zoneBytes: Span<UInt8>, _ townBytes: Span<UInt8>
  ) -> Place? {
    let zone = zones?.zone(at: coordinate, in: zoneBytes)
    let country = country(at: coordinate, zone: zone, zoneBytes, townBytes)
    var place = Place(coordinate: coordinate, kind: .zone)
    if let zones, let zone {
      place.timeZone = zones.name(of: zone, in: zoneBytes)
      place.sources.append(zones.file.provenance)
    }
    place.isoCountryCode = country
    if zone != nil, country == nil {
      // Zones of countries include their territorial waters; the others are at sea.
      let ocean = Oceans.name(at: coordinate)
      (place.kind, place.ocean, place.name) = (.ocean, ocean, ocean)
    }
    addTown(to: &place, at: coordinate, country, townBytes)
    return place.timeZone == nil && place.locality == nil && country == nil ? nil : place
  }

  /// Adds the nearest town of the country, and its region.
  private func addTown(to place: inout Place, at coordinate: Coordinate, _ country: String?, _ bytes: Span<UInt8>) {
    guard let towns, let country,
      let number = towns.nearest(
        to: coordinate, within: Self.reachOfRegion, in: bytes, where: { towns.country(of: $0, in: bytes) == country }),
      let town = towns.town(number, in: bytes)
    else { return }
    place.sources.append(towns.file.provenance)
    place.administrativeArea = town.shownRegion
    let distance = Geodesic.distance(from: coordinate, to: town.coordinate)
    guard distance <= Self.reachOfTown else { return }
    place.subAdministrativeArea = town.county.isEmpty ? nil : town.county
    (place.kind, place.name, place.locality) = (.town, town.name, town.name)
    (place.coordinate, place.radius, place.distance) = (town.coordinate, town.radius, distance)
    if let city = towns.city(ofQuarter: number, in: bytes).flatMap({ towns.town($0, in: bytes) }) {
      (place.kind, place.locality, place.subLocality) = (.quarter, city.name, town.name)
    }
  }

  /// The place of a town: all its fields, with the time zone of its middle.
  package func place(of town: Town, _ zoneBytes: Span<UInt8>) -> Place {
    var place = Place(coordinate: town.coordinate, radius: town.radius, kind: .town)
    (place.name, place.locality, place.isoCountryCode) = (town.name, town.name, town.country)
    place.administrativeArea = town.shownRegion
    place.subAdministrativeArea = town.county.isEmpty ? nil : town.county
    place.sources = provenances
    if let zones, let zone = zones.zone(at: town.coordinate, in: zoneBytes) {
      place.timeZone = zones.name(of: zone, in: zoneBytes)
    }
    return place
  }
}

extension Town {
  /// The region as in an address; `nil` if it is not known.
  var shownRegion: String? {
    let shown = regionAbbreviation.isEmpty ? region : regionAbbreviation
    return shown.isEmpty ? nil : shown
  }

  /// Half the extent of a town with 2,500 people per square kilometer, 500 m to 30 km: the file has no outlines.
  package var radius: Meters {
    Meters(min(max((Double(population) / (2500 * .pi)).squareRoot() * 1000, 500), 30_000))
  }
}
