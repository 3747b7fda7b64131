import Geodesy

/// Names of points, areas and towns.
extension ScenePainter {
  /// A text, and where its baseline begins.
  struct Label {
    var text: MapText
    var origin: MapPoint
  }

  private static let gap = 4.0

  /// Rectangles for a text beside a box: right, left, above, below.
  private static func beside(_ box: MapBox, _ size: MapTextSize) -> [MapBox] {
    let height = size.ascent + size.descent
    let (middle, center) = ((box.top + box.bottom - height) / 2, (box.left + box.right - size.width) / 2)
    return [(box.right + gap, middle), (box.left - gap - size.width, middle)].map { rectangle($0, $1, size) }
      + [(center, box.top - 2 - height), (center, box.bottom + 2)].map { rectangle($0, $1, size) }
      + [(box.right, box.top - height), (box.right, box.bottom), (box.left - size.width, box.top - height)]
      .map { rectangle($0, $1, size) }
  }

  private static func rectangle(_ left: Double, _ top: Double, _ size: MapTextSize) -> MapBox {
    MapBox(left: left, top: top, right: left + size.width, bottom: top + size.ascent + size.descent)
  }

  private static func label(_ text: MapText, _ size: MapTextSize, _ box: MapBox) -> Label {
    Label(text: text, origin: MapPoint(x: box.left, y: box.top + size.ascent))
  }

  mutating func name(of mark: Mark) -> Label? {
    guard let title = mark.annotation.title, !title.isEmpty else { return nil }
    let text = MapText(
      MapText.sanitized(title), size: 12, isBold: true, color: colors.ink, halo: colors.halo)
    let size = canvas.size(of: text)
    return labels.place(Self.beside(mark.box, size)).map { Self.label(text, size, $0) }
  }

  /// The names of circles, polygons and lines: inside, or beside them.
  mutating func shapeNames() -> [Label] {
    var found: [Label] = []
    for element in scene.elements {
      switch element {
      case .circle(let circle):
        guard let title = circle.title else { continue }
        add(title, circle.style.stroke ?? colors.region, Self.bounds(projection.line(circle.ring(32))), to: &found)
      case .polygon(let polygon):
        guard let title = polygon.title else { continue }
        add(title, polygon.style.stroke ?? colors.region, Self.bounds(projection.line(polygon.outer)), to: &found)
      case .polyline(let line):
        guard let title = line.title, let first = projection.line(line.coordinates.prefix(1)).first else { continue }
        add(
          title, line.color ?? colors.line, MapBox(left: first.x, top: first.y, right: first.x, bottom: first.y),
          to: &found)
      case .annotation, .custom: break
      }
    }
    return found
  }

  private mutating func add(_ title: String, _ color: MapColor, _ bounds: MapBox?, to found: inout [Label]) {
    guard var box = bounds, box.meets(projection.frame.grown(by: 1)), !title.isEmpty else { return }
    // The part of a large area that is in the picture.
    let inside = projection.frame.grown(by: -6)
    box = MapBox(
      left: max(box.left, inside.left), top: max(box.top, inside.top), right: min(box.right, inside.right),
      bottom: min(box.bottom, inside.bottom))
    let text = MapText(MapText.sanitized(title), size: 12, isBold: true, color: color, halo: colors.halo)
    let size = canvas.size(of: text)
    var candidates = Self.beside(box, size)
    if size.width + 12 < box.width, size.ascent + size.descent + 10 < box.height {
      let center = (box.left + box.right - size.width) / 2
      let height = size.ascent + size.descent
      let rows = [0.5, 0.25, 0.75].map { box.top + (box.height - height) * $0 }
      candidates = rows.map { Self.rectangle(center, $0, size) } + candidates
    } else {
      candidates = Array(candidates[2...3] + candidates[..<2] + candidates[4...])
    }
    if let place = labels.place(candidates) { found.append(Self.label(text, size, place)) }
  }

  private static func bounds(_ points: [MapPoint]) -> MapBox? {
    guard let first = points.first else { return nil }
    var box = MapBox(left: first.x, top: first.y, right: first.x, bottom: first.y)
    for point in points {
      (box.left, box.right) = (min(box.left, point.x), max(box.right, point.x))
      (box.top, box.bottom) = (min(box.top, point.y), max(box.bottom, point.y))
    }
    return box
  }

  /// The towns that have room for their names, and no others.
  mutating func townNames() -> [(point: MapPoint, label: Label)] {
    var found: [(point: MapPoint, label: Label)] = []
    for town in scene.towns.prefix(400) where town.coordinate.checked != nil {
      let point = projection.point(of: town.coordinate)
      guard projection.frame.grown(by: -4).contains(point) else { continue }
      // 11 pixels for a thousand people, 13 for a hundred thousand, 17 for ten millions.
      let digits = Math.log(Double(max(town.population, 1))) / Math.log(10)
      let size = digits <= 3 ? 11 : digits <= 5 ? 11 + (digits - 3) : min(13 + (digits - 5) * 2, 17)
      let text = MapText(MapText.sanitized(town.name), size: size, color: colors.town, halo: colors.halo)
      let measured = canvas.size(of: text)
      let dot = MapBox(left: point.x - 2, top: point.y - 2, right: point.x + 2, bottom: point.y + 2)
      guard let box = labels.place(Self.beside(dot, measured), crossing: 0.3) else { continue }
      labels.block(dot)
      found.append((point, Self.label(text, measured, box)))
    }
    return found
  }
}
