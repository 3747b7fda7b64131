extension TownTable {
  /// The towns with the most people in an area, the largest first, at most `most`. Every town of the rows of the area is looked at, by its
  /// position and one byte.
  package func largest(
    _ most: Int, latitudes area: ClosedRange<Double>, longitudes range: ClosedRange<Double>, in bytes: Span<UInt8>
  ) -> [Int] {
    guard file.isOf(bytes), most > 0, area.lowerBound >= -90, area.upperBound <= 90 else { return [] }
    // One list for each size: 256 sizes, so that nothing is sorted.
    var found = [[Int]](repeating: [], count: 256)
    let rows = Int((area.lowerBound + 90) * 10)...min(Int((area.upperBound + 90) * 10), Self.rowCount - 1)
    for row in rows {
      for town in towns(inRow: row, bytes) {
        let longitude = Double(bytes.i32(longitudes.lowerBound + 4 * town)) / Self.unit
        guard range.contains(longitude) else { continue }
        let latitude = Double(row) / 10 - 90 + Double(bytes.u16(latitudes.lowerBound + 2 * town)) / Self.unit
        guard area.contains(latitude) else { continue }
        let step = populationStep(of: town, bytes)
        if found[step].count < most { found[step].append(town) }
      }
    }
    var result: [Int] = []
    for list in found.reversed() where result.count < most { result += list.prefix(most - result.count) }
    return result
  }
}
