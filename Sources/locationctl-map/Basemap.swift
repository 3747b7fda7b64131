import Geodesy
import LinuxIO
import MapServing
import MapTiles
import PlacesCore
import PlacesData
import PlacesStore

/// The tiles and the data of places of this machine.
final class Basemap {
  /// Those of the command line, or else those of imported places.
  let files: [any TileFile]
  /// The data of the world; without it, the map has no names of towns.
  let world: WorldPlaces?
  /// Opened when the first address is asked for.
  private lazy var finder: PlaceFinder = {
    let imported = PlacesFolders.files().compactMap { try? PlacesFile(path: $0.path) }
    return PlaceFinder(imported: imported, world: world)
  }()

  /// The most files that are shown: each one is a source of the page's own.
  static let mostFiles = 16

  init(_ files: [any TileFile]) {
    self.files = files
    world = try? WorldPlaces.open(WorldPlaces.folders(ProcessEnvironment.value("LOCATIOND_WORLD")))
  }

  /// The files of the command line, or else those of imported places.
  static func files(_ given: [String]) throws(TileFileProblem) -> [any TileFile] {
    var files: [any TileFile] = []
    for path in given {
      do throws(TileFileError) {
        files.append(try TileFiles.open(path))
      } catch {
        throw TileFileProblem(message: "\(path) cannot be shown: \(error.reason)")
      }
    }
    guard given.isEmpty else { return files }
    return PlacesFolders.files().prefix(mostFiles).compactMap { TileFiles.open(places: $0.path) }
  }

  var description: [UInt8] { MapJSON.basemap(files.map(\.description)) }

  /// 204 if there is no such tile: MapLibre reports 404 as an error.
  func response(_ file: Int, _ address: TileAddress) -> HTTPResponse {
    guard files.indices.contains(file), let tile = files[file].tile(address), !tile.bytes.isEmpty else {
      return HTTPResponse(.noContent)
    }
    let content: HTTPResponse.Content =
      switch files[file].description.content {
      case .vector: .vectorTile
      case .png: .png
      case .jpeg: .jpeg
      case .webp: .webp
      }
    var response = HTTPResponse(.ok, content, tile.bytes)
    if tile.isGzip { response.headers.append(("Content-Encoding", "gzip")) }
    return response
  }

  func towns(_ area: MapArea, _ most: Int) -> [UInt8] {
    let towns = world?.largestTowns(
      most, latitudes: area.south...area.north, longitudes: area.west...area.east)
    return MapJSON.towns((towns ?? []).map { ($0.name, $0.population, $0.coordinate) })
  }

  /// The address of a position, from data on this machine only.
  func address(_ coordinate: Coordinate) -> [UInt8] {
    guard let place = try? finder.place(at: ReverseQuery(coordinate)) else { return MapJSON.address([], sources: []) }
    let street = [place.thoroughfare, place.subThoroughfare].compactMap(\.self).joined(separator: " ")
    let town = [place.postalCode, place.locality].compactMap(\.self).joined(separator: " ")
    var lines: [String] = []
    for line in [
      place.name ?? street, town.isEmpty ? place.inlandWater ?? place.ocean ?? "" : town,
      [place.administrativeArea, place.isoCountryCode].compactMap(\.self).joined(separator: ", "),
    ] where !line.isEmpty && !lines.contains(line) {
      lines.append(line)
    }
    return MapJSON.address(lines, sources: place.sources.map(\.attribution).filter { !$0.isEmpty })
  }
}

/// Why a file of the command line cannot be used.
struct TileFileProblem: Error {
  let message: String
}
