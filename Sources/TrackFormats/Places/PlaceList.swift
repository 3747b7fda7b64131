package import Geodesy
import Regions

/// A place in a file: its position, and its name if it has one.
package struct NamedPlace: Hashable, Sendable {
  package let name: String?
  package let coordinate: Coordinate

  package init(name: String?, coordinate: Coordinate) {
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.coordinate = coordinate
  }
}

/// Reads the places of a third-party file: GPX waypoints, GeoJSON or KML features, CSV with columns for latitude and
/// longitude, or lines of `LAT,LON[,NAME]` in any notation. The place of a polygon is the point in the middle of its
/// corners.
package enum PlaceList {
  /// The most places that are read.
  package static let maximum = 1_000_000

  /// The places in the order of the file, and the number of features, or parts of them, that are not places.
  package static func read(_ bytes: [UInt8]) throws(PlaceListError) -> (places: [NamedPlace], leftOut: Int) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try features(bytes, GeoJSONRegionReader(defaultRadius: Meters(1)))
    case UInt8(ascii: "<"):
      guard try WaypointReader.isGPX(bytes) else {
        return try features(bytes, KMLRegionReader(defaultRadius: Meters(1)))
      }
      return (try WaypointReader.read(bytes), 0)
    default: return (try PlaceLines.read(text), 0)
    }
  }

  private static func features(
    _ bytes: [UInt8], _ reader: some RegionFileReader
  ) throws(PlaceListError) -> (places: [NamedPlace], leftOut: Int) {
    var reader = reader
    let found: [FoundRegion]
    do throws(RegionImportError) {
      found = try reader.receive(bytes.span) + reader.finish()
    } catch {
      throw .features(error)
    }
    var leftOut = reader.remarks.leftOut
    var places: [NamedPlace] = []
    for feature in found {
      guard let region = try? feature.region() else {
        leftOut += 1
        continue
      }
      places.append(NamedPlace(name: feature.name, coordinate: region.shape.middle))
    }
    guard places.count <= maximum else { throw .tooMany(most: maximum) }
    return (places, leftOut)
  }
}

/// Why no places can be read from a file.
package enum PlaceListError: Error, Hashable, Sendable {
  /// GeoJSON or KML that cannot be read.
  case features(RegionImportError)
  /// GPX that cannot be read.
  case waypoints(GPXError)
  /// A line that names no position; the payload counts from 1.
  case line(Int)
  /// A longitude without a latitude, or the reverse, in the header of a CSV file.
  case header
  case tooMany(most: Int)
}
