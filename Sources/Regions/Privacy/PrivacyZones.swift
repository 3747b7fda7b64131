package import Geodesy

/// Areas that a track must not show: finds the parts of the line between two positions that are outside of all of them.
///
/// The line is the geodesic. It and the sides of polygons are divided into pieces that are short enough to be treated as straight:
/// a plane through the earth's center leaves a geodesic of 20 km by at most 3 cm (`PolygonSides`).
package struct PrivacyZones: Sendable {
  /// The longest piece, meters.
  static let piece = 20_000.0
  /// The most pieces of a polygon's border: more are only needed beyond 160,000 km.
  private static let mostPieces = 8192

  private let zones: [Zone]

  private enum Zone: Sendable {
    case circle(CircleShape)
    case polygon(PolygonShape, sides: [Side])
  }

  /// A piece of a polygon's border, in the earth-centered frame.
  private struct Side: Sendable {
    let begin: SIMD3<Double>
    let end: SIMD3<Double>
  }

  package init(_ shapes: [RegionShape]) {
    zones = shapes.map {
      switch $0 {
      case .circle(let circle): .circle(circle)
      case .polygon(let polygon): .polygon(polygon, sides: Self.sides(of: polygon))
      }
    }
  }

  package var isEmpty: Bool { zones.isEmpty }

  /// Whether a position is inside of any of them.
  package func contains(_ place: Coordinate) -> Bool {
    zones.contains { zone in
      switch zone {
      case .circle(let circle): circle.contains(place)
      case .polygon(let polygon, _): polygon.contains(place)
      }
    }
  }

  /// The parts of the line from `first` to `second` that are outside, as shares of its length, in order: `0...1` if nothing of it is
  /// inside, and nothing if all of it is.
  package func visibleParts(from first: Coordinate, to second: Coordinate) -> [ClosedRange<Double>] {
    guard !zones.isEmpty else { return [0...1] }
    let line = Geodesic.inverse(from: first, to: second)
    let length = line.distance.value
    guard length > 0 else { return contains(first) ? [] : [0...1] }
    let near = zones.filter { Self.reaches($0, first, length) }
    guard !near.isEmpty else { return [0...1] }
    var cuts: [Double] = [0, 1]
    let count = max(1, Int((length / Self.piece).rounded(.up)))
    func place(_ share: Double) -> Coordinate {
      if share <= 0 { return first }
      if share >= 1 { return second }
      return Geodesic.direct(from: first, course: line.initialCourse, distance: Meters(length * share)).coordinate
    }
    for index in 0..<count {
      let (begin, end) = (Double(index) / Double(count), Double(index + 1) / Double(count))
      let (from, to) = (place(begin), place(end))
      for zone in near {
        for share in Self.crossings(of: zone, from, to, length: length / Double(count)) {
          cuts.append(begin + share * (end - begin))
        }
      }
    }
    cuts.sort()
    var parts: [ClosedRange<Double>] = []
    for (begin, end) in zip(cuts, cuts.dropFirst()) where end > begin && !contains(place((begin + end) / 2)) {
      if let last = parts.last, last.upperBound == begin {
        parts[parts.count - 1] = last.lowerBound...end
      } else {
        parts.append(begin...end)
      }
    }
    return parts
  }

  /// Whether a line of this length from a position may touch the zone.
  private static func reaches(_ zone: Zone, _ place: Coordinate, _ length: Double) -> Bool {
    let (center, reach) =
      switch zone {
      case .circle(let circle): (circle.center, circle.radius.value)
      case .polygon(let polygon, _): (polygon.middle, polygon.reach.value)
      }
    return Geodesic.inverse(from: place, to: center).distance.value <= reach + length + 1
  }

  /// Where a short line crosses a zone's border, as shares of the line.
  private static func crossings(of zone: Zone, _ from: Coordinate, _ to: Coordinate, length: Double) -> [Double] {
    switch zone {
    case .circle(let circle): crossings(of: circle, from, to, length: length)
    case .polygon(_, let sides): crossings(of: sides, Surface.point(from), Surface.point(to))
    }
  }

  // MARK: - Circles

  private static func crossings(
    of circle: CircleShape, _ from: Coordinate, _ to: Coordinate, length: Double
  ) -> [Double] {
    let radius = circle.radius.value
    let course = Geodesic.inverse(from: from, to: to).initialCourse
    /// How far the line is beyond the border.
    func beyond(_ share: Double) -> Double {
      let place = Geodesic.direct(from: from, course: course, distance: Meters(length * share)).coordinate
      return Geodesic.inverse(from: circle.center, to: place).distance.value - radius
    }
    let (first, last) = (beyond(0), beyond(1))
    if min(first.magnitude, last.magnitude) > length { return [] }
    // Along a short line, the distance from the center has one minimum or one maximum. They separate the crossings.
    var corners = [0.0, 1.0]
    for sign in [1.0, -1.0] {
      var (low, high) = (0.0, 1.0)
      for _ in 0..<60 {
        let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
        if sign * beyond(a) < sign * beyond(b) { high = b } else { low = a }
      }
      corners.append((low + high) / 2)
    }
    corners.sort()
    var found: [Double] = []
    for (begin, end) in zip(corners, corners.dropFirst()) where end > begin {
      var (low, high) = (begin, end)
      let isInside = beyond(low) <= 0
      guard isInside != (beyond(high) <= 0) else { continue }
      for _ in 0..<50 {
        let middle = (low + high) / 2
        if (beyond(middle) <= 0) == isInside { low = middle } else { high = middle }
      }
      found.append((low + high) / 2)
    }
    return found
  }

  // MARK: - Polygons

  private static func sides(of polygon: PolygonShape) -> [Side] {
    let corners = polygon.corners
    let lines = corners.indices.map { index in
      (corners[index], Geodesic.inverse(from: corners[index], to: corners[(index + 1) % corners.count]))
    }
    let border = lines.reduce(0) { $0 + $1.1.distance.value }
    let piece = max(Self.piece, border / Double(mostPieces))
    return lines.flatMap { corner, line in
      let count = max(1, Int((line.distance.value / piece).rounded(.up)))
      let points = (0...count).map { number in
        Surface.point(
          number == 0
            ? corner
            : Geodesic.direct(
              from: corner, course: line.initialCourse,
              distance: Meters(line.distance.value * Double(number) / Double(count))
            ).coordinate)
      }
      return zip(points, points.dropFirst()).map { Side(begin: $0, end: $1) }
    }
  }

  /// Where the plane of a side cuts the chord, if that is between the side's ends or at most a millimeter beyond them.
  private static func crossings(of sides: [Side], _ from: SIMD3<Double>, _ to: SIMD3<Double>) -> [Double] {
    let chord = to - from
    let reach = chord.length
    return sides.compactMap { side in
      let way = side.end - side.begin
      // Pieces at a distance cannot touch.
      guard (side.begin - from).length <= reach + way.length + 1 else { return nil }
      let normal = side.begin.cross(side.end)
      let (a, b) = (from.dot(normal), to.dot(normal))
      guard (a > 0) != (b > 0) else { return nil }
      let share = a / (a - b)
      let place = from + chord * share
      let squared = way.dot(way)
      guard squared > 0 else { return nil }
      let along = (place - side.begin).dot(way) / squared
      let slack = 1e-3 / squared.squareRoot()
      return (-slack...1 + slack).contains(along) ? share : nil
    }
  }
}
