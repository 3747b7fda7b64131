/// Why bytes are no tile.
package enum TileError: Error, Hashable, Sendable {
  /// Shorter than a header and a checksum, or longer than any tile.
  case size(Int)
  /// They begin with something else.
  case magic
  /// A version that is not known here.
  case version(UInt8)
  /// Damaged on the way.
  case checksum(expected: UInt32, found: UInt32)
  /// A row and column that the grid does not have.
  case key(row: Int, column: Int)
  /// More access points than a tile may have, or than so few bytes.
  case count(Int)
  /// The right checksum over what nobody encodes.
  case contents
}

/// Why places are not a tile's.
package enum TileEncodingError: Error, Hashable, Sendable {
  /// The place is in another tile.
  case outside(AccessPointPlace)
  /// More than a tile may have.
  case count(Int)
  /// No day from 1970 to 2149.
  case day
}
