import Geodesy
import PlacesCore
import Testing

/// Towns: the nearest one, and searches by name.
@Suite struct TownTests {
  private let bytes = WorldCut.townBytes

  @Test func findsTheNearestTown() throws {
    let towns = try TownTable(bytes.span)
    let all = (0..<towns.count).compactMap { towns.coordinate(of: $0, in: bytes.span) }
    #expect(all.count == towns.count)
    var random = Seeded(state: 3)
    for _ in 0..<300 {
      let here = place(Double.random(in: 42...48, using: &random), Double.random(in: 1...11, using: &random))
      let nearest = towns.nearest(to: here, within: Meters(1_000_000), in: bytes.span)
      let distance = nearest.flatMap { towns.coordinate(of: $0, in: bytes.span) }.map {
        Geodesic.distance(from: here, to: $0).value
      }
      let best = all.map { Geodesic.distance(from: here, to: $0).value }.min()
      // The plane on which distances are compared stretches long distances.
      #expect((distance ?? 0) <= (best ?? 0) * 1.02 + 1)
    }
  }

  @Test func keepsToTheLimit() throws {
    let towns = try TownTable(bytes.span)
    func nearest(_ latitude: Double, _ longitude: Double, _ limit: Double, isWanted: Bool = true) -> Int? {
      towns.nearest(to: place(latitude, longitude), within: Meters(limit), in: bytes.span, where: { _ in isWanted })
    }
    #expect(nearest(47.1415, 9.5215, 1000) != nil)
    #expect(nearest(44.5, 3, 50_000) == nil)
    #expect(nearest(47.1415, 9.5215, 1000, isWanted: false) == nil)
  }

  @Test func knowsATown() throws {
    let towns = try TownTable(bytes.span)
    let number = towns.nearest(
      to: place(47.3769, 8.5417), within: Meters(5000), in: bytes.span,
      where: { towns.town($0, in: bytes.span)?.name == "Zürich" })
    let found = towns.town(number ?? -1, in: bytes.span)
    let town = try #require(found)
    #expect(town.country == "CH")
    #expect(town.region == "Zurich")
    #expect((300_000...600_000).contains(town.population))
    let names = ["LI", "??"].map { towns.countryName($0, in: bytes.span) }
    #expect(names == ["Liechtenstein", nil])
  }

  private func search(_ text: String, near hint: Coordinate? = nil, complete: Bool = false) throws -> [TownSearch.Found]
  {
    let query = ForwardQuery(
      .text(text), near: hint.map { ForwardQuery.Hint(center: $0, radius: Meters(20_000)) }, completesLastWord: complete
    )
    return TownSearch(query, in: try TownTable(bytes.span)).run(bytes.span)
  }

  @Test(arguments: [
    ("Vaduz", "Vaduz"), ("VADUZ", "Vaduz"), ("Zurich", "Zürich"), ("Zürich, CH", "Zürich"), ("8001 Zürich", "Zürich"),
    ("Vaduz, Liechtenstein", "Vaduz"), ("Liechtenstein Vaduz", "Vaduz"), ("Genf", "Geneva"), ("Genève", "Geneva"),
    ("Andorra la Vella", "Andorra la Vella"), ("Vadus", "Vaduz"), ("Zürch", "Zürich"), ("Luzren", "Luzern"),
  ])
  func findsFirst(_ text: String, _ name: String) throws {
    let found = try #require(try search(text).first)
    #expect(found.town.name == name)
  }

  @Test func oneThatDoesNotExplainTheTextIsPartial() throws {
    #expect(try search("Vaduz").first?.match == .complete)
    #expect(try search("Städtle 49, Vaduz").first?.match == .partial)
    #expect(try search("Städtle 49, Vaduz").first?.town.name == "Vaduz")
  }

  @Test(arguments: [
    "", " ", ",", "Xyzzyxy", "49", String(repeating: "a", count: 1000), String(repeating: "a ", count: 200),
  ])
  func findsNothing(_ text: String) throws { #expect(try search(text).isEmpty) }

  @Test func completesTheLastWord() throws {
    #expect(try search("Vad").isEmpty)
    #expect(try search("Vad", complete: true).contains { $0.town.name == "Vaduz" })
  }

  @Test func aHintRanksAndNeverExcludes() throws {
    // Two towns of this name.
    let all = try search("Buchs")
    let names = Set(all.map(\.town.name))
    #expect(names.contains { $0.hasPrefix("Buchs") })
    let east = try #require(try search("Buchs", near: place(47.17, 9.47)).first)
    #expect(east.distance.map { $0.value < 20_000 } == true)
    #expect(try search("Vaduz", near: place(42.5, 1.5)).first?.town.name == "Vaduz")
  }
}
