import Geodesy

/// A polygon made ready for quick answers: its corners in the earth-centred frame.
///
/// Lines that run in planes through the earth's middle are straight lines when they are projected from it. Such a line leaves the
/// geodesic between the same corners by little: both run in planes through the chord of length L, turned by at most the 0.0034
/// by which a plumb line misses the earth's middle, where the chord lies L² / 8R deep. What is nearer to a side than that is for
/// `PolygonShape.contains` to say.
struct PolygonSides: Sendable {
  let shape: PolygonShape
  private let middle: SIMD3<Double>
  private let corners: [SIMD3<Double>]

  /// 0.0034 / 8R, twice over.
  private static let divergence = 2 * 0.0034 / (8 * Surface.leastCurvatureRadius)
  /// A distance by the angle at the earth's middle is right to within the flattening, 0.34 %, and the plane's tilt.
  private static let share = 0.99

  init(_ shape: PolygonShape) {
    self.shape = shape
    middle = Surface.point(shape.middle)
    corners = shape.corners.map(Surface.point)
  }

  /// Where a point of the surface lies.
  func distance(from point: SIMD3<Double>) -> BorderDistance {
    let fromMiddle = (point - middle).length
    let beyond = fromMiddle - shape.reach.value
    // From further away the sides look small, and may lie beyond the horizon.
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
      // The side crosses the ray towards east.
      let isNextNorth = b.dot(north) > 0
      if isNorth != isNextNorth {
        // Where the heights above the ray are as h : k, so are the parts; all corners lie before us, so that the scale is positive.
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
    // Whether the foot lies between the ends.
    let foot = up - normal * (up.dot(normal) / (size * size))
    let isBetween = a.cross(foot).dot(normal) >= 0 && foot.cross(b).dot(normal) >= 0
    let distance = isBetween ? abs(up.dot(normal)) / size * Surface.leastCurvatureRadius : toEnds
    return max(0, distance * share - slack)
  }
}
