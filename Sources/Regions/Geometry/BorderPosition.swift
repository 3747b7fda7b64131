package import Geodesy

/// Where a point is relative to the border of a region.
package struct BorderPosition: Hashable, Sendable {
  package let isInside: Bool
  /// The distance to the nearest point of the border, ≥ 0.
  package let distance: Meters
}

extension RegionShape {
  /// Where a point is relative to the border, over the ellipsoid: to a millimeter, but slow.
  package func border(from place: Coordinate) -> BorderPosition {
    switch self {
    case .circle(let circle):
      let toCenter = Geodesic.inverse(from: circle.center, to: place).distance
      return BorderPosition(
        isInside: circle.contains(place), distance: Meters((toCenter - circle.radius).value.magnitude))
    case .polygon(let polygon):
      return BorderPosition(isInside: polygon.contains(place), distance: polygon.distance(from: place))
    }
  }

  /// The center of a circle, or the point in the middle of a polygon's corners.
  package var middle: Coordinate {
    switch self {
    case .circle(let circle): circle.center
    case .polygon(let polygon): polygon.middle
    }
  }
}

extension PolygonShape {
  /// The distance from a point to the nearest side.
  ///
  /// Sides are visited in the order of a lower bound, the straight distance in space less the depth of the chord, until no other one
  /// can be nearer.
  fileprivate func distance(from place: Coordinate) -> Meters {
    let point = Surface.point(place)
    let ends = corners.map { Surface.point($0) }
    let sides = corners.indices.map { index in
      let next = (index + 1) % corners.count
      return (first: index, second: next, atLeast: Self.leastDistance(from: point, ends[index], ends[next]))
    }.sorted { $0.atLeast < $1.atLeast }
    var least = Double.infinity
    for side in sides {
      guard side.atLeast < least else { break }
      least = min(least, Self.distance(from: place, corners[side.first], corners[side.second]))
    }
    return Meters(least)
  }

  /// A lower bound of the distance to a side.
  private static func leastDistance(
    from point: SIMD3<Double>, _ first: SIMD3<Double>, _ second: SIMD3<Double>
  ) -> Double {
    let side = second - first
    let squared = side.dot(side)
    let share = squared > 0 ? min(max((point - first).dot(side) / squared, 0), 1) : 0
    // The geodesic is at most this far from its chord.
    let depth = squared / (8 * Surface.leastCurvatureRadius) * 1.1
    return (point - (first + side * share)).length - depth
  }

  /// The distance to one side, by golden-section search along it.
  private static func distance(from place: Coordinate, _ first: Coordinate, _ second: Coordinate) -> Double {
    let side = Geodesic.inverse(from: first, to: second)
    func distance(at way: Double) -> Double {
      let point = Geodesic.direct(from: first, course: side.initialCourse, distance: Meters(way)).coordinate
      return Geodesic.inverse(from: place, to: point).distance.value
    }
    let golden = (5.0.squareRoot() - 1) / 2
    var (low, high) = (0.0, side.distance.value)
    var (left, right) = (high - golden * (high - low), low + golden * (high - low))
    var (atLeft, atRight) = (distance(at: left), distance(at: right))
    while high - low > 1e-3 {
      if atLeft <= atRight {
        (high, right, atRight) = (right, left, atLeft)
        left = high - golden * (high - low)
        atLeft = distance(at: left)
      } else {
        (low, left, atLeft) = (left, right, atRight)
        right = low + golden * (high - low)
        atRight = distance(at: right)
      }
    }
    // The nearest point may be an end.
    return min(atLeft, atRight, distance(at: 0), distance(at: side.distance.value))
  }
}
