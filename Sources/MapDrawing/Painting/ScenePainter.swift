import Geodesy

/// Draws a scene, in this order: the base layer, areas, lines, overlays, points, names, the legend.
public struct ScenePainter {
  let scene: MapScene
  let canvas: any MapCanvas
  let projection: MapProjection
  let colors: MapColors
  /// The picture with a margin in which clipped lines and areas end.
  let clip: MapBox
  var labels: LabelLayout

  /// Draws the whole scene.
  public static func paint(_ scene: MapScene, on canvas: any MapCanvas) {
    var painter = ScenePainter(scene, canvas)
    painter.paint()
  }

  private init(_ scene: MapScene, _ canvas: any MapCanvas) {
    (self.scene, self.canvas) = (scene, canvas)
    (projection, colors) = (scene.projection, scene.appearance.colors)
    clip = projection.frame.grown(by: 40)
    labels = LabelLayout(projection.frame)
  }

  private mutating func paint() {
    let lines = trackLines()
    let marks = marks()
    let furniture = scene.showsText ? Furniture(scene, projection, canvas) : nil
    for box in furniture?.boxes ?? [] { labels.block(box.grown(by: 4)) }
    for line in lines { labels.mark(line.points) }
    for mark in marks { labels.block(mark.box) }
    let names = scene.showsText ? marks.compactMap { name(of: $0) } + shapeNames() : []
    let towns = scene.showsText ? townNames() : []
    BasePainter(scene, projection, canvas, clip).paint(&labels)
    for town in towns { canvas.fill(MapPath([.circle(town.point, radius: 2.2)]), colors.dot) }
    for element in scene.elements {
      switch element {
      case .circle(let circle): paint(rings: [ring(of: circle)], circle.style)
      case .polygon(let polygon):
        paint(rings: ([polygon.outer] + polygon.interior).map { projection.ring($0) }, polygon.style)
      case .annotation, .polyline, .custom: break
      }
    }
    paint(lines)
    for case .custom(let overlay) in scene.elements { overlay.draw(on: canvas, in: projection) }
    for mark in marks { paint(mark) }
    for name in towns.map(\.label) + names { canvas.draw(name.text, at: name.origin) }
    furniture?.paint()
  }

  // MARK: - Areas

  private func ring(of circle: MapCircle) -> [MapPoint] {
    projection.ring(circle.ring(Self.corners(circle.radius / metersPerPixel(at: circle.center))))
  }

  /// Enough corners that none of them is further than a twentieth of a pixel from the circle.
  private static func corners(_ radius: Double) -> Int {
    guard radius.isFinite else { return 360 }
    return min(max(Int((100 * max(radius, 0)).squareRoot()), 24), 720)
  }

  private func metersPerPixel(at coordinate: MapCoordinate) -> Double {
    projection.metersPerPixel(atLatitude: coordinate.checked == nil ? 0 : coordinate.latitude)
  }

  private func paint(rings: [[MapPoint]], _ style: MapShapeStyle) {
    guard let outer = rings.first, let span = PixelSpan(outer) else { return }
    let stroke = style.stroke ?? colors.region
    let width = min(max(style.lineWidth, 0), 64)
    for shift in projection.copies(from: span.left, to: span.right) {
      let rings = rings.map { $0.map { MapPoint(x: $0.x + shift, y: $0.y) } }.map { PixelShapes.thinned($0) }
      let inside = MapPath(rings.map { .ring(PixelShapes.clipped(ring: $0, to: clip)) })
      canvas.fill(inside, style.fill ?? stroke.opacity(0.14))
      guard width > 0 else { continue }
      let border = MapPath(
        rings.flatMap { ring in
          ring.allSatisfy { clip.contains($0) }
            ? [.ring(ring)] : PixelShapes.clipped(ring + ring.prefix(1), to: clip).map { MapPath.Part.line($0) }
        })
      canvas.stroke(border, MapStroke(stroke, width: width, dashes: style.isDashed ? [2.5 * width, 2 * width] : []))
    }
  }

  // MARK: - Lines

  /// A line of the picture, with the colors of its parts.
  private struct TrackLine {
    var points: [MapPoint]
    var colors: [MapColor]
    var color: MapColor
    var width: Double
  }

  private func trackLines() -> [TrackLine] {
    scene.elements.flatMap { element -> [TrackLine] in
      guard case .polyline(let line) = element else { return [] }
      let points = projection.line(line.coordinates)
      let isColored = line.colors.count == line.coordinates.count && points.count == line.coordinates.count
      var kept = TrackLine(
        points: [], colors: [], color: line.color ?? colors.line, width: min(max(line.lineWidth, 0.5), 64))
      for (index, point) in points.enumerated() {
        let isLast = index == points.count - 1
        if let last = kept.points.last, !isLast, !PixelShapes.far(point, last) { continue }
        kept.points.append(point)
        if isColored { kept.colors.append(line.colors[index]) }
      }
      guard let span = PixelSpan(kept.points) else { return [] }
      return projection.copies(from: span.left, to: span.right).map { shift in
        var copy = kept
        if shift != 0 { copy.points = kept.points.map { MapPoint(x: $0.x + shift, y: $0.y) } }
        return copy
      }
    }
  }

  /// All rims are below all colors, so that no line covers another one's color with its rim.
  private func paint(_ lines: [TrackLine]) {
    for (width, lines) in Dictionary(grouping: lines, by: \.width).sorted(by: { $0.key < $1.key }) {
      let rims = MapPath(lines.flatMap { PixelShapes.clipped($0.points, to: clip).map { .line($0) } })
      if !rims.isEmpty { canvas.stroke(rims, MapStroke(colors.rim.opacity(0.8), width: width + 2.5)) }
    }
    for line in lines {
      var parts: [(color: MapColor, path: MapPath)] = []
      for run in Self.runs(line) {
        let path = PixelShapes.clipped(run.points, to: clip).map { MapPath.Part.line($0) }
        if let index = parts.firstIndex(where: { $0.color == run.color }) {
          parts[index].path.parts += path
        } else {
          parts.append((run.color, MapPath(path)))
        }
      }
      for part in parts where !part.path.isEmpty { canvas.stroke(part.path, MapStroke(part.color, width: line.width)) }
    }
  }

  /// The parts of a line that have one color each.
  private static func runs(_ line: TrackLine) -> [(color: MapColor, points: [MapPoint])] {
    guard !line.colors.isEmpty, line.points.count > 1 else { return [(line.colors.first ?? line.color, line.points)] }
    var runs: [(color: MapColor, points: [MapPoint])] = []
    for index in 1..<line.points.count {
      if runs.last?.color == line.colors[index] {
        runs[runs.count - 1].points.append(line.points[index])
      } else {
        runs.append((line.colors[index], [line.points[index - 1], line.points[index]]))
      }
    }
    return runs
  }
}

/// The least and the greatest x of pixels.
struct PixelSpan {
  var left, right: Double

  /// `nil` if there are none.
  init?(_ points: [MapPoint]) {
    guard let first = points.first else { return nil }
    (left, right) = (first.x, first.x)
    for point in points { (left, right) = (min(left, point.x), max(right, point.x)) }
  }
}
