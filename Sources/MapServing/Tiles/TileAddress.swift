/// A tile of the map: at zoom z, the world has 2^z columns and rows.
package struct TileAddress: Hashable, Sendable {
  package static let zooms = 0...22

  /// 0…22.
  package var zoom: Int
  /// Columns count from the west, rows from the north.
  package var column, row: Int

  /// `nil` if there is no such tile.
  package init?(zoom: Int, column: Int, row: Int) {
    guard Self.zooms.contains(zoom), (0..<(1 << zoom)).contains(column), (0..<(1 << zoom)).contains(row) else {
      return nil
    }
    (self.zoom, self.column, self.row) = (zoom, column, row)
  }

  /// The number of the tile in a PMTiles archive: all tiles of lower zooms come first, and those of one zoom are in the order of Hilbert's
  /// curve (PMTiles specification, version 3.4, section 4.1).
  package var archiveNumber: UInt64 {
    var number: UInt64 = 0
    for lower in 0..<zoom { number += 1 << (2 * UInt64(lower)) }
    var (x, y) = (column, row)
    var step = zoom > 0 ? 1 << (zoom - 1) : 0
    while step > 0 {
      let (right, down) = (x & step > 0, y & step > 0)
      number += UInt64(step * step * (right ? down ? 2 : 3 : down ? 1 : 0))
      if !down {
        if right { (x, y) = (step - 1 - (x & (step - 1)), step - 1 - (y & (step - 1))) }
        (x, y) = (y, x)
      }
      step >>= 1
    }
    return number
  }
}
