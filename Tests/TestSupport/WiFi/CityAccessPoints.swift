import Foundation
import Geodesy
package import Positioning
import WireFormats

/// 32,117 access points of a real city, from the folder in `LOCATION_DATA`; see the README there.
package enum CityAccessPoints {
  private static let path =
    ProcessInfo.processInfo.environment["LOCATION_DATA"].map { "\($0)/wifi/city_access_points.csv" }
  /// A condition for `.enabled(if:)`.
  package static let areThere = path.map { FileManager.default.isReadableFile(atPath: $0) } ?? false
  package static let whatIsMissing = "LOCATION_DATA names no folder of access points"

  /// Each address once, at the first position in the table; its radius is drawn uniformly from the classes of a tile, because the
  /// table has none: no coder can use less than four bits for that.
  package static func places() throws -> [AccessPointPosition] {
    guard let path else { return [] }
    var random = SplitMix64(seed: 1)
    var known: Set<BSSID> = []
    var places: [AccessPointPosition] = []
    for line in try String(contentsOfFile: path, encoding: .ascii).split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: ",")
      guard fields.count == 3, let bssid = BSSID(fields[0]), let latitude = Double(fields[1]),
        let longitude = Double(fields[2]),
        let place = Coordinate(checkingLatitude: latitude, longitude: longitude), known.insert(bssid).inserted
      else { continue }
      let radius = Meters(8 * Math.exp(0.3 * (Double(Int.random(in: 0..<16, using: &random)) + 0.01)))
      places.append(AccessPointPosition(bssid: bssid, coordinate: place, radius68: radius))
    }
    return places
  }

  /// The same access points by tile, in the order of the tiles.
  package static func tiles() throws -> [(key: TileKey, places: [AccessPointPosition])] {
    Dictionary(grouping: try places()) { TileKey($0.coordinate) }.map { (key: $0, places: $1) }
      .sorted { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }
  }
}

extension TileSelection {
  /// The area of a tile that some access points serve, in cells of 50 m × 50 m.
  package static func servedCells(by places: some Sequence<AccessPointPosition>, in key: TileKey) -> Int {
    var grid = CoverageGrid(key)
    for place in places { grid.add(place.coordinate) }
    return grid.counts.count { $0 >= CoverageGrid.enough }
  }
}
