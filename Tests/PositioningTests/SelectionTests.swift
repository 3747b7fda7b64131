import Geodesy
import Positioning
import TestSupport
import Testing
import WireFormats

struct SelectionTests {
  private let key = TileKey(Coordinate(latitude: Angle(degrees: 46.0), longitude: Angle(degrees: 2)))
  private let day = CalendarDate(daysSince1970: 20_000)

  /// Most access points in one quarter of the tile, and a village elsewhere.
  private func places() throws -> [AccessPointPosition] {
    var random = SplitMix64(seed: 1)
    let frame = LocalFrame(origin: Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 2)))
    return try (0..<900).map { number in
      let isVillage = number % 15 == 0
      let middle = isVillage ? 500.0 : 0
      return AccessPointPosition(
        bssid: try #require(BSSID(rawValue: UInt64(number) << 16)),
        coordinate: frame.coordinate(
          at: .init(
            eastMeters: middle + .random(in: -300...300, using: &random),
            northMeters: .random(in: -300...300, using: &random))), radius68: Meters(20))
    }.filter { TileKey($0.coordinate) == key }
  }

  @Test func keepsWithinItsBudgetAndServesMore() throws {
    let (places, day) = (try places(), try #require(day))
    var random = SplitMix64(seed: 2)
    let shuffled = places.shuffled(using: &random)
    for budget in [100, 300, 600] {
      let chosen = try TileSelection.select(places, in: key, on: day, budget: budget)
      #expect(try AccessPointTile.encode(chosen, in: key, on: day).count <= budget)
      let drawn = try TileSelection.longestPrefix(of: shuffled, in: key, on: day, budget: budget)
      #expect(try AccessPointTile.encode(drawn, in: key, on: day).count <= budget)
      #expect(
        TileSelection.servedCells(by: chosen, in: key) >= TileSelection.servedCells(by: drawn, in: key) * 11 / 10)
      #expect(try TileSelection.select(places.reversed(), in: key, on: day, budget: budget) == chosen)
    }
  }

  @Test func enoughIsAll() throws {
    let (places, day) = (try places(), try #require(day))
    #expect(try TileSelection.select(places, in: key, on: day, budget: 100_000).count == places.count)
    #expect(try TileSelection.select(places, in: key, on: day, budget: 10) == [])
    #expect(try TileSelection.select([], in: key, on: day, budget: 1000) == [])
  }

  /// By hand: a single access point serves nothing; two within a hundred meters serve the area that both reach.
  @Test func countsGround() throws {
    let middle = Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 2))
    func place(_ number: UInt64, _ east: Double) throws -> AccessPointPosition {
      AccessPointPosition(
        bssid: try #require(BSSID(rawValue: number)),
        coordinate: LocalFrame(origin: middle).coordinate(at: .init(eastMeters: east, northMeters: 0)),
        radius68: Meters(20))
    }
    #expect(TileSelection.servedCells(by: [try place(1, 0)], in: key) == 0)
    let together = TileSelection.servedCells(by: [try place(1, 0), try place(2, 0)], in: key)
    // A circle of 100 m has 12.6 cells of 50 m.
    #expect((11...14).contains(together))
    #expect(TileSelection.servedCells(by: [try place(1, 0), try place(2, 250)], in: key) == 0)
  }
}
