package import Geodesy
import LinuxIO
package import PlacesCore

/// The data of the world that is installed with this program, in mapped files. Look-ups need no daemon, no permission and no network,
/// and several threads may use one value.
package struct WorldPlaces: PlaceSource {
  package static let zonesName = "world.zones"
  package static let townsName = "world.towns"

  private let zones: MappedFile?
  private let towns: MappedFile?
  private let tables: WorldTables
  /// The folder of the files.
  package let folder: String

  /// Where the files may be: the folder in `LOCATIOND_WORLD`, otherwise those of the package and of `make install`.
  package static func folders(_ variable: String?) -> [String] {
    if let variable, !variable.isEmpty { return [variable] }
    return ["/usr/share/locationd", "/usr/local/share/locationd"]
  }

  /// Opens the files of the first folder that has any of them; `nil` if none has.
  package static func open(_ folders: [String]) throws(PlaceError) -> WorldPlaces? {
    for folder in folders {
      let zones = try file("\(folder)/\(zonesName)")
      let towns = try file("\(folder)/\(townsName)")
      if zones != nil || towns != nil { return try WorldPlaces(folder: folder, zones: zones, towns: towns) }
    }
    return nil
  }

  private static func file(_ path: String) throws(PlaceError) -> MappedFile? {
    do throws(SystemError) {
      return try MappedFile(path: path, maximumSize: WorldFile.largestSize)
    } catch {
      guard error.isMissing else { throw .unreadable(path: path, operation: error.operation, code: error.errno) }
      return nil
    }
  }

  private init(folder: String, zones: MappedFile?, towns: MappedFile?) throws(PlaceError) {
    (self.folder, self.zones, self.towns) = (folder, zones, towns)
    var zoneMap: ZoneMap?
    var townTable: TownTable?
    do throws(WorldFile.Problem) {
      zoneMap = try zones?.withBytes { (bytes) throws(WorldFile.Problem) in try ZoneMap(bytes) }
    } catch {
      throw error.error(path: "\(folder)/\(Self.zonesName)")
    }
    do throws(WorldFile.Problem) {
      townTable = try towns?.withBytes { (bytes) throws(WorldFile.Problem) in try TownTable(bytes) }
    } catch {
      throw error.error(path: "\(folder)/\(Self.townsName)")
    }
    tables = WorldTables(zones: zoneMap, towns: townTable)
  }

  /// The files with the origin of their data, and what they hold.
  package var files: [(name: String, size: Int, count: Int, provenance: PlaceProvenance)] {
    var files: [(name: String, size: Int, count: Int, provenance: PlaceProvenance)] = []
    if let zones, let map = tables.zones {
      files.append((Self.zonesName, zones.count, map.count, map.file.provenance))
    }
    if let towns, let table = tables.towns {
      files.append((Self.townsName, towns.count, table.count, table.file.provenance))
    }
    return files
  }

  /// The name of the first file whose bytes are not as they were written; reads both files.
  package func damagedFile() -> String? {
    if let zones, let map = tables.zones, !zones.withBytes({ map.file.isIntact($0) }) { return Self.zonesName }
    if let towns, let table = tables.towns, !towns.withBytes({ table.file.isIntact($0) }) { return Self.townsName }
    return nil
  }

  package var provenance: PlaceProvenance {
    tables.provenances.last ?? PlaceProvenance(name: "world", license: "", attribution: "", dataDate: "")
  }

  /// The time zone at a position by its name in the tz database; `nil` without the file of zones. Allocates only the name.
  package func timeZone(at coordinate: Coordinate) -> String? {
    guard let zones, let map = tables.zones else { return nil }
    return zones.withBytes { bytes in map.zone(at: coordinate, in: bytes).flatMap { map.name(of: $0, in: bytes) } }
  }

  /// The number of the time zone at a position, which is valid for this value.
  package func zoneNumber(at coordinate: Coordinate) -> Int? {
    guard let zones, let map = tables.zones else { return nil }
    return zones.withBytes { map.zone(at: coordinate, in: $0) }
  }

  package func place(at query: ReverseQuery) -> Place? {
    withTables { tables, zones, towns in
      guard var place = tables.place(at: query.coordinate, zones, towns) else { return nil }
      // The nearest town is not known if the position is not known better than that.
      if let accuracy = query.accuracy, accuracy > WorldTables.reachOfTown { place.removeTown(query.coordinate) }
      return place
    }
  }

  package func places(matching query: ForwardQuery) -> [Place] {
    withTables { tables, zones, towns in
      guard let table = tables.towns else { return [] }
      return TownSearch(query, in: table).run(towns).map { found in
        var place = tables.place(of: found.town, zones)
        (place.match, place.distance) = (found.match, found.distance)
        return place
      }
    }
  }

  /// The code of the country with that name (ISO 3166-1 alpha-2).
  package func countryCode(named name: String) -> String? {
    withTables { tables, _, towns in tables.towns?.countryCode(named: name, in: towns) }
  }

  /// The towns with the most people in an area, the largest first, at most `most`.
  package func largestTowns(_ most: Int, latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) -> [Town] {
    withTables { tables, _, towns in
      guard let table = tables.towns else { return [] }
      return table.largest(most, latitudes: latitudes, longitudes: longitudes, in: towns).compactMap {
        table.town($0, in: towns)
      }
    }
  }

  /// The English name of a country.
  package func countryName(_ code: String) -> String? {
    withTables { tables, _, towns in tables.towns?.countryName(code, in: towns) }
  }

  private func withTables<R>(_ body: (WorldTables, Span<UInt8>, Span<UInt8>) -> R) -> R {
    let none: [UInt8] = []
    func withTowns(_ zones: Span<UInt8>) -> R {
      guard let towns else { return body(tables, zones, none.span) }
      return towns.withBytes { body(tables, zones, $0) }
    }
    guard let zones else { return withTowns(none.span) }
    return zones.withBytes { withTowns($0) }
  }
}

extension SystemError {
  /// Whether there is no file of that name.
  fileprivate var isMissing: Bool { errno == 2 || errno == 20 }
}
