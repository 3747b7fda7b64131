package import Geodesy

/// A grid of cells of about 5 km over the whole Earth, shifted by a key: the points of some cells do not reveal where their borders
/// are.
///
/// Rows of equal height lie between two round caps at the poles, and the columns of each row are shifted independently. A row has a
/// whole number of columns, so that no cell is cut at the date line.
package struct CoarseGrid: Hashable, Sendable {
  /// 0.045° of latitude: 4,976 m at the equator, 5,026 m at the poles.
  private static let rowHeight = 0.045
  /// Columns are at least as wide as this on the side of their row that faces the equator.
  private static let columnWidth = Meters(5_000)

  /// One cell. Row −1 is the cap of the south pole, and the last row the north pole's.
  package struct Cell: Hashable, Sendable {
    package let row: Int
    package let column: Int
  }

  private let hash: SipHash
  /// The latitude where the southern cap ends, degrees.
  private let southEdge: Double
  /// Rows between the caps.
  private let rows: Int

  /// Creates the grid of a key of 16 random bytes.
  package init(key: (low: UInt64, high: UInt64)) {
    hash = SipHash(key: key)
    // Caps are half a row to one and a half wide.
    let south = (0.5 + Self.fraction(hash.hash([UInt8(ascii: "r")]))) * Self.rowHeight
    southEdge = -90 + south
    rows = Int(((180 - south) / Self.rowHeight - 0.5).rounded(.down))
  }

  /// The cell that contains a place.
  package func cell(at place: Coordinate) -> Cell {
    let row = row(at: place.latitude.degrees)
    guard (0..<rows).contains(row) else { return Cell(row: row, column: 0) }
    let columns = columns(in: row)
    let turns = Self.wrapped(place.longitude.degrees / 360 - shift(of: row, columns))
    return Cell(row: row, column: min(columns - 1, Int(turns * Double(columns))))
  }

  /// The point that represents a cell, within 0.0005° of its middle. It is a multiple of 1/1024°, which shows that it is coarse and
  /// keeps sums of it exact.
  package func point(of cell: Cell) -> Coordinate {
    let (south, north) = edges(of: cell.row)
    guard (0..<rows).contains(cell.row) else {
      return Coordinate(latitude: Angle(degrees: cell.row < 0 ? -90 : 90), longitude: Angle(degrees: 0))
    }
    let (west, width) = meridians(of: cell)
    return Coordinate(
      latitude: Angle(degrees: Self.coarse((south + north) / 2)),
      longitude: Angle(degrees: Self.coarse((west + width / 2).remainder(dividingBy: 360))))
  }

  /// The distance from the cell's point to its farthest corner.
  package func reach(of cell: Cell) -> Meters {
    let point = point(of: cell)
    let (south, north) = edges(of: cell.row)
    let (west, width) = (0..<rows).contains(cell.row) ? meridians(of: cell) : (0, 0)
    var reach = Meters(0)
    for latitude in [south, north] {
      for longitude in [west, west + width] {
        let corner = Coordinate(
          latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude.remainder(dividingBy: 360)))
        reach = max(reach, Geodesic.inverse(from: point, to: corner).distance)
      }
    }
    return reach
  }

  /// How far a place outside a cell is from it, to within a few meters: along the meridian and the parallel.
  package func distance(from place: Coordinate, to cell: Cell) -> Meters {
    let (south, north) = edges(of: cell.row)
    guard (0..<rows).contains(cell.row) else {
      let pole = point(of: cell)
      let distance = Geodesic.inverse(from: place, to: pole).distance
      return max(Meters(0), distance - reach(of: cell))
    }
    let (west, width) = meridians(of: cell)
    let beyondWest = Self.wrapped((place.longitude.degrees - west) / 360) * 360
    let nearest = Coordinate(
      latitude: Angle(degrees: min(max(place.latitude.degrees, south), north)),
      longitude: Angle(
        degrees: (beyondWest <= width
          ? place.longitude.degrees : beyondWest - width < 360 - beyondWest ? west + width : west)
          .remainder(dividingBy: 360)))
    return Geodesic.inverse(from: place, to: nearest).distance
  }

  // MARK: Rows and columns

  private func row(at latitude: Double) -> Int {
    // NaN is in no cell: the first cap, rather than a trap.
    guard latitude >= southEdge else { return -1 }
    return min(rows, Int((min(90, latitude) - southEdge) / Self.rowHeight))
  }

  /// The southern and the northern edge of a row, degrees; for a cap, its one edge twice.
  private func edges(of row: Int) -> (south: Double, north: Double) {
    if row < 0 { return (southEdge, southEdge) }
    let south = southEdge + Double(row) * Self.rowHeight
    return (south, row < rows ? south + Self.rowHeight : south)
  }

  private func columns(in row: Int) -> Int {
    let (south, north) = edges(of: row)
    // A row on the equator is widest there.
    let latitude = south < 0 && north > 0 ? 0 : min(abs(south), abs(north))
    let parallel =
      2 * Double.pi * Ellipsoid.wgs84.primeVerticalRadius(at: Angle(degrees: latitude))
      * Math.cos(Angle(degrees: latitude).radians)
    return max(1, Int(parallel / Self.columnWidth.value))
  }

  /// How far east of Greenwich the row's first column begins, in turns.
  private func shift(of row: Int, _ columns: Int) -> Double {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: row >> (8 * $0)) }
    return Self.fraction(hash.hash([UInt8(ascii: "c")] + bytes)) / Double(columns)
  }

  /// The western edge of a cell between the caps and its width, degrees.
  private func meridians(of cell: Cell) -> (west: Double, width: Double) {
    let columns = columns(in: cell.row)
    let width = 360 / Double(columns)
    return (shift(of: cell.row, columns) * 360 + Double(cell.column) * width, width)
  }

  // MARK: Numbers

  /// The hash's upper 53 bits as a fraction, 0…<1.
  private static func fraction(_ hash: UInt64) -> Double { Double(hash >> 11) * 0x1p-53 }

  /// The fractional part, 0…<1.
  private static func wrapped(_ turns: Double) -> Double {
    let turns = turns - turns.rounded(.down)
    return turns < 1 ? turns : 0
  }

  private static func coarse(_ degrees: Double) -> Double { (degrees * 1024).rounded() / 1024 }
}
