/// What a quick look at a region takes, 16 bytes: four to a line of the processor's cache.
struct IndexRecord: Sendable {
  /// The middle.
  var x: Int32
  var y: Int32
  var z: Int32
  /// Metres, rounded. Negative: too large or too small a circle for a quick look, or a polygon's reach. Not a number: there is no such region
  /// any more.
  var signedRadius: Float

  init(_ middle: GridPoint, signedRadius: Float) {
    (x, y, z) = (middle.x, middle.y, middle.z)
    self.signedRadius = signedRadius
  }

  static let removed = IndexRecord(GridPoint(.zero), signedRadius: .nan)

  /// Up to 10 km the way is longer than its chord by 10⁻⁷ of itself; from a decimetre the slack is less than the radius.
  static let quickRadii: ClosedRange<Float> = 0.1...10_000
  /// What `Float` makes of a distance: 24 bits of each difference, of its square, of the sum and of the radius; and the chord's 10⁻⁷.
  private static let quickRounding: Float = 1e-6
  /// Half of the last place of a `Float`, twice over.
  private static let rounding = 0x1p-23

  @inline(__always) var radius: Double { Double(abs(signedRadius)) }
  @inline(__always) var middle: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
  @inline(__always) var slack: Double { GridPoint.slackMeters + radius * Self.rounding }

  /// The chord, in metres, beyond which nothing of it lies.
  @inline(__always) var outerChord: Double { radius + slack }
  /// The chord, in metres, within which all is inside of a circle; negative for the smallest ones.
  @inline(__always) var innerChord: Double { Chord.ofWay(notBeyond: radius) - slack }

  /// On which side of the border a point of the grid lies, in a few instructions without a branch: 1 and 1, inside; 0 and 0, outside;
  /// 0 and 1, it cannot be told.
  @inline(__always) func side(of point: GridPoint) -> (isInside: Int, mayBeInside: Int) {
    // Differences that overflow are of circles that are not looked at quickly.
    let (dx, dy, dz) = (Float(point.x &- x), Float(point.y &- y), Float(point.z &- z))
    let squared = dx * dx + dy * dy + dz * dz
    let units = signedRadius * Float(GridPoint.perMeter)
    let slack = abs(units) * Self.quickRounding + Float(GridPoint.slackMeters * GridPoint.perMeter)
    let (outer, inner) = (units + slack, units - slack)
    let isInside = squared <= inner * abs(inner) ? 1 : 0
    let isWithin = squared <= outer * outer ? 1 : 0
    return (isInside, isWithin | (units < 0 ? 1 : 0))
  }

  /// From the middle to a point, metres.
  @inline(__always) func chord(to point: SIMD3<Double>) -> Double {
    let away = point - middle
    return away.dot(away).squareRoot() * (1 / GridPoint.perMeter)
  }

  /// Metres: from a point of the grid to the border the way is no shorter; negative where that is not known.
  @inline(__always) func leastBorderDistance(from point: SIMD3<Double>) -> Double {
    let chord = chord(to: point)
    if chord > radius || signedRadius < 0 { return chord - outerChord }
    return radius - slack - Chord.longestWay(over: chord)
  }
}
