import Geodesy

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
