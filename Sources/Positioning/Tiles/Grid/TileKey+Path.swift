extension TileKey {
  /// Where the tile is found under a folder or an address: "v1/3022/2815.tile".
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
