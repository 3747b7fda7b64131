import Geodesy

/// Draws tiles: land use, waters, buildings and roads, in the colors of the page (`Web/tiles.js`). The layers are those of imported places, and
/// those of OpenMapTiles (openmaptiles.org/schema).
struct TilePainter {
  private let tiles: [VectorTile]
  private let projection: MapProjection
  private let canvas: any MapCanvas
  private let clip: MapBox
  private let colors: TileColors
  /// Roads become wider with the scale, and areas finer: the zoom of the picture.
  private let zoom: Double

  init(_ scene: MapScene, _ projection: MapProjection, _ canvas: any MapCanvas, _ clip: MapBox) {
    (tiles, self.projection, self.canvas, self.clip) = (scene.tiles, projection, canvas, clip)
    colors = scene.appearance == .light ? .light : .dark
    zoom = projection.tileZoom
  }

  /// Roads in the order in which they are drawn: the widest last.
  private enum Road: Int, CaseIterable {
    case path, service, minor, secondary, primary, motorway

    init?(_ kind: String?) {
      switch kind {
      case "motorway", "trunk": self = .motorway
      case "primary": self = .primary
      case "secondary", "tertiary": self = .secondary
      case "minor", "pedestrian": self = .minor
      case "service", "taxiway", "runway": self = .service
      case "path", "track": self = .path
      default: return nil
      }
    }
  }

  private struct Shapes {
    var areas: [(color: MapColor, rings: [[MapPoint]])] = []
    var waters: [[[MapPoint]]] = []
    var buildings: [[[MapPoint]]] = []
    var streams: [[MapPoint]] = []
    var rails: [[MapPoint]] = []
    var borders: [[MapPoint]] = []
    var roads = [[[MapPoint]]](repeating: [], count: Road.allCases.count)
  }

  func paint() {
    guard !tiles.isEmpty else { return }
    var shapes = Shapes()
    for tile in tiles {
      tile.forEach({ Self.layers.contains($0) }) { add($0, of: tile, to: &shapes) }
    }
    for area in shapes.areas { fill(area.rings, area.color) }
    for water in shapes.waters { fill(water, colors.water) }
    stroke(shapes.streams, colors.stream, zoom < 12 ? 1 : 1.6)
    for building in shapes.buildings { fill(building, colors.building) }
    // The edges of all roads come before all roads, so that crossings are open.
    for road in Road.allCases where road != .path && zoom >= 11 {
      stroke(shapes.roads[road.rawValue], colors.casing, width(road) + 1.4)
    }
    for road in Road.allCases where width(road) > 0 {
      let lines = shapes.roads[road.rawValue]
      if road == .path {
        stroke(lines, colors.path, 1, dashes: [3, 2])
      } else {
        stroke(lines, colors.roads[road.rawValue], width(road))
      }
    }
    stroke(shapes.rails, colors.rail, 1.2)
    stroke(shapes.borders, colors.border, 1.2, dashes: [6, 2, 2, 2])
  }

  /// Pixels at this zoom.
  private func width(_ road: Road) -> Double {
    let base = [0.4, 0.6, 1, 1.7, 2.2, 2.8][road.rawValue]
    switch road {
    case .path, .service: if zoom < 14 { return 0 }
    case .minor: if zoom < 11.5 { return 0 }
    default: break
    }
    var factor = 1.0
    // Half as wide again with each zoom beyond 13.
    var step = 13.0
    while step < min(zoom, 19) {
      factor *= 1.45
      step += 1
    }
    return base * (zoom < 11 ? 0.6 : factor)
  }

  static let layers: Set<String> = [
    "land", "water", "waterway", "building", "road", "rail", "border", "landcover", "landuse", "park",
    "transportation", "boundary",
  ]

  private func add(_ feature: VectorTile.Feature, of tile: VectorTile, to shapes: inout Shapes) {
    let kind = feature.kind
    switch (feature.layer, feature.shape) {
    case ("land", .polygon), ("landcover", .polygon), ("landuse", .polygon), ("park", .polygon):
      guard let color = feature.layer == "park" ? colors.park : colors.area(kind) else { return }
      shapes.areas += polygons(feature, tile).map { (color: color, rings: $0) }
    case ("water", .polygon): shapes.waters += polygons(feature, tile)
    case ("building", .polygon): if zoom >= 13.5 { shapes.buildings += polygons(feature, tile) }
    case ("waterway", .line): if kind == "river" || zoom >= 13 { shapes.streams += lines(feature, tile) }
    case ("rail", .line): shapes.rails += lines(feature, tile)
    case ("road", .line), ("transportation", .line):
      if kind == "rail" || kind == "transit" {
        shapes.rails += lines(feature, tile)
      } else if let road = Road(kind), width(road) > 0 {
        shapes.roads[road.rawValue] += lines(feature, tile)
      }
    case ("border", .line): if kind == "country" { shapes.borders += lines(feature, tile) }
    default: break
    }
  }

  private func pixels(_ points: [MapPoint], _ tile: VectorTile) -> [MapPoint] {
    let scale = projection.tileSize(tile.zoom)
    let origin = projection.tileOrigin(tile)
    return PixelShapes.thinned(points.map { MapPoint(x: origin.x + $0.x * scale, y: origin.y + $0.y * scale) })
  }

  private func lines(_ feature: VectorTile.Feature, _ tile: VectorTile) -> [[MapPoint]] {
    feature.parts.flatMap { part -> [[MapPoint]] in
      let line = pixels(part, tile)
      return line.count > 1 ? PixelShapes.clipped(line, to: clip) : []
    }
  }

  /// Each outer ring with its holes: its area by the surveyor's formula is above zero (specification, section 4.3.3.3).
  private func polygons(_ feature: VectorTile.Feature, _ tile: VectorTile) -> [[[MapPoint]]] {
    var polygons: [[[MapPoint]]] = []
    for part in feature.parts where part.count > 2 {
      var area = 0.0
      for (a, b) in zip(part, part.dropFirst() + part.prefix(1)) { area += a.x * b.y - b.x * a.y }
      if area > 0 { polygons.append([]) }
      let ring = pixels(part, tile)
      guard !polygons.isEmpty, ring.count > 2 else { continue }
      let cut = PixelShapes.clipped(ring: ring, to: clip)
      if cut.count > 2 { polygons[polygons.count - 1].append(cut) }
    }
    return polygons.filter { !$0.isEmpty }
  }

  private func fill(_ rings: [[MapPoint]], _ color: MapColor) { canvas.fill(MapPath(rings.map { .ring($0) }), color) }

  private func stroke(_ lines: [[MapPoint]], _ color: MapColor, _ width: Double, dashes: [Double] = []) {
    guard !lines.isEmpty else { return }
    canvas.stroke(MapPath(lines.map { .line($0) }), MapStroke(color, width: width, dashes: dashes))
  }
}

extension MapProjection {
  /// The zoom at which tiles of 512 pixels have the scale of the picture; with a fraction.
  package var tileZoom: Double { Math.log(worldWidth / 512) / Math.log(2) }

  /// The pixels of the width of a tile.
  func tileSize(_ zoom: Int) -> Double { worldWidth / Double(1 << zoom) }

  /// The upper left corner of a tile, in the copy of the world that is nearest to the picture.
  func tileOrigin(_ tile: VectorTile) -> MapPoint {
    let count = Double(1 << tile.zoom)
    let x = (Double(tile.column) + 0.5) / count
    let nearest = center.x + WorldPoint.turn(x - center.x) - 0.5 / count
    return pixel(WorldPoint(x: nearest, y: Double(tile.row) / count))
  }

  /// The position of a point of a tile.
  package func coordinate(of point: MapPoint, in tile: VectorTile) -> MapCoordinate {
    let (origin, scale) = (tileOrigin(tile), tileSize(tile.zoom))
    return coordinate(of: MapPoint(x: origin.x + point.x * scale, y: origin.y + point.y * scale))
  }

  /// The tiles that the picture shows, of the zoom that is nearest to its scale; none if their zooms begin far above it.
  package func tiles(zooms: ClosedRange<Int>) -> [(zoom: Int, column: Int, row: Int)] {
    guard tileZoom > Double(zooms.lowerBound) - 1 else { return [] }
    let zoom = min(max(Int(tileZoom.rounded()), zooms.lowerBound), zooms.upperBound)
    let count = 1 << zoom
    let (halfWidth, halfHeight) = (width / 2 / worldWidth, height / 2 / worldWidth)
    func index(_ world: Double) -> Int { Int((world * Double(count)).rounded(.down)) }
    let columns = index(center.x - halfWidth)...index(center.x + halfWidth)
    func row(_ world: Double) -> Int { min(max(index(world), 0), count - 1) }
    let rows = row(center.y - halfHeight)...row(center.y + halfHeight)
    guard columns.count <= count, columns.count * rows.count <= 144 else { return [] }
    return columns.flatMap { column in
      rows.map { (zoom, ((column % count) + count) % count, $0) }
    }
  }
}

/// The colors of tiles; those of the page (`Web/tiles.js`).
struct TileColors {
  let water, stream, building, casing, path, rail, border, park: MapColor
  /// By `TilePainter.Road`.
  let roads: [MapColor]
  private let areas: [String: MapColor]

  func area(_ kind: String?) -> MapColor? { kind.flatMap { Self.uses[$0] }.flatMap { areas[$0] } }

  private static let uses = [
    "wood": "wood", "forest": "wood", "grass": "grass", "farm": "farm", "farmland": "farm", "scrub": "grass",
    "wetland": "wetland", "sand": "sand", "rock": "rock", "ice": "ice", "residential": "built", "suburb": "built",
    "neighbourhood": "built", "commercial": "commercial", "retail": "commercial", "industrial": "industrial",
    "quarry": "industrial", "railway": "industrial", "park": "park", "cemetery": "park", "pitch": "park",
    "playground": "park", "stadium": "park", "school": "school", "university": "school", "hospital": "school",
    "parking": "parking", "square": "parking", "airport": "industrial",
  ]

  static let light = TileColors(
    water: MapColor(0xB9D6EA), stream: MapColor(0x8FBBD8), building: MapColor(0xDDD6CB), casing: MapColor(0xD2CABD),
    path: MapColor(0xB08D62), rail: MapColor(0xA29D99), border: MapColor(0x9A86A3), park: MapColor(0xD4E9CA),
    roads: [0xB08D62, 0xFFFFFF, 0xFFFFFF, 0xFDEEB4, 0xFAD890, 0xF0A35C].map { MapColor($0) },
    areas: [
      "wood": MapColor(0xD3E4C5), "grass": MapColor(0xE3EED5), "farm": MapColor(0xF2EEDB),
      "wetland": MapColor(0xDAE8DD),
      "sand": MapColor(0xF4ECD1), "rock": MapColor(0xE5E2DD), "ice": MapColor(0xEEF6FA), "built": MapColor(0xEDEAE4),
      "commercial": MapColor(0xF2E7E3), "industrial": MapColor(0xE9E4EA), "park": MapColor(0xD4E9CA),
      "school": MapColor(0xF1EAD4), "parking": MapColor(0xEBEAE7),
    ])

  static let dark = TileColors(
    water: MapColor(0x14212E), stream: MapColor(0x35536C), building: MapColor(0x39444F), casing: MapColor(0x1D252D),
    path: MapColor(0x7D6B52), rail: MapColor(0x66717B), border: MapColor(0x8B7799), park: MapColor(0x243C31),
    roads: [0x7D6B52, 0x4A5663, 0x4A5663, 0x665F47, 0x7C6C48, 0xA8733E].map { MapColor($0) },
    areas: [
      "wood": MapColor(0x24362F), "grass": MapColor(0x293A33), "farm": MapColor(0x2D342F),
      "wetland": MapColor(0x233A3A),
      "sand": MapColor(0x3A372C), "rock": MapColor(0x30363B), "ice": MapColor(0x3A4A57), "built": MapColor(0x2C353F),
      "commercial": MapColor(0x352F38), "industrial": MapColor(0x312F3D), "park": MapColor(0x243C31),
      "school": MapColor(0x34352F), "parking": MapColor(0x303841),
    ])
}
