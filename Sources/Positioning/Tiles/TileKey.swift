package import Geodesy

/// One tile of the grid in which access points are stored: about 5 km × 5 km anywhere on Earth.
///
/// Rows are 0.045° of latitude high (4.98 km at the equator, 5.03 km at the poles), counted from the South Pole. Each
/// row is divided into equal columns, counted eastward from 180° W: the smallest number of them for which a column is
/// at most 5 km wide at the row's edge toward the equator, that is 8016 at the equator, 7 around a pole, where tiles
/// are triangles. 180° E is 180° W; a pole belongs to the column of its stated longitude. The grid is part of the
/// format: a changed grid is another version.
package struct TileKey: Hashable, Sendable {
  /// 0…3999, northwards.
  package let row: Int
  /// 0..<`columns(inRow:)`, eastwards.
  package let column: Int

  package static let rows = 4000
  /// Height of a row, thousandths of a degree.
  private static let rowHeight = 45
  /// The equator's length by 5 km (WGS 84: 2π · 6,378,137 m).
  private static let columnsAtEquator = 8015.0034

  /// `nil` if there is no such tile.
  package init?(row: Int, column: Int) {
    guard (0..<Self.rows).contains(row), (0..<Self.columns(inRow: row)).contains(column) else { return nil }
    self.row = row
    self.column = column
  }

  /// The tile that contains a place.
  package init(_ place: Coordinate) {
    row = Self.row(of: place.latitude)
    column = Self.column(of: place.longitude, inRow: row)
  }

  /// The number of tiles in a row. The cosine's last bits differ between machines; no row is so near a whole number that they
  /// matter (tested).
  package static func columns(inRow row: Int) -> Int { Int(exactColumns(inRow: row).rounded(.up)) }

  /// The same before it is rounded up.
  static func exactColumns(inRow row: Int) -> Double {
    let edge = row < rows / 2 ? south(ofRow: row + 1) : south(ofRow: row)
    return columnsAtEquator * Math.cos(edge.radians)
  }

  static func row(of latitude: Angle) -> Int {
    min(rows - 1, max(0, Int(((latitude.degrees + 90) * 1000 / Double(rowHeight)).rounded(.down))))
  }

  static func column(of longitude: Angle, inRow row: Int) -> Int {
    let columns = columns(inRow: row)
    let column = Int(turns(longitude) * Double(columns))
    return min(columns - 1, max(0, column))
  }

  /// 0..<1 eastwards from 180° W.
  static func turns(_ longitude: Angle) -> Double {
    longitude.degrees >= 180 ? 0 : max(0, (longitude.degrees + 180) / 360)
  }

  /// The southern edge of a row, or of the one after the last.
  static func south(ofRow row: Int) -> Angle { Angle(degrees: Double(row * rowHeight - 90_000) / 1000) }

  /// Its western edge, turns from 180° W.
  var west: Double { Double(column) / Double(Self.columns(inRow: row)) }
  /// Its eastern edge, turns from 180° W, up to 1.
  var east: Double { Double(column + 1) / Double(Self.columns(inRow: row)) }
}

extension TileKey {
  /// All tiles that share an edge or a corner with this one, by row and column: eight if both adjacent rows have as
  /// many columns, and one more or fewer if they do not. In a row at a pole, all other tiles of the row are neighbors,
  /// because they meet at the pole.
  package var neighbours: [TileKey] {
    var found: [TileKey] = []
    for other in (row - 1)...(row + 1) {
      guard (0..<Self.rows).contains(other) else { continue }
      // Around a pole all tiles meet in one point.
      let isPolar = row == other && (row == 0 || row == Self.rows - 1)
      let columns = isPolar ? Array(0..<Self.columns(inRow: other)) : touching(inRow: other)
      found += columns.compactMap { TileKey(row: other, column: $0) }
    }
    return found.filter { $0 != self }
  }

  /// The columns of a row that have a longitude in common with this tile, its edges included.
  private func touching(inRow other: Int) -> [Int] {
    let columns = Self.columns(inRow: other)
    // Edges that should be one point may differ in their last bits.
    let slack = 1e-9
    let first = Int(((west - slack) * Double(columns)).rounded(.down))
    let last = Int(((east + slack) * Double(columns)).rounded(.down))
    let all = (first...last).map { ($0 % columns + columns) % columns }
    return Set(all).sorted()
  }
}

extension TileKey {
  /// The path of the tile below a folder or an address: "v1/3022/2815.tile".
  package var path: String { "v1/\(row)/\(column).tile" }

  /// The tile of a path as `path` writes it; `nil` for anything else.
  package init?(path: some StringProtocol) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "v1", parts[2].hasSuffix(".tile"),
      let row = Int(parts[1]), let column = Int(parts[2].dropLast(5)), let key = TileKey(row: row, column: column),
      key.path == path
    else { return nil }
    self = key
  }
}

/// A place within a tile, to one of 512 × 512 cells.
///
/// A cell is at most 9.82 m high and 9.79 m wide, so that its center is at most 6.94 m from any place in it.
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

  /// The cell of a place in `tile`; `nil` if the place is outside.
  init?(_ place: Coordinate, in tile: TileKey) {
    guard TileKey(place) == tile else { return nil }
    let south = TileKey.south(ofRow: tile.row).degrees
    let height = TileKey.south(ofRow: tile.row + 1).degrees - south
    let (west, width) = (tile.west, tile.east - tile.west)
    x = Self.index((TileKey.turns(place.longitude) - west) / width)
    y = Self.index((place.latitude.degrees - south) / height)
  }

  private static func index(_ share: Double) -> Int { min(count - 1, max(0, Int(share * Double(count)))) }

  /// The center of the cell.
  func middle(in tile: TileKey) -> Coordinate {
    let south = TileKey.south(ofRow: tile.row).degrees
    let height = TileKey.south(ofRow: tile.row + 1).degrees - south
    let turns = tile.west + (tile.east - tile.west) * (Double(x) + 0.5) / Double(Self.count)
    return Coordinate(
      latitude: Angle(degrees: south + height * (Double(y) + 0.5) / Double(Self.count)),
      longitude: Angle(degrees: turns * 360 - 180))
  }
}
