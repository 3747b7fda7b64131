import Geodesy

/// A polygon prepared for fast answers: its corners in the earth-centered frame.
///
/// Lines in planes through the earth's center become straight lines when they are projected from it. Such a line differs little
/// from the geodesic between the same corners: both run in planes through the chord of length L, which lies L² / 8R deep, and the
/// planes differ by at most 0.0034, the angle by which a plumb line misses the earth's center. A point that is nearer to a side
/// than that difference is decided by `PolygonShape.contains`.
struct PolygonSides: Sendable {
  let shape: PolygonShape
  private let middle: SIMD3<Double>
  private let corners: [SIMD3<Double>]

  /// 0.0034 / 8R, times two.
  private static let divergence = 2 * 0.0034 / (8 * Surface.leastCurvatureRadius)
  /// The share of a computed distance that is certain: a distance from the angle at the earth's center is correct to
  /// within the flattening, 0.34 %, and the plane's tilt.
  private static let share = 0.99

  init(_ shape: PolygonShape) {
    self.shape = shape
    middle = Surface.point(shape.middle)
    corners = shape.corners.map(Surface.point)
  }

  /// The position of a point of the surface relative to the border.
  func distance(from point: SIMD3<Double>) -> BorderDistance {
    let fromMiddle = (point - middle).length
    let beyond = fromMiddle - shape.reach.value
    // From further away the sides look small, and may be beyond the horizon.
    if beyond > shape.reach.value + 1000 || fromMiddle > 5_000_000 {
      return BorderDistance(isInside: false, atLeast: max(0, beyond))
    }
    let up = point / point.length
    let across: SIMD3<Double> = abs(up.z) < 0.9 ? SIMD3(0, 0, 1) : SIMD3(1, 0, 0)
    let east = across.cross(up) / across.cross(up).length
    let north = up.cross(east)
    var least = Double.infinity
    var isInside = false
    var a = corners[corners.count - 1]
    var isNorth = a.dot(north) > 0
    for b in corners {
      least = min(least, Self.leastDistance(from: point, up, toSide: a, b))
      // Whether the side crosses the ray toward the east.
      let isNextNorth = b.dot(north) > 0
      if isNorth != isNextNorth {
        // If the heights relative to the ray are as h : k, so are the parts of the side; all corners are in front, so the scale is
        // positive.
        let (h, k) = (a.dot(north), b.dot(north))
        if (a.dot(east) * k - b.dot(east) * h) * (k - h) > 0 { isInside.toggle() }
      }
      (a, isNorth) = (b, isNextNorth)
    }
    guard least > 0 else { return BorderDistance(isInside: nil, atLeast: 0) }
    return BorderDistance(isInside: isInside, atLeast: max(least, beyond))
  }

  private static func leastDistance(
    from point: SIMD3<Double>, _ up: SIMD3<Double>, toSide a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> Double {
    let side = b - a
    let squared = side.dot(side)
    let toEnds = min((point - a).length, (point - b).length)
    guard squared > 0 else { return toEnds }
    let normal = a.cross(b)
    let size = normal.length
    let slack = divergence * squared + 1e-3
    guard size > 0 else { return max(0, toEnds - slack) }
    // Whether the perpendicular's foot lies between the ends.
    let foot = up - normal * (up.dot(normal) / (size * size))
    let isBetween = a.cross(foot).dot(normal) >= 0 && foot.cross(b).dot(normal) >= 0
    let distance = isBetween ? abs(up.dot(normal)) / size * Surface.leastCurvatureRadius : toEnds
    return max(0, distance * share - slack)
  }
}
