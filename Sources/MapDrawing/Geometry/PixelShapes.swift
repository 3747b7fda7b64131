/// Lines and rings in pixels: parts outside the picture and points that no eye could tell apart are left out before anything is drawn.
enum PixelShapes {
  /// Points that are nearer to the last one are left out, pixels.
  static let step = 0.5

  /// The line without points that are within half a pixel of the one before. The last one is kept.
  static func thinned(_ points: [MapPoint]) -> [MapPoint] {
    guard var last = points.first else { return [] }
    var kept = [last]
    for point in points.dropFirst() where far(point, last) {
      kept.append(point)
      last = point
    }
    if let end = points.last, end != last { kept.append(end) }
    return kept
  }

  static func far(_ a: MapPoint, _ b: MapPoint) -> Bool {
    (a.x - b.x).magnitude > step || (a.y - b.y).magnitude > step
  }

  /// The parts of a line inside a box (Liang and Barsky, A New Concept and Method for Line Clipping, 1984).
  static func clipped(_ points: [MapPoint], to box: MapBox) -> [[MapPoint]] {
    if points.allSatisfy({ box.contains($0) }) { return points.isEmpty ? [] : [points] }
    var parts: [[MapPoint]] = []
    var part: [MapPoint] = []
    for (a, b) in zip(points, points.dropFirst()) {
      guard let (from, to) = segment(a, b, in: box) else {
        if !part.isEmpty { parts.append(part) }
        part = []
        continue
      }
      if part.last != from {
        if !part.isEmpty { parts.append(part) }
        part = [from]
      }
      part.append(to)
    }
    if !part.isEmpty { parts.append(part) }
    return parts
  }

  private static func segment(_ a: MapPoint, _ b: MapPoint, in box: MapBox) -> (MapPoint, MapPoint)? {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    var (enter, leave) = (0.0, 1.0)
    for (change, room) in [(-dx, a.x - box.left), (dx, box.right - a.x), (-dy, a.y - box.top), (dy, box.bottom - a.y)] {
      if change == 0 {
        if room < 0 { return nil }
      } else if change < 0 {
        enter = max(enter, room / change)
      } else {
        leave = min(leave, room / change)
      }
    }
    guard enter <= leave else { return nil }
    func at(_ share: Double) -> MapPoint {
      share == 0 ? a : share == 1 ? b : MapPoint(x: a.x + share * dx, y: a.y + share * dy)
    }
    return (at(enter), at(leave))
  }

  /// The ring inside a box (Sutherland and Hodgman, Reentrant Polygon Clipping, 1974); edges along the box connect its parts.
  static func clipped(ring points: [MapPoint], to box: MapBox) -> [MapPoint] {
    if points.allSatisfy({ box.contains($0) }) { return points }
    var ring = cut(points, inside: { $0.x >= box.left }) { crossing($0, $1, x: box.left) }
    ring = cut(ring, inside: { $0.x <= box.right }) { crossing($0, $1, x: box.right) }
    ring = cut(ring, inside: { $0.y >= box.top }) { crossing($0, $1, y: box.top) }
    return cut(ring, inside: { $0.y <= box.bottom }) { crossing($0, $1, y: box.bottom) }
  }

  private static func cut(
    _ ring: [MapPoint], inside: (MapPoint) -> Bool, _ crossing: (MapPoint, MapPoint) -> MapPoint
  ) -> [MapPoint] {
    guard var last = ring.last else { return [] }
    var result: [MapPoint] = []
    var wasInside = inside(last)
    for point in ring {
      let isInside = inside(point)
      if isInside != wasInside { result.append(crossing(last, point)) }
      if isInside { result.append(point) }
      (last, wasInside) = (point, isInside)
    }
    return result
  }

  private static func crossing(_ a: MapPoint, _ b: MapPoint, x: Double) -> MapPoint {
    MapPoint(x: x, y: a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))
  }

  private static func crossing(_ a: MapPoint, _ b: MapPoint, y: Double) -> MapPoint {
    MapPoint(x: a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y: y)
  }
}
