import MapServing
import Testing

/// Addresses of tiles, and the directories of PMTiles archives.
@Suite struct TileTests {
  /// Numbers of the reference implementation (github.com/protomaps/PMTiles).
  @Test func tilesAreNumberedAlongHilbertsCurve() throws {
    for (address, number) in [
      ((0, 0, 0), 0), ((1, 0, 0), 1), ((1, 0, 1), 2), ((1, 1, 1), 3), ((1, 1, 0), 4), ((2, 0, 0), 5),
      ((12, 3423, 1763), 19_078_479),
    ] {
      let tile = try #require(TileAddress(zoom: address.0, column: address.1, row: address.2))
      #expect(tile.archiveNumber == UInt64(number))
    }
    #expect(TileAddress(zoom: 2, column: 4, row: 0) == nil)
    #expect(TileAddress(zoom: 2, column: 0, row: -1) == nil)
    #expect(TileAddress(zoom: 23, column: 0, row: 0) == nil)
  }

  @Test func aDirectoryFindsTilesRunsAndLeaves() throws {
    // Numbers 5, 7…9 and a directory from 42 on; the second content follows the first one.
    let directory = try PMTilesDirectory([3, 5, 2, 35, 1, 3, 0, 10, 20, 30, 1, 0, 101])
    #expect(directory.find(4) == nil)
    #expect(directory.find(5) == .tile(offset: 0, length: 10))
    #expect(directory.find(6) == nil)
    for number in 7...9 as ClosedRange<UInt64> { #expect(directory.find(number) == .tile(offset: 10, length: 20)) }
    #expect(directory.find(10) == nil)
    #expect(directory.find(1000) == .directory(offset: 100, length: 30))
  }

  @Test(
    arguments: [
      [], [1], [0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [1, 5, 1, 0, 1], [1, 5, 1, 10, 0], [2, 5, 2, 1, 1, 10],
      [UInt8](repeating: 0xFF, count: 40),
    ] as [[UInt8]])
  func aDamagedDirectoryIsRefused(bytes: [UInt8]) {
    #expect(throws: PMTilesHeader.Problem.damaged) { try PMTilesDirectory(bytes) }
  }

  @Test func theSchemaFollowsFromTheLayers() {
    func schema(_ names: [String]) -> TileDescription.Schema {
      let layers = names.map { "{\"id\":\"\($0)\",\"fields\":{\"id\":\"String\"}}" }.joined(separator: ",")
      return TileDescription.schema(ofMetadata: Array("{\"vector_layers\":[\(layers)]}".utf8))
    }
    #expect(schema(["water", "transportation", "place"]) == .openMapTiles)
    #expect(schema(["land", "road", "label"]) == .places)
    #expect(schema(["water"]) == .unknown)
    #expect(schema([]) == .unknown)
  }

  @Test func aNoticeHasNoMarkup() {
    func plain(_ text: String) -> String {
      TileDescription(
        content: .vector, schema: .unknown, leastZoom: 0, mostZoom: 14, area: nil, attribution: text
      ).attribution
    }
    #expect(plain("<a href='https://x.example'>&copy; A &amp; B</a><script>alert(1)</script>") == "© A & Balert(1)")
    #expect(plain("a &lt;b&gt; & c &unknown; &") == "a &lt;b&gt; & c &unknown; &")
    #expect(plain("<a") == "")
    #expect(plain(String(repeating: "x", count: 5000)).count == 200)
  }

  @Test func routesOfTiles() {
    let gate = RequestGate(port: 1, token: "t", session: "s")
    func verdict(_ target: String) -> RequestGate.Verdict {
      gate.check(
        HTTPRequest(method: "GET", target: target, hosts: ["localhost:1"], cookies: ["locationctl-map-1=s"]))
    }
    let tile = TileAddress(zoom: 14, column: 8625, row: 5756)
    #expect(tile.map { verdict("/tiles/2/14/8625/5756") == .serve(.tile(file: 2, $0)) } == true)
    for target in ["/tiles/0/14/16384/0", "/tiles/-1/1/0/0", "/tiles/0/x/0/0", "/tiles/0/1/0", "/tiles/0/1/0/0/0"] {
      #expect(verdict(target) == .refuse(.notFound, "There is nothing at this address."), "\(target)")
    }
    #expect(verdict("/basemap") == .serve(.basemap))
    #expect(verdict("/address?at=91,0") == .refuse(.badRequest, "The position is not valid."))
  }
}
