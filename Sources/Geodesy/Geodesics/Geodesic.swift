/// Shortest lines on an ellipsoid: distance and courses between two points, and the end of a line of a given length.
///
/// C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), 43–55; series to order 6, whose error
/// on the Earth is a few nanometers. Works for any two points, including antipodes and poles.
package enum Geodesic {
  /// The shortest line between two points.
  package struct Inverse: Hashable, Sendable {
    /// Its length, ≥ 0.
    package let distance: Meters
    /// Direction at its beginning, 0…<360° clockwise from true north; 0 if both points are the same.
    package let initialCourse: Angle
    /// Forward direction at its end, 0…<360°; 0 if both points are the same.
    package let finalCourse: Angle
  }

  /// The end of a line.
  package struct Direct: Hashable, Sendable {
    /// The end point.
    package let coordinate: Coordinate
    /// Forward direction at the end, 0…<360° clockwise from true north.
    package let finalCourse: Angle
  }

  /// The shortest line from one point to another; one of them if several are equally short (opposite poles).
  package static func inverse(
    from first: Coordinate, to second: Coordinate, on ellipsoid: Ellipsoid = .wgs84
  ) -> Inverse {
    GeodesicInverse(ellipsoid).solve(from: first, to: second)
  }

  /// The end of the line that starts at `origin` with `course` and has length `distance`; a negative distance goes backward.
  package static func direct(
    from origin: Coordinate, course: Angle, distance: Meters, on ellipsoid: Ellipsoid = .wgs84
  ) -> Direct {
    let β1 = reducedLatitude(origin.latitude, on: ellipsoid)
    let arc = GeodesicArc(on: ellipsoid, from: β1, azimuth: Direction(degrees: course.degrees))

    // Equations (19) to (21): distance to arc.
    let ε = arc.expansion
    let (c1, c1Inverse) = (GeodesicSeries.c1(ε), GeodesicSeries.c1Inverse(ε))
    let τ12 = distance.value / (ellipsoid.polarRadius * GeodesicSeries.a1(ε))
    let waves1 = GeodesicSeries.sineSum(c1, at: arc.start)
    let τ1 = arc.start + Direction(sine: Math.sin(waves1), cosine: Math.cos(waves1))
    let τ2 = τ1 + Direction(sine: Math.sin(τ12), cosine: Math.cos(τ12))
    let σ12 = τ12 + GeodesicSeries.sineSum(c1Inverse, at: τ2) + waves1
    let σ2 = arc.start + Direction(sine: Math.sin(σ12), cosine: Math.cos(σ12))

    // Equations (14), (13) and (12).
    let α0 = arc.equatorialAzimuth
    let β2 = Direction(sine: α0.cosine * σ2.sine, cosine: Math.hypot(α0.sine, α0.cosine * σ2.cosine))
    let α2 = Direction(sine: α0.sine, cosine: α0.cosine * σ2.cosine)
    let ω12 = Direction(sine: α0.sine * σ2.sine, cosine: σ2.cosine) - arc.startLongitude
    let λ12 = ω12.radians - arc.longitudeCorrection(to: σ2, arc: σ12)

    let latitude = Direction(sine: β2.sine, cosine: (1 - ellipsoid.flattening) * β2.cosine).degrees
    let turn = (λ12 * (180 / .pi)).remainder(dividingBy: 360)
    let longitude = (origin.longitude.degrees + turn).remainder(dividingBy: 360)
    return Direct(
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)),
      finalCourse: Self.course(of: α2))
  }

  /// β of a geodetic latitude, equation (6). Poles are moved by a tiny amount so that longitudes stay defined there.
  static func reducedLatitude(_ latitude: Angle, on ellipsoid: Ellipsoid) -> Direction {
    let φ = Direction(degrees: latitude.degrees)
    let β = Direction(sine: (1 - ellipsoid.flattening) * φ.sine, cosine: φ.cosine).normalized
    return Direction(sine: β.sine, cosine: max(Double.leastNormalMagnitude.squareRoot(), β.cosine))
  }

  /// An azimuth as a course, 0…<360°.
  static func course(of azimuth: Direction) -> Angle {
    let degrees = azimuth.degrees
    guard degrees < 0 else { return Angle(degrees: degrees + 0) }
    let course = degrees + 360
    return Angle(degrees: course < 360 ? course : 0)
  }
}

/// A geodesic through a point in a direction, on the auxiliary sphere; used by the direct and the inverse problem (Karney
/// 2013, section 2).
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
    // Equation (5), with the cosine in a form that keeps its precision near 90°.
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

  /// The angle from one direction to a second one ahead of it, 0…π.
  static func length(from σ1: Direction, to σ2: Direction) -> Double {
    ahead(σ2 - σ1).radians
  }

  /// Corrects a direction that must lie ahead: a sine that rounding made negative, or a negative zero, would give −π.
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

  /// Distance in meters to the arc `σ2`, `arc` radians further; equations (7) and (15).
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
