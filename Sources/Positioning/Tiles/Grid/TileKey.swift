package import Geodesy

/// One tile of the grid that access points are kept by: about 5 km × 5 km anywhere on Earth.
///
/// Rows are 0.045° of latitude high (4.98 km at the equator, 5.03 km at the poles), counted from the South Pole. Each row is cut
/// into as many equal columns, counted eastwards from 180° W, as make them at most 5 km wide at the row's edge towards the
/// equator: 8016 at the equator, 7 around a pole, where tiles are triangles. 180° E is 180° W; a pole belongs to the column of
/// the longitude that it is told with. The grid is part of the format: a change of it is another version.
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

  /// `nil`: there is no such tile.
  package init?(row: Int, column: Int) {
    guard (0..<Self.rows).contains(row), (0..<Self.columns(inRow: row)).contains(column) else { return nil }
    self.row = row
    self.column = column
  }

  /// The tile that a place is in.
  package init(_ place: Coordinate) {
    row = Self.row(of: place.latitude)
    column = Self.column(of: place.longitude, inRow: row)
  }

  /// How many tiles a row has. The cosine's last bits differ between machines; no row is so near a whole number that they
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

  /// The southern edge of a row, or of the one behind the last.
  static func south(ofRow row: Int) -> Angle { Angle(degrees: Double(row * rowHeight - 90_000) / 1000) }

  /// Its western edge.
  var west: Double { Double(column) / Double(Self.columns(inRow: row)) }
  /// Its eastern edge, turns from 180° W, up to 1.
  var east: Double { Double(column + 1) / Double(Self.columns(inRow: row)) }
}
