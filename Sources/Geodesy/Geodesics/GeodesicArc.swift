/// A geodesic through a point in a direction, on the auxiliary sphere: the common ground of both problems (Karney 2013,
/// section 2).
struct GeodesicArc {
  let ellipsoid: Ellipsoid
  /// α₀, the azimuth where the geodesic crosses the equator northward.
  let equatorialAzimuth: Direction
  /// σ₁, the arc from that crossing to the point.
  let start: Direction
  /// ω₁, the spherical longitude from that crossing to the point, not normalized.
  let startLongitude: Direction
  /// k² = e′² cos² α₀, equation (9).
  let modulusSquared: Double
  /// ε, equation (16).
  let expansion: Double

  /// The geodesic that leaves the reduced latitude `β1` with azimuth `α1`.
  init(on ellipsoid: Ellipsoid, from β1: Direction, azimuth α1: Direction) {
    self.ellipsoid = ellipsoid
    // Equation (5), the cosine written so that it keeps its precision near 90°.
    equatorialAzimuth = Direction(
      sine: α1.sine * β1.cosine, cosine: Math.hypot(α1.cosine, α1.sine * β1.sine))
    // Equations (11) and (12); a geodesic along the equator is measured from its own beginning.
    let isEquatorial = β1.sine == 0 && α1.cosine == 0
    let σ1 = isEquatorial ? Direction(sine: 0, cosine: 1) : Direction(sine: β1.sine, cosine: β1.cosine * α1.cosine)
    startLongitude = Direction(sine: equatorialAzimuth.sine * σ1.sine, cosine: σ1.cosine)
    start = σ1.normalized
    modulusSquared =
      ellipsoid.secondEccentricitySquared * equatorialAzimuth.cosine * equatorialAzimuth.cosine
    expansion = Self.expansion(modulusSquared)
  }

  /// ε of k², equation (16).
  static func expansion(_ modulusSquared: Double) -> Double {
    modulusSquared / (2 * (1 + (1 + modulusSquared).squareRoot()) + modulusSquared)
  }

  /// The angle between two directions of which the second is ahead, 0…π.
  static func length(from σ1: Direction, to σ2: Direction) -> Double {
    ahead(σ2 - σ1).radians
  }

  /// A direction that cannot lie behind: rounding has made its sine negative, or a negative zero, which would be −π.
  static func ahead(_ direction: Direction) -> Direction {
    Direction(sine: max(0, direction.sine) + 0, cosine: direction.cosine)
  }

  /// ω − λ between the point and the arc `σ2`, `arc` radians further; equations (8) and (23).
  func longitudeCorrection(to σ2: Direction, arc: Double) -> Double {
    let c3 = GeodesicSeries.c3(expansion, n: ellipsoid.thirdFlattening)
    let waves = GeodesicSeries.sineSum(c3, at: σ2) - GeodesicSeries.sineSum(c3, at: start)
    let a3 = GeodesicSeries.a3(expansion, n: ellipsoid.thirdFlattening)
    return ellipsoid.flattening * equatorialAzimuth.sine * a3 * (arc + waves)
  }

  /// Distance in metres to the arc `σ2`, `arc` radians further; equations (7) and (15).
  func distance(to σ2: Direction, arc: Double) -> Double {
    let c1 = GeodesicSeries.c1(expansion)
    let waves = GeodesicSeries.sineSum(c1, at: σ2) - GeodesicSeries.sineSum(c1, at: start)
    return ellipsoid.polarRadius * GeodesicSeries.a1(expansion) * (arc + waves)
  }

  /// Reduced length m₁₂ over b to the arc `σ2`, `arc` radians further; equations (38) and (40).
  func reducedLength(to σ2: Direction, arc: Double) -> Double {
    let (c1, c2) = (GeodesicSeries.c1(expansion), GeodesicSeries.c2(expansion))
    let (a1, a2) = (GeodesicSeries.a1(expansion), GeodesicSeries.a2(expansion))
    let waves1 = GeodesicSeries.sineSum(c1, at: σ2) - GeodesicSeries.sineSum(c1, at: start)
    let waves2 = GeodesicSeries.sineSum(c2, at: σ2) - GeodesicSeries.sineSum(c2, at: start)
    let j = (a1 - a2) * arc + (a1 * waves1 - a2 * waves2)
    return stretch(at: σ2) * start.cosine * σ2.sine - stretch(at: start) * start.sine * σ2.cosine
      - start.cosine * σ2.cosine * j
  }

  /// √(1 + k² sin² σ).
  private func stretch(at σ: Direction) -> Double {
    (1 + modulusSquared * σ.sine * σ.sine).squareRoot()
  }
}
