import Geodesy

/// The data of a region for fast tests, 16 bytes: four records per cache line.
struct IndexRecord: Sendable {
  /// The middle.
  var x: Int32
  var y: Int32
  var z: Int32
  /// Meters, rounded. Negative: a circle too large or too small for fast tests, or a polygon's reach. Not a number: the region was
  /// removed.
  var signedRadius: Float

  init(_ middle: GridPoint, signedRadius: Float) {
    (x, y, z) = (middle.x, middle.y, middle.z)
    self.signedRadius = signedRadius
  }

  static let removed = IndexRecord(GridPoint(.zero), signedRadius: .nan)

  /// Up to 10 km the distance is longer than its chord by 10⁻⁷ of itself; from a decimeter on the slack is less than the radius.
  static let quickRadii: ClosedRange<Float> = 0.1...10_000
  /// The rounding of a distance in `Float`: 24 bits of each difference, of its square, of the sum and of the radius; and the
  /// chord's 10⁻⁷.
  private static let quickRounding: Float = 1e-6
  /// Half of the last place of a `Float`, times two.
  private static let rounding = 0x1p-23

  @inline(__always) var radius: Double { Double(abs(signedRadius)) }
  @inline(__always) var middle: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
  @inline(__always) var slack: Double { GridPoint.slackMeters + radius * Self.rounding }

  /// The chord, in meters, beyond which no part of the region lies.
  @inline(__always) var outerChord: Double { radius + slack }
  /// The chord, in meters, within which every point is inside of a circle; negative for the smallest circles.
  @inline(__always) var innerChord: Double { Chord.ofWay(notBeyond: radius) - slack }

  /// On which side of the border a point of the grid lies, in a few instructions without a branch: 1 and 1, inside; 0 and 0,
  /// outside; 0 and 1, undecided.
  @inline(__always) func side(of point: GridPoint) -> (isInside: Int, mayBeInside: Int) {
    // Differences only overflow for circles that are excluded from fast tests.
    let (dx, dy, dz) = (Float(point.x &- x), Float(point.y &- y), Float(point.z &- z))
    let squared = dx * dx + dy * dy + dz * dz
    let units = signedRadius * Float(GridPoint.perMeter)
    let slack = abs(units) * Self.quickRounding + Float(GridPoint.slackMeters * GridPoint.perMeter)
    let (outer, inner) = (units + slack, units - slack)
    let isInside = squared <= inner * abs(inner) ? 1 : 0
    let isWithin = squared <= outer * outer ? 1 : 0
    return (isInside, isWithin | (units < 0 ? 1 : 0))
  }

  /// The chord from the middle to a point, meters.
  @inline(__always) func chord(to point: SIMD3<Double>) -> Double {
    let away = point - middle
    return away.dot(away).squareRoot() * (1 / GridPoint.perMeter)
  }

  /// A lower bound of the distance from a point of the grid to the border, meters; negative if unknown.
  @inline(__always) func leastBorderDistance(from point: SIMD3<Double>) -> Double {
    let chord = chord(to: point)
    if chord > radius || signedRadius < 0 { return chord - outerChord }
    return radius - slack - Chord.longestWay(over: chord)
  }
}

/// A circle as it was given, to the last bit, 24 bytes; for a polygon, its middle and reach.
struct StoredShape: Sendable {
  var latitudeDegrees: Double
  var longitudeDegrees: Double
  var radiusMeters: Double

  init(_ shape: RegionShape) {
    switch shape {
    case .circle(let circle): self.init(circle.center, circle.radius)
    case .polygon(let polygon): self.init(polygon.middle, polygon.reach)
    }
  }

  private init(_ place: Coordinate, _ radius: Meters) {
    (latitudeDegrees, longitudeDegrees) = (place.latitude.degrees, place.longitude.degrees)
    radiusMeters = radius.value
  }

  var center: Coordinate {
    Coordinate(latitude: Angle(degrees: latitudeDegrees), longitude: Angle(degrees: longitudeDegrees))
  }
}

/// A cube of the octree over the earth-centered frame, in the units of `GridPoint`.
struct IndexBox: Hashable {
  /// The corner with the least coordinates, from −2³¹ on each axis.
  var corner: SIMD3<Double>
  /// A power of two.
  var side: Double

  /// The whole frame.
  static let whole = IndexBox(corner: SIMD3(repeating: -0x1p31), side: 0x1p32)

  var center: SIMD3<Double> { corner + side / 2 }

  /// One of the eight octants: bit 0 of the number is the upper half of x, bit 1 of y, bit 2 of z.
  func octant(_ number: Int) -> IndexBox {
    let half = side / 2
    let upper = SIMD3<Double>(Double(number & 1), Double(number >> 1 & 1), Double(number >> 2 & 1))
    return IndexBox(corner: corner + upper * half, side: half)
  }

  /// The octant that contains a point of the cube.
  func octant(of point: SIMD3<Double>) -> Int {
    let middle = center
    return (point.x >= middle.x ? 1 : 0) | (point.y >= middle.y ? 2 : 0) | (point.z >= middle.z ? 4 : 0)
  }

  /// Squared distance from a point to the nearest point of the box; 0 inside.
  func squaredDistance(from point: SIMD3<Double>) -> Double {
    func outside(_ value: Double, _ low: Double) -> Double {
      value < low ? low - value : value > low + side ? value - low - side : 0
    }
    let (x, y, z) = (outside(point.x, corner.x), outside(point.y, corner.y), outside(point.z, corner.z))
    return x * x + y * y + z * z
  }

  /// The earth's surface in the cube.
  var patch: SurfacePatch { SurfacePatch(in: self) }
}

/// A cube of the tree, divided or not.
struct IndexNode: Sendable {
  /// The first of eight consecutive nodes; 0: the cube is not divided.
  var firstOctant: UInt32 = 0
  /// Divided: the regions that cover the whole cube. Not divided: all regions that may touch it.
  var slots: [UInt32] = []

  var isLeaf: Bool { firstOctant == 0 }
}

/// A bounding box of the earth's surface in a cube, in the units of `GridPoint`. It is most of a cube that the surface cuts
/// diagonally, and little of one where it cuts off an edge.
struct SurfacePatch {
  private var low: SIMD3<Double>
  private var high: SIMD3<Double>

  /// If the surface is not in the cube, a box that is far from everything.
  ///
  /// With the middle of the cube c and its half side h, x²/a² + y²/a² + z²/b² − 1 is F + 2 g·δ + q at c + δ, where q is between 0
  /// and 3h²/b². Where that is 0, the possible values of the other coordinates bound each coordinate of δ.
  init(in box: IndexBox) {
    let axes = SIMD3(Surface.equatorialRadius, Surface.equatorialRadius, Surface.polarRadius) * GridPoint.perMeter
    // One unit more, because points are up to that far off the surface.
    let half = box.side / 2 + 1
    let center = box.center
    let scaled = center / axes
    let slope = scaled / axes
    let value = scaled.dot(scaled) - 1
    let (least, most) = ((-value - 3 * half * half / (axes.z * axes.z)) / 2, -value / 2)
    // Margin for the rounding of this computation.
    let slack = 1e-12
    (low, high) = (SIMD3(repeating: -half), SIMD3(repeating: half))
    for _ in 0..<2 {
      for axis in 0..<3 where abs(slope[axis]) > 1e-13 {
        var (others, otherMost) = (0.0, 0.0)
        for other in 0..<3 where other != axis {
          let (p, q) = (slope[other] * low[other], slope[other] * high[other])
          others += min(p, q)
          otherMost += max(p, q)
        }
        let (p, q) = ((least - otherMost - slack) / slope[axis], (most - others + slack) / slope[axis])
        low[axis] = max(low[axis], min(p, q))
        high[axis] = min(high[axis], max(p, q))
        guard low[axis] <= high[axis] else {
          (low, high) = (SIMD3(repeating: .infinity), SIMD3(repeating: .infinity))
          return
        }
      }
    }
    low += center
    high += center
  }

  /// Squared distance from a point to the nearest point of the patch; 0 inside.
  @inline(__always) func squaredDistance(from point: SIMD3<Double>) -> Double {
    @inline(__always) func outside(_ value: Double, _ low: Double, _ high: Double) -> Double {
      value < low ? low - value : value > high ? value - high : 0
    }
    let x = outside(point.x, low.x, high.x)
    let y = outside(point.y, low.y, high.y)
    let z = outside(point.z, low.z, high.z)
    return x * x + y * y + z * z
  }

  /// Squared distance from a point to the furthest point of the patch.
  func squaredFurthest(from point: SIMD3<Double>) -> Double {
    let x = max(point.x - low.x, high.x - point.x)
    let y = max(point.y - low.y, high.y - point.y)
    let z = max(point.z - low.z, high.z - point.z)
    return x * x + y * y + z * z
  }
}
