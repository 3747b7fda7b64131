import Geodesy

/// A place within a tile, to one of 512 × 512 cells.
///
/// A cell is at most 9.82 m high and 9.79 m wide, so that its middle is at most 6.94 m from any place in it.
struct TileCell: Hashable {
  /// Cells along an edge of a tile, and the bits of that.
  static let count = 512
  static let bits = 9

  /// From the west, 0…511.
  var x: Int
  /// From the south, 0…511.
  var y: Int

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The cell of a place in `tile`; `nil`: it is not in there.
  init?(_ place: Coordinate, in tile: TileKey) {
    guard TileKey(place) == tile else { return nil }
    let south = TileKey.south(ofRow: tile.row).degrees
    let height = TileKey.south(ofRow: tile.row + 1).degrees - south
    let (west, width) = (tile.west, tile.east - tile.west)
    x = Self.index((TileKey.turns(place.longitude) - west) / width)
    y = Self.index((place.latitude.degrees - south) / height)
  }

  private static func index(_ share: Double) -> Int { min(count - 1, max(0, Int(share * Double(count)))) }

  /// The middle of the cell.
  func middle(in tile: TileKey) -> Coordinate {
    let south = TileKey.south(ofRow: tile.row).degrees
    let height = TileKey.south(ofRow: tile.row + 1).degrees - south
    let turns = tile.west + (tile.east - tile.west) * (Double(x) + 0.5) / Double(Self.count)
    return Coordinate(
      latitude: Angle(degrees: south + height * (Double(y) + 0.5) / Double(Self.count)),
      longitude: Angle(degrees: turns * 360 - 180))
  }
}
