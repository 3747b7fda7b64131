import Geodesy
@testable import Positioning
import TestSupport
import Testing

struct TileKeyTests {
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }

  @Test func aTileIsFiveKilometres() {
    for row in [0, 1, 2, 10, 700, 1999, 2000, 3022, 3990, 3999] {
      let columns = TileKey.columns(inRow: row)
      let (south, north) = (TileKey.south(ofRow: row), TileKey.south(ofRow: row + 1))
      let wide = abs(south.degrees) < abs(north.degrees) ? south : north
      let width = 2 * Double.pi * 6_378_137 * Math.cos(wide.radians) / Double(columns)
      #expect(width <= 5000.01)
      // The number of columns is rounded to an integer, which makes columns in rows with few of them narrower.
      #expect(width >= 5000 * Double(columns - 1) / Double(columns))
    }
    #expect(TileKey.columns(inRow: 1999) == 8016 && TileKey.columns(inRow: 2000) == 8016)
    #expect(TileKey.columns(inRow: 0) == 7 && TileKey.columns(inRow: 3999) == 7)
  }

  /// The grid must not depend on the last bit of a cosine.
  @Test func noRowIsNearAWholeNumberOfColumns() {
    let nearest = (0..<TileKey.rows).map { row in
      let exact = TileKey.exactColumns(inRow: row)
      return abs(exact - exact.rounded())
    }.min()
    #expect((nearest ?? 0) > 1e-6)
  }

  @Test func edgesPolesAndTheDateLine() throws {
    #expect(TileKey(place(0, 180)) == TileKey(place(0, -180)))
    #expect(TileKey(place(0, -180)) == TileKey(row: 2000, column: 0))
    #expect(TileKey(place(0, 179.999)) == TileKey(row: 2000, column: 8015))
    #expect(TileKey(place(90, 0)) == TileKey(row: 3999, column: 3))
    #expect(TileKey(place(-90, -180)) == TileKey(row: 0, column: 0))
    #expect(TileKey(place(46, 2)) == TileKey(row: 3022, column: 2815))
    #expect(TileKey(row: 4000, column: 0) == nil && TileKey(row: -1, column: 0) == nil)
    #expect(TileKey(row: 3999, column: 7) == nil && TileKey(row: 2000, column: -1) == nil)
  }

  @Test func neighboursAreMutual() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let row =
        [0, 1, 1999, 2000, 3998, 3999, Int.random(in: 0..<4000, using: &random)].randomElement(using: &random) ?? 0
      let column = Int.random(in: 0..<TileKey.columns(inRow: row), using: &random)
      let key = try #require(TileKey(row: row, column: column))
      let neighbours = key.neighbours
      #expect(Set(neighbours).count == neighbours.count && !neighbours.contains(key))
      #expect(neighbours.allSatisfy { $0.neighbours.contains(key) })
    }
    let first = try #require(TileKey(row: 2000, column: 0))
    #expect(first.neighbours.count == 8)
    #expect(first.neighbours.contains(try #require(TileKey(row: 2000, column: 8015))))
    let polar = try #require(TileKey(row: 3999, column: 0))
    #expect(polar.neighbours.count { $0.row == 3999 } == 6)
  }

  @Test func thePathIsOneAndReadsBack() throws {
    let key = try #require(TileKey(row: 3022, column: 2815))
    #expect(key.path == "v1/3022/2815.tile")
    #expect(TileKey(path: key.path) == key)
    for path in [
      "v1/3022/9000.tile", "v1/03022/2815.tile", "v1/+3022/2815.tile", "v2/3022/2815.tile", "/v1/3022/2815.tile",
      "v1/3022/2815", "v1/../2815.tile", "",
    ] {
      #expect(TileKey(path: path) == nil)
    }
  }

  @Test func noPlaceIsSevenMetresFromItsCell() throws {
    var random = SplitMix64(seed: 5)
    var worst = 0.0
    for _ in 0..<5000 {
      let there = place(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
      let key = TileKey(there)
      let cell = try #require(TileCell(there, in: key))
      let middle = cell.middle(in: key)
      #expect(TileCell(middle, in: key) == cell)
      worst = max(worst, Geodesic.inverse(from: there, to: middle).distance.value)
    }
    #expect(worst < 6.95 && worst > 6)
  }
}
