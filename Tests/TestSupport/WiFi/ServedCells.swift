package import Positioning

extension TileSelection {
  /// Ground of a tile that is served by some places, in cells of 50 m × 50 m.
  package static func servedCells(by places: some Sequence<AccessPointPlace>, in key: TileKey) -> Int {
    var grid = CoverageGrid(key)
    for place in places { grid.add(place.coordinate) }
    return grid.counts.count { $0 >= CoverageGrid.enough }
  }
}
