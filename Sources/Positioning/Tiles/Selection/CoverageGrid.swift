package import Geodesy

/// How many access points are near each 50 m of a tile.
package struct CoverageGrid: Sendable {
  /// Metres between two cells, and how near an access point is to the middle of a cell that it serves.
  static let spacing = 50.0
  static let reach = 100.0
  /// So many access points make a position that is more than one access point's.
  package static let enough = 2

  private let frame: LocalFrame
  /// Cells along an edge: a tile, and what its access points reach beyond.
  private let width: Int
  package private(set) var counts: [UInt16]

  package init(_ tile: TileKey) {
    let half = TileCell.count / 2
    frame = LocalFrame(origin: TileCell(x: half, y: half).middle(in: tile))
    width = Int(5_200 / Self.spacing) + 2 * Int(Self.reach / Self.spacing)
    counts = [UInt16](repeating: 0, count: width * width)
  }

  /// The cells whose middle is within reach of a place.
  func cells(around place: Coordinate) -> [Int] {
    let offset = frame.offset(of: place)
    let (x, y) = (
      offset.eastMeters / Self.spacing + Double(width) / 2, offset.northMeters / Self.spacing + Double(width) / 2
    )
    let reach = Self.reach / Self.spacing
    func range(_ middle: Double) -> ClosedRange<Int> {
      let (low, high) = (Int((middle - reach).rounded(.up)), Int((middle + reach).rounded(.down)))
      return max(0, min(width - 1, low))...max(0, min(width - 1, high))
    }
    var cells: [Int] = []
    for row in range(y) {
      for column in range(x) {
        let (dx, dy) = (Double(column) - x, Double(row) - y)
        if dx * dx + dy * dy <= reach * reach { cells.append(row * width + column) }
      }
    }
    return cells
  }

  /// Counts one access point.
  package mutating func add(_ place: Coordinate) {
    for cell in cells(around: place) where counts[cell] < .max { counts[cell] += 1 }
  }
}
