/// Shortest lines on an ellipsoid: how far and which way from one point to another, and where a line of some length ends.
///
/// C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), 43–55; series to order 6, which on the Earth
/// leave an error of some nanometres. Works for any two points, antipodes and poles included.
package enum Geodesic {
  /// The shortest line between two points.
  package struct Inverse: Hashable, Sendable {
    /// Its length, ≥ 0.
    package let distance: Meters
    /// Direction at its beginning, 0…<360° clockwise from true north; 0 where both points are one.
    package let initialCourse: Angle
    /// Direction at its end, going on, 0…<360°; 0 where both points are one.
    package let finalCourse: Angle
  }

  /// The end of a line.
  package struct Direct: Hashable, Sendable {
    /// Where it ends.
    package let coordinate: Coordinate
    /// Direction at its end, going on, 0…<360° clockwise from true north.
    package let finalCourse: Angle
  }

  /// The shortest line from one point to another. Where several are equally short (opposite poles) it is one of them.
  package static func inverse(
    from first: Coordinate, to second: Coordinate, on ellipsoid: Ellipsoid = .wgs84
  ) -> Inverse {
    GeodesicInverse(ellipsoid).solve(from: first, to: second)
  }

  /// Where the line ends that leaves `origin` with `course` and is `distance` long; a negative distance goes backwards.
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

  /// β of a geodetic latitude, equation (6). A pole is taken a hair off itself, so that longitudes there keep a meaning.
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
