package import Geodesy

extension TileKey {
  /// All tiles that share an edge or a corner with this one, by row and column. Eight where both rows beside have as many
  /// columns; one more or less where they have not; and those of the row across the pole, which is the same row.
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
    // Edges that are meant to be one point may differ in their last bits.
    let slack = 1e-9
    let first = Int(((west - slack) * Double(columns)).rounded(.down))
    let last = Int(((east + slack) * Double(columns)).rounded(.down))
    let all = (first...last).map { ($0 % columns + columns) % columns }
    return Set(all).sorted()
  }

  /// The tiles within `distance` of a place: its own, and those of its neighbours that are so near. For distances up to a
  /// tile's size.
  package static func around(_ place: Coordinate, within distance: Meters) -> [TileKey] {
    let own = TileKey(place)
    let frame = LocalFrame(origin: place)
    let reach = distance.value
    var corners = [own]
    for (east, north) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
      let key = TileKey(
        frame.coordinate(at: .init(eastMeters: reach * Double(east), northMeters: reach * Double(north))))
      if !corners.contains(key) { corners.append(key) }
    }
    return corners
  }
}
