import MapDrawing
import Testing

/// Tiles as bytes, and what is drawn of them.
@Suite struct VectorTileTests {
  // MARK: - Bytes of the specification

  private static func varint(_ number: UInt64) -> [UInt8] {
    number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
  }

  private static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] { varint(number << 3) + varint(value) }

  private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }

  private static func zigzag(_ number: Int) -> UInt64 { UInt64(bitPattern: Int64(number << 1 ^ number >> 63)) }

  /// A layer with one feature. The values of a text are 1, those of a number 5.
  private static func layer(
    _ name: String, shape: UInt64, _ parts: [[(Int, Int)]], _ values: [(key: String, value: [UInt8])]
  ) -> [UInt8] {
    var commands: [UInt64] = []
    var at = (0, 0)
    for part in parts {
      for (index, point) in part.enumerated() {
        if index == 0 { commands.append(1 | 1 << 3) }
        if index == 1 { commands.append(2 | UInt64(part.count - 1) << 3) }
        commands += [zigzag(point.0 - at.0), zigzag(point.1 - at.1)]
        at = point
      }
      if shape == 3 { commands.append(7 | 1 << 3) }
    }
    let tags = values.indices.flatMap { varint(UInt64($0)) + varint(UInt64($0)) }
    let feature = field(2, tags) + field(3, shape) + field(4, commands.flatMap { varint($0) })
    return field(
      3,
      field(15, 2) + field(1, Array(name.utf8)) + field(2, feature)
        + values.flatMap { field(3, Array($0.key.utf8)) } + values.flatMap { field(4, $0.value) } + field(5, 4096))
  }

  private static func text(_ text: String) -> [UInt8] { field(1, Array(text.utf8)) }

  private func features(_ bytes: [UInt8]) -> [VectorTile.Feature] {
    var found: [VectorTile.Feature] = []
    VectorTile(zoom: 0, column: 0, row: 0, bytes: bytes).forEach({ $0 != "hidden" }) { found.append($0) }
    return found
  }

  private static let road = layer(
    "road", shape: 2, [[(0, 0), (4096, 2048)], [(100, 100), (-64, 4160), (5, 6)]],
    [("class", text("minor")), ("name", text("Städtle")), ("name:latin", text("Staedtle")), ("rank", field(5, 300))])

  @Test func aFeatureHasItsPartsAndProperties() throws {
    let feature = try #require(features(Self.layer("hidden", shape: 1, [[(1, 1)]], []) + Self.road).first)
    #expect(feature.layer == "road" && feature.shape == .line && feature.kind == "minor")
    #expect(feature.name == "Staedtle" && feature.rank == 300)
    #expect(feature.parts.map(\.count) == [2, 3])
    #expect(feature.parts[0][1] == MapPoint(x: 1, y: 0.5))
    #expect(feature.parts[1][1] == MapPoint(x: -64.0 / 4096, y: 4160.0 / 4096))
  }

  /// Whatever is missing or wrong, the rest is read, and nothing fails.
  @Test func damagedTilesAreReadUpToTheirDamage() {
    for count in 0..<Self.road.count { _ = features(Array(Self.road.prefix(count))) }
    for index in Self.road.indices {
      for value in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = Self.road
        bytes[index] = value
        _ = features(bytes)
      }
    }
    // A move of 2^29 − 1 points without their numbers.
    let command = Self.field(4, Self.varint(1 | (1 << 29 - 1) << 3))
    let feature = Self.field(2, Self.field(3, 2) + command)
    #expect(features(Self.field(3, Self.field(1, Array("road".utf8)) + feature)).isEmpty)
  }

  // MARK: - Painting

  /// The square is the eastern half of the western hemisphere's tile, with a hole.
  @Test func areasRoadsAndHolesAreDrawnWhereTheyAre() throws {
    var scene = MapScene(width: 512, height: 512)
    scene.viewport = .centered(
      MapCoordinate(latitude: 47.14, longitude: 9.52), metersPerPixel: 4.7)
    let projection = scene.projection
    let (zoom, column, row) = try #require(projection.tiles(zooms: 6...14).first)
    #expect(zoom == 14 || zoom == 13)
    let square = [(0, 0), (4096, 0), (4096, 4096), (0, 4096)]
    let hole = [(1024, 1024), (1024, 2048), (2048, 2048), (2048, 1024)]
    let bytes =
      Self.layer("water", shape: 3, [square, hole], [("class", Self.text("water"))])
      + Self.layer("road", shape: 2, [[(0, 0), (4096, 4096)]], [("class", Self.text("motorway"))])
    let tile = VectorTile(zoom: zoom, column: column, row: row, bytes: bytes)
    scene.tiles = [tile]
    let canvas = CanvasRecorder(scene)
    let water = try #require(canvas.fills.first { $0.color == MapColor(0xB9D6EA) })
    #expect(water.path.parts.count == 2)
    #expect(canvas.strokes.contains { $0.stroke.color == MapColor(0xF0A35C) && $0.stroke.width > 2 })
    // The corner of the tile is where the projection has it.
    let corner = projection.point(of: projection.coordinate(of: MapPoint(x: 1, y: 1), in: tile))
    let outer = water.path.parts.flatMap { part -> [MapPoint] in if case .ring(let points) = part { points } else { [] }
    }
    if corner.x < 512, corner.y < 512 {
      #expect(outer.contains { ($0.x - corner.x).magnitude < 0.6 && ($0.y - corner.y).magnitude < 0.6 })
    }
  }

  @Test func aPictureHasTheTilesOfItsScale() {
    var scene = MapScene(width: 512, height: 512)
    scene.viewport = .centered(MapCoordinate(latitude: 47, longitude: 9.5), metersPerPixel: 20_000)
    #expect(scene.projection.tiles(zooms: 6...14).isEmpty)
    for meters in [500.0, 50, 5, 0.5, 0.05] {
      scene.viewport = .centered(MapCoordinate(latitude: 47, longitude: 179.9999), metersPerPixel: meters)
      let tiles = scene.projection.tiles(zooms: 6...14)
      #expect((1...9).contains(tiles.count), "\(meters)")
      for tile in tiles { #expect((0..<(1 << tile.zoom)).contains(tile.column) && (6...14).contains(tile.zoom)) }
    }
    scene.viewport = .centered(MapCoordinate(latitude: 90, longitude: 0), metersPerPixel: 5)
    #expect(scene.projection.tiles(zooms: 6...14).allSatisfy { $0.row == 0 })
  }
}
