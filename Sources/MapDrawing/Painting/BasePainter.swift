import Geodesy

/// The base layer: land, lakes, borders, and a grid of meridians and parallels.
struct BasePainter {
  private let scene: MapScene
  private let projection: MapProjection
  private let canvas: any MapCanvas
  private let clip: MapBox
  private let colors: MapColors

  init(_ scene: MapScene, _ projection: MapProjection, _ canvas: any MapCanvas, _ clip: MapBox) {
    (self.scene, self.projection, self.canvas, self.clip) = (scene, projection, canvas, clip)
    colors = scene.appearance.colors
  }

  /// - Parameter labels: where the numbers of the grid find room.
  func paint(_ labels: inout LabelLayout) {
    let frame = projection.frame
    let whole = MapPath([
      .ring([
        MapPoint(x: 0, y: 0), MapPoint(x: frame.right, y: 0), MapPoint(x: frame.right, y: frame.bottom),
        MapPoint(x: 0, y: frame.bottom),
      ])
    ])
    canvas.fill(whole, scene.outline == nil ? colors.land : colors.water)
    if let outline = scene.outline {
      paint(outline.land, colors.land)
      paint(outline.lakes, colors.water)
      let borders = outline.borders.flatMap { line in
        copies(of: line).flatMap { PixelShapes.clipped($0, to: clip) }.map { MapPath.Part.line($0) }
      }
      // The outline is simplified to 2 km: a border that is wrong by more than 40 pixels says nothing.
      let isCoarse = projection.worldWidth < 40_000_000 / 50
      if !borders.isEmpty, isCoarse {
        canvas.stroke(MapPath(borders), MapStroke(colors.border, width: 1, dashes: [5, 3]))
      }
    }
    TilePainter(scene, projection, canvas, clip).paint()
    paintGrid(&labels)
  }

  // MARK: - Outlines

  /// The pixels of a line in each copy of the world in which it can be seen.
  private func copies(of line: WorldOutline.Line) -> [[MapPoint]] {
    func world(_ x: Int32, _ y: Int32) -> WorldPoint {
      let unit = WorldOutline.unitsPerDegree
      return WorldPoint(MapCoordinate(latitude: Double(y) / unit, longitude: Double(x) / unit))
    }
    let first = projection.pixel(world(line.left, line.top))
    let last = projection.pixel(world(line.right, line.bottom))
    guard first.y <= clip.bottom, last.y >= clip.top else { return [] }
    // A speck of water or land.
    guard last.x - first.x > 1.5 || last.y - first.y > 1.5 else { return [] }
    let shifts = projection.copies(from: first.x, to: last.x)
    guard !shifts.isEmpty else { return [] }
    var points: [MapPoint] = []
    points.reserveCapacity(line.numbers.count / 2)
    for index in stride(from: 0, to: line.numbers.count, by: 2) {
      points.append(projection.pixel(world(line.numbers[index], line.numbers[index + 1])))
    }
    let thin = PixelShapes.thinned(points)
    return shifts.map { shift in shift == 0 ? thin : thin.map { MapPoint(x: $0.x + shift, y: $0.y) } }
  }

  private func paint(_ polygons: [[WorldOutline.Line]], _ color: MapColor) {
    var inside: [MapPath.Part] = []
    var coast: [MapPath.Part] = []
    for polygon in polygons {
      for line in polygon {
        for ring in copies(of: line) where ring.count > 2 {
          let area = PixelShapes.clipped(ring: ring, to: clip)
          if area.count > 2 { inside.append(.ring(area)) }
          coast += PixelShapes.clipped(ring + ring.prefix(1), to: clip).flatMap { withoutSeam($0) }.map { .line($0) }
        }
      }
    }
    if !inside.isEmpty { canvas.fill(MapPath(inside), color) }
    if !coast.isEmpty { canvas.stroke(MapPath(coast), MapStroke(colors.coast, width: 0.8)) }
  }

  /// The line without its parts along the 180th meridian, where land is cut in two.
  private func withoutSeam(_ line: [MapPoint]) -> [[MapPoint]] {
    let seam = projection.pixel(WorldPoint(x: 0, y: 0)).x
    func isSeam(_ x: Double) -> Bool {
      let turns = (x - seam) / projection.worldWidth
      return (turns - turns.rounded()).magnitude * projection.worldWidth < 0.01
    }
    guard line.contains(where: { isSeam($0.x) }) else { return [line] }
    return line.split(whereSeparator: { isSeam($0.x) }).map(Array.init).filter { $0.count > 1 }
  }

  // MARK: - Grid

  private static let steps = [
    45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5,
  ]

  private func paintGrid(_ labels: inout LabelLayout) {
    let perDegree = projection.worldWidth / 360
    // The narrowest grid whose meridians are at least 90 pixels apart.
    guard let step = Self.steps.last(where: { $0 * perDegree >= 90 }) else { return }
    let frame = projection.frame
    let west = projection.center.x * 360 - 180 - frame.width / 2 / perDegree
    var lines: [MapPath.Part] = []
    var texts: [(string: String, point: MapPoint, isMeridian: Bool)] = []
    var longitude = (west / step).rounded(.up) * step
    while case let x = (longitude - west) * perDegree, x < frame.right, lines.count < 64 {
      lines.append(.line([MapPoint(x: x, y: 0), MapPoint(x: x, y: frame.bottom)]))
      let degrees = WorldPoint.turn(longitude / 360) * 360
      texts.append((Self.text(degrees, step, "E", "W"), MapPoint(x: x, y: 0), true))
      longitude += step
    }
    let south = max(projection.coordinate(of: MapPoint(x: 0, y: frame.bottom)).latitude, -85)
    let north = min(projection.coordinate(of: MapPoint(x: 0, y: 0)).latitude, 85)
    var latitude = (south / step).rounded(.up) * step
    while latitude <= north, lines.count < 128 {
      let y = projection.pixel(WorldPoint(MapCoordinate(latitude: latitude, longitude: 0))).y
      lines.append(.line([MapPoint(x: 0, y: y), MapPoint(x: frame.right, y: y)]))
      texts.append((Self.text(latitude, step, "N", "S"), MapPoint(x: frame.right, y: y), false))
      latitude += step
    }
    if !lines.isEmpty { canvas.stroke(MapPath(lines), MapStroke(colors.grid, width: 0.7)) }
    guard frame.width >= MapLegend.narrow, scene.showsText else { return }
    for label in texts {
      let text = MapText(label.string, size: 9, color: colors.soft, halo: colors.halo)
      let size = canvas.size(of: text)
      let height = size.ascent + size.descent
      let (left, top) =
        label.isMeridian
        ? (label.point.x - size.width / 2, 4) : (label.point.x - size.width - 5, label.point.y - height / 2)
      let box = MapBox(left: left, top: top, right: left + size.width, bottom: top + height)
      guard labels.place([box], crossing: 0.2) != nil else { continue }
      canvas.draw(text, at: MapPoint(x: left, y: top + size.ascent))
    }
  }

  /// Degrees with as many decimals as the step has.
  private static func text(_ degrees: Double, _ step: Double, _ positive: String, _ negative: String) -> String {
    var (decimals, scale) = (0, 1.0)
    while decimals < 5, step * scale < 0.999 { (decimals, scale) = (decimals + 1, scale * 10) }
    let number = Int64((degrees.magnitude * scale).rounded())
    let whole = number / Int64(scale)
    let part = decimals == 0 ? "" : "." + String(number % Int64(scale) + Int64(scale)).dropFirst()
    return "\(whole)\(part)°" + (number == 0 ? "" : degrees > 0 ? " \(positive)" : " \(negative)")
  }
}
