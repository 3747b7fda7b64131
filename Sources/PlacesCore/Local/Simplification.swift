/// Lines and outlines with fewer points.
package enum Simplification {
  /// The points of a line that are needed to keep it within `tolerance` meters (Douglas and Peucker, 1973).
  package static func line(_ points: [LocalPoint], tolerance: Double) -> [LocalPoint] {
    guard points.count > 2 else { return points }
    let plane = LocalPlane(around: points[0])
    let flat = points.map { plane.meters($0) }
    var isKept = [Bool](repeating: false, count: points.count)
    isKept[0] = true
    isKept[points.count - 1] = true
    var ranges = [(0, points.count - 1)]
    while let (first, last) = ranges.popLast() {
      guard last - first > 1 else { continue }
      var (farthest, most) = (first, Float(tolerance * tolerance))
      let edge = flat[last] - flat[first]
      let length = (edge * edge).sum()
      for index in (first + 1)..<last {
        let from = flat[index] - flat[first]
        let share = length > 0 ? min(max((from * edge).sum() / length, 0), 1) : 0
        let difference = from - edge * share
        let distance = (difference * difference).sum()
        if distance > most { (farthest, most) = (index, distance) }
      }
      guard farthest != first else { continue }
      isKept[farthest] = true
      ranges.append((first, farthest))
      ranges.append((farthest, last))
    }
    return points.indices.filter { isKept[$0] }.map { points[$0] }
  }

  /// An outline without its repeated first point, of at most `most` points.
  package static func outline(_ ring: [LocalPoint], most: Int = SpatialBlock.mostPoints) -> [LocalPoint] {
    var tolerance = 0.3
    while true {
      var points = line(ring, tolerance: tolerance)
      if points.count > 1, points.first == points.last { points.removeLast() }
      if points.count <= most { return points }
      tolerance *= 2
    }
  }

  /// A share of the shorter way to another longitude.
  private static func moved(_ x: Int32, by difference: Double, _ share: Double) -> Int32 {
    let turn = 360e6
    let way = difference > turn / 2 ? difference - turn : difference < -turn / 2 ? difference + turn : difference
    let end = Double(x) + way * share
    return Int32(end > turn / 2 ? end - turn : end < -turn / 2 ? end + turn : end)
  }

  /// Pieces of a line, each of at most 16 points and about 200 meters.
  package static func pieces(_ points: [LocalPoint]) -> [[LocalPoint]] {
    let longest = 200.0
    guard let start = points.first else { return [] }
    var pieces: [[LocalPoint]] = []
    var piece = [start]
    var length = 0.0
    let plane = LocalPlane(around: start)
    for point in points.dropFirst() {
      let last = piece[piece.count - 1]
      let step = plane.distance(last, point)
      // A long straight line is divided.
      let parts = min(max(1, Int((step / longest).rounded(.up))), 500)
      for part in 1...parts {
        let share = Double(part) / Double(parts)
        let next =
          part == parts
          ? point
          : LocalPoint(
            x: moved(last.x, by: Double(point.x) - Double(last.x), share),
            y: last.y + Int32((Double(point.y) - Double(last.y)) * share))
        piece.append(next)
        length += step / Double(parts)
        if length >= longest || piece.count >= 16 {
          pieces.append(piece)
          piece = [next]
          length = 0
        }
      }
    }
    if piece.count > 1 || pieces.isEmpty { pieces.append(piece) }
    return pieces
  }
}
