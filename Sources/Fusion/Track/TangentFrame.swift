import Geodesy

/// A plane that touches the ellipsoid at its origin: metres east and north there. It knows no date line and no pole.
///
/// Places are projected along the normal: 5 km off the plane is 2 m above the ground, and lengths in it are short by 1 mm.
struct TangentFrame {
  private let origin: Coordinate
  private let axes: LocalAxes

  /// - Parameter axes: those at the origin.
  init(origin: Coordinate, _ axes: LocalAxes) {
    self.origin = origin
    self.axes = axes
  }

  /// Where a place lies, by its own axes.
  func offset(of there: LocalAxes) -> SIMD2<Double> {
    let d = there.groundPoint - axes.groundPoint
    return SIMD2((d * axes.east).sum(), (d * axes.north).sum())
  }

  /// How far a place is from the origin, through the Earth, metres: also where `offset` has no meaning any more.
  func distance(to there: LocalAxes) -> Double {
    let d = there.groundPoint - axes.groundPoint
    return (d * d).sum().squareRoot()
  }

  /// The place at an offset.
  func coordinate(at offset: SIMD2<Double>) -> Coordinate {
    let p = axes.groundPoint + axes.east * offset.x + axes.north * offset.y
    return EarthCentered(xMeters: p.x, yMeters: p.y, zMeters: p.z).geodetic()?.coordinate ?? origin
  }

  /// A velocity towards the east and north of `there`, in this frame.
  func velocity(_ v: SIMD2<Double>, at there: LocalAxes) -> SIMD2<Double> { axes.turn(v, from: there) }

  /// A velocity of this frame, towards the east and north of `there`.
  func velocity(_ v: SIMD2<Double>, seenAt there: LocalAxes) -> SIMD2<Double> { there.turn(v, from: axes) }

  /// A place of another frame in this one.
  func carry(_ place: SIMD2<Double>, from other: TangentFrame) -> SIMD2<Double> {
    offset(of: LocalAxes(at: other.coordinate(at: place)))
  }

  /// A velocity of another frame in this one.
  func carry(velocity: SIMD2<Double>, from other: TangentFrame) -> SIMD2<Double> {
    axes.turn(velocity, from: other.axes)
  }
}

/// East and north at a place, as directions of the earth-centred frame. At a pole the longitude says which way they point.
struct LocalAxes {
  let east: SIMD3<Double>
  let north: SIMD3<Double>
  /// The place itself on the ellipsoid, metres.
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

  /// A horizontal direction of another place, as it lies along these axes.
  func turn(_ v: SIMD2<Double>, from other: LocalAxes) -> SIMD2<Double> {
    let w = other.east * v.x + other.north * v.y
    return SIMD2((w * east).sum(), (w * north).sum())
  }
}
