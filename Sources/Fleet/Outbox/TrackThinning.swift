package import Geodesy

/// Which fixes of a track may be left out: those that a straight line through the others misses by at most `tolerance`, with no gap of
/// more than `longestGap`.
package enum TrackThinning {
  package static let tolerance = Meters(20)
  package static let longestGap: Duration = .seconds(300)
  /// The most fixes between two that are kept: bounds the work.
  private static let longestRun = 256

  /// The fixes to keep, in order; always the first and the last.
  package static func thinned(_ fixes: [PositionFix]) -> [PositionFix] {
    guard fixes.count > 2 else { return fixes }
    var kept = [fixes[0]]
    var start = 0
    var end = 1
    while end < fixes.count - 1 {
      if end + 1 - start <= longestRun, fits(fixes, start, end + 1) {
        end += 1
      } else {
        kept.append(fixes[end])
        (start, end) = (end, end + 1)
      }
    }
    return kept + [fixes[fixes.count - 1]]
  }

  /// Whether the line from one fix to another represents those between them.
  private static func fits(_ fixes: [PositionFix], _ first: Int, _ last: Int) -> Bool {
    let (begin, end) = (fixes[first], fixes[last])
    let elapsed = end.time - begin.time
    guard elapsed >= .zero, elapsed <= longestGap else { return false }
    let line = LocalLine(from: begin.coordinate, to: end.coordinate)
    return (first + 1..<last).allSatisfy { line.distance(to: fixes[$0].coordinate) <= tolerance.value }
  }
}

/// A short line in a plane that touches the earth at its beginning; for lines of some kilometers.
private struct LocalLine {
  private static let metersPerDegree = 111_195.0
  private let origin: Coordinate
  private let scale: Double
  private let end: (x: Double, y: Double)

  init(from origin: Coordinate, to other: Coordinate) {
    self.origin = origin
    scale = Math.cos(origin.latitude.radians)
    end = Self.offset(from: origin, to: other, scale)
  }

  private static func offset(from origin: Coordinate, to other: Coordinate, _ scale: Double) -> (x: Double, y: Double) {
    let east = (other.longitude.degrees - origin.longitude.degrees).remainder(dividingBy: 360)
    return (east * scale * metersPerDegree, (other.latitude.degrees - origin.latitude.degrees) * metersPerDegree)
  }

  /// Meters from a point to the line between its ends.
  func distance(to place: Coordinate) -> Double {
    let point = Self.offset(from: origin, to: place, scale)
    let squared = end.x * end.x + end.y * end.y
    let share = squared > 0 ? min(1, max(0, (point.x * end.x + point.y * end.y) / squared)) : 0
    let (dx, dy) = (point.x - share * end.x, point.y - share * end.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}
