import Geodesy
import LocationPolicy
import TestSupport
import Testing

@Suite struct CoarseGridTests {
  static let keys: [(low: UInt64, high: UInt64)] = [(0, 0), (1, 2), (.max, .max), (0x1234_5678_9abc_def0, 42)]

  /// Positions all over the Earth, with more of them where grids can fail.
  static func places(_ count: Int, _ random: inout SplitMix64) -> [Coordinate] {
    (0..<count).map { index in
      let latitude: Double =
        switch index % 4 {
        case 0: .random(in: 89.8...90, using: &random)
        case 1: .random(in: -90 ... -89.8, using: &random)
        case _: .random(in: -90...90, using: &random)
        }
      let longitude: Double =
        index % 3 == 0
        ? [180, -180, 179.9999999, -179.9999999, 0][index % 5] : .random(in: -180...180, using: &random)
      return place(latitude, longitude)
    } + [place(90, 0), place(-90, 180), place(0, 180), place(0, -180)]
  }

  static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }

  @Test(arguments: 0..<4) func aCellIsCoveredByItsReach(key: Int) {
    let grid = CoarseGrid(key: Self.keys[key])
    var random = SplitMix64(seed: UInt64(key))
    for place in Self.places(5000, &random) {
      let cell = grid.cell(at: place)
      let (point, reach) = (grid.point(of: cell), grid.reach(of: cell))
      let distance = Geodesic.inverse(from: place, to: point).distance
      #expect(distance.value <= reach.value + 0.001, "\(place)")
      #expect((2_000..<7_700).contains(reach.value), "\(place): \(reach)")
      #expect(grid.distance(from: place, to: cell).value < 0.001, "\(place)")
      #expect((-90...90).contains(point.latitude.degrees) && (-180...180).contains(point.longitude.degrees))
      // The point lies in the cell that it represents, so that a restart finds the same cell.
      #expect(grid.cell(at: point) == cell, "\(place)")
    }
  }

  @Test func invalidPlaceTrapsNothing() {
    let grid = CoarseGrid(key: (1, 2))
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      let point = grid.point(of: grid.cell(at: Self.place(bad, bad)))
      #expect(abs(point.latitude.degrees) == 90)
      #expect(grid.point(of: grid.cell(at: Self.place(0.1, bad))).longitude.degrees.isFinite)
    }
  }

  @Test func theDateLineIsNoBorder() {
    for key in Self.keys {
      let grid = CoarseGrid(key: key)
      for latitude in stride(from: -89.9, through: 89.9, by: 0.7) {
        #expect(grid.cell(at: Self.place(latitude, 180)) == grid.cell(at: Self.place(latitude, -180)))
      }
    }
  }

  /// The distance from a position to a cell, determined by trial: the smallest step in eight directions that leads inside.
  @Test func theDistanceToACellIsTrue() {
    let grid = CoarseGrid(key: (3, 4))
    var random = SplitMix64(seed: 7)
    for place in Self.places(400, &random) where abs(place.latitude.degrees) < 89 {
      let cell = grid.cell(at: place)
      for course in stride(from: 0.0, to: 360, by: 45) {
        let way = Meters(.random(in: 1...12_000, using: &random))
        let outside = Geodesic.direct(from: place, course: Angle(degrees: course), distance: way).coordinate
        let distance = grid.distance(from: outside, to: cell)
        #expect(distance.value <= way.value + 0.01)
        if grid.cell(at: outside) == cell { #expect(distance.value < 0.001) } else { #expect(distance.value > 0) }
        // No part of a cell is farther from its point than the cell's reach.
        let toPoint = Geodesic.inverse(from: outside, to: grid.point(of: cell)).distance
        #expect(toPoint.value <= distance.value + grid.reach(of: cell).value + 10)
      }
    }
  }

  /// Cells have about the same size everywhere, so that people in the far north are not easier to find.
  @Test func cellsAreOfOneSize() {
    let grid = CoarseGrid(key: (5, 6))
    for latitude in stride(from: -89.0, through: 89, by: 0.31) {
      let reach = grid.reach(of: grid.cell(at: Self.place(latitude, 12)))
      #expect((3_400..<3_800).contains(reach.value), "\(latitude): \(reach)")
    }
  }

  @Test func anotherKeyHasOtherBorders() {
    var random = SplitMix64(seed: 8)
    let (one, other) = (CoarseGrid(key: (1, 1)), CoarseGrid(key: (1, 2)))
    let places = Self.places(400, &random).filter { abs($0.latitude.degrees) < 89 }
    let same = places.filter { one.point(of: one.cell(at: $0)) == other.point(of: other.cell(at: $0)) }
    #expect(same.count < 3)
    // The rows of one grid do not begin on the same meridian either.
    let shifts = (0..<50).map { row in
      let cell = one.cell(at: Self.place(1 + Double(row) * 0.045, 12))
      return one.point(of: cell).longitude
    }
    #expect(Set(shifts).count > 25)
  }
}
