import CAllocationCounter
import Geodesy
import PlacesCore
import Testing

/// Time zones, compared with the full polygons from which the file was made.
@Suite struct ZoneMapTests {
  private let bytes = WorldCut.zoneBytes

  private func number(_ map: ZoneMap, _ coordinate: Coordinate) -> Int? { map.zone(at: coordinate, in: bytes.span) }
  private func name(_ map: ZoneMap, _ zone: Int) -> String? { map.name(of: zone, in: bytes.span) }
  private func countries(_ map: ZoneMap, _ zone: Int) -> [String] { map.countries(of: zone, in: bytes.span) }
  private func zone(_ map: ZoneMap, _ coordinate: Coordinate) -> String? {
    number(map, coordinate).flatMap { name(map, $0) }
  }

  @Test func agreesWithTheFullPolygonsAwayFromBorders() throws {
    let map = try ZoneMap(bytes.span)
    #expect(WorldCut.zones.count == 2500)
    #expect(Set(WorldCut.zones.map(\.zone)).count >= 8)
    let wrong = WorldCut.zones.filter { zone(map, $0.coordinate) != $0.zone }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test(arguments: [
    (47.1410, 9.5209, "Europe/Vaduz", ["LI"]), (47.3769, 8.5417, "Europe/Zurich", ["CH"]),
    (42.5063, 1.5218, "Europe/Andorra", ["AD"]), (45.4642, 9.19, "Europe/Rome", ["IT"]),
    // Two enclaves in Switzerland.
    (47.6967, 8.6900, "Europe/Busingen", ["DE"]), (45.9700, 8.9710, "Europe/Rome", ["IT"]),
  ])
  func namesZoneAndCountries(_ latitude: Double, _ longitude: Double, _ name: String, _ countries: [String]) throws {
    let map = try ZoneMap(bytes.span)
    let number = try #require(self.number(map, place(latitude, longitude)))
    #expect(self.name(map, number) == name)
    #expect(self.countries(map, number) == countries)
  }

  @Test func zonesAtSeaHaveNoCountry() throws {
    let map = try ZoneMap(bytes.span)
    // In the Mediterranean, beyond territorial waters.
    let number = try #require(self.number(map, place(42.05, 5.5)))
    #expect(name(map, number) == "Etc/GMT")
    #expect(countries(map, number).isEmpty)
  }

  @Test func hasNoAnswerOutsideItsArea() throws {
    let map = try ZoneMap(bytes.span)
    for (latitude, longitude) in [
      (0.0, 0.0), (90, 0), (-90, 180), (47, 180), (47, -180), (41.99, 5), (48.01, 5), (.nan, 5), (5, .infinity),
    ] {
      #expect(number(map, place(latitude, longitude)) == nil)
    }
    #expect(number(map, place(-0.0, -0.0)) == nil)
    #expect(name(map, -1) == nil)
    #expect(name(map, 100_000) == nil)
  }

  @Test(.enabled(if: CAllocationCounter_isAvailable())) func allocatesNothing() throws {
    let map = try ZoneMap(bytes.span)
    let places = WorldCut.zones.map(\.coordinate)
    let bytes = bytes
    let span = bytes.span
    var sum = 0
    CAllocationCounter_start()
    for index in 0..<places.count { sum += map.zone(at: places[index], in: span) ?? 0 }
    #expect(CAllocationCounter_stop() == 0)
    #expect(sum > 0)
  }

  @Test(arguments: ["", "/etc/passwd", "Europe//Zurich", "../x", "A B", "A;B", "Zür"])
  func rejectsNamesThatAreNoNames(_ name: String) { #expect(!ZoneMap.isName(name)) }

  @Test func acceptsNames() {
    for name in ["Europe/Zurich", "America/Argentina/Rio_Gallegos", "Etc/GMT+12", "UTC", "America/Port-au-Prince"] {
      #expect(ZoneMap.isName(name))
    }
  }
}
