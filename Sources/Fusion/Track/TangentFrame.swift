import Geodesy

/// A plane that touches the ellipsoid at its origin, with coordinates in meters east and north. The date line and the poles are
/// not special in it.
///
/// Positions are projected along the normal: 5 km from the origin the plane is 2 m above the ground, and distances from the
/// origin are off by a millimeter.
struct TangentFrame {
  private let origin: Coordinate
  private let axes: LocalAxes

  /// - Parameter axes: the axes at the origin.
  init(origin: Coordinate, _ axes: LocalAxes) {
    self.origin = origin
    self.axes = axes
  }

  /// The offset of a position, given by its own axes, meters east and north.
  func offset(of there: LocalAxes) -> SIMD2<Double> {
    let d = there.groundPoint - axes.groundPoint
    return SIMD2((d * axes.east).sum(), (d * axes.north).sum())
  }

  /// The distance from the origin to a position, through the Earth, meters: valid even where `offset` is not.
  func distance(to there: LocalAxes) -> Double {
    let d = there.groundPoint - axes.groundPoint
    return (d * d).sum().squareRoot()
  }

  /// The position at an offset.
  func coordinate(at offset: SIMD2<Double>) -> Coordinate {
    let p = axes.groundPoint + axes.east * offset.x + axes.north * offset.y
    return EarthCentered(xMeters: p.x, yMeters: p.y, zMeters: p.z).geodetic()?.coordinate ?? origin
  }

  /// Converts a velocity toward the east and north of `there` to this frame.
  func velocity(_ v: SIMD2<Double>, at there: LocalAxes) -> SIMD2<Double> { axes.turn(v, from: there) }

  /// Converts a velocity of this frame to the east and north of `there`.
  func velocity(_ v: SIMD2<Double>, seenAt there: LocalAxes) -> SIMD2<Double> { there.turn(v, from: axes) }

  /// Converts a position of another frame to this one.
  func carry(_ place: SIMD2<Double>, from other: TangentFrame) -> SIMD2<Double> {
    offset(of: LocalAxes(at: other.coordinate(at: place)))
  }

  /// Converts a velocity of another frame to this one.
  func carry(velocity: SIMD2<Double>, from other: TangentFrame) -> SIMD2<Double> {
    axes.turn(velocity, from: other.axes)
  }
}

/// East and north at a position, as directions in the earth-centered frame. At a pole the longitude determines the directions.
struct LocalAxes {
  let east: SIMD3<Double>
  let north: SIMD3<Double>
  /// The position itself on the ellipsoid, meters.
  let groundPoint: SIMD3<Double>

  init(at place: Coordinate) {
    let (φ, λ) = (place.latitude.radians, place.longitude.radians)
    let (sinφ, cosφ, sinλ, cosλ) = (Math.sin(φ), Math.cos(φ), Math.sin(λ), Math.cos(λ))
    east = SIMD3(-sinλ, cosλ, 0)
    north = SIMD3(-sinφ * cosλ, -sinφ * sinλ, cosφ)
    let ellipsoid = Ellipsoid.wgs84
    let e2 = ellipsoid.eccentricitySquared
    let normal = ellipsoid.equatorialRadius / (1 - e2 * sinφ * sinφ).squareRoot()
    groundPoint = SIMD3(normal * cosφ * cosλ, normal * cosφ * sinλ, normal * (1 - e2) * sinφ)
  }

  /// A horizontal direction at another position, in these axes.
  func turn(_ v: SIMD2<Double>, from other: LocalAxes) -> SIMD2<Double> {
    let w = other.east * v.x + other.north * v.y
    return SIMD2((w * east).sum(), (w * north).sum())
  }
}
