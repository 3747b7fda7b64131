import Geodesy

/// The ellipsoid's surface in the earth-centered frame, in meters: in it, the poles and the date line are ordinary points.
enum Surface {
  private static let ellipsoid = Ellipsoid.wgs84
  static let equatorialRadius = ellipsoid.equatorialRadius
  static let polarRadius = ellipsoid.polarRadius
  private static let eccentricitySquared = ellipsoid.eccentricitySquared
  /// The least radius of curvature, a (1 − e²): along the meridian at the equator.
  static let leastCurvatureRadius = 6_335_439.327

  /// The point on the surface at a coordinate.
  static func point(_ place: Coordinate) -> SIMD3<Double> {
    let (φ, λ) = (place.latitude.radians, place.longitude.radians)
    let (sine, cosine) = (Math.sin(φ), Math.cos(φ))
    let normal = equatorialRadius / (1 - eccentricitySquared * sine * sine).squareRoot()
    return SIMD3(
      normal * cosine * Math.cos(λ), normal * cosine * Math.sin(λ), normal * (1 - eccentricitySquared) * sine)
  }

  /// The coordinate at which the ray from the earth's center through a point leaves the surface; at the center itself,
  /// where it is undefined, the result is arbitrary.
  static func coordinate(towards point: SIMD3<Double>) -> Coordinate {
    let fromAxis = Math.hypot(point.x, point.y)
    return Coordinate(
      latitude: Angle(radians: Math.atan2(point.z, fromAxis * (1 - eccentricitySquared))),
      longitude: Angle(radians: Math.atan2(point.y, point.x)))
  }

  /// True east and true north at a coordinate; at a pole, along its longitude.
  static func horizon(at place: Coordinate) -> (east: SIMD3<Double>, north: SIMD3<Double>) {
    let (φ, λ) = (place.latitude.radians, place.longitude.radians)
    let (sinφ, cosφ, sinλ, cosλ) = (Math.sin(φ), Math.cos(φ), Math.sin(λ), Math.cos(λ))
    return (SIMD3(-sinλ, cosλ, 0), SIMD3(-sinφ * cosλ, -sinφ * sinλ, cosφ))
  }
}

extension SIMD3<Double> {
  func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }
  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
  var length: Double { dot(self).squareRoot() }
}

/// Bounds for the distance between two points over the ellipsoid, from the chord between them, in meters.
///
/// The distance is at least the chord. And no geodesic bends more than a circle of the least radius of curvature ρ, so that by
/// Schur's theorem (Guggenheimer, "Differential Geometry", 1963, theorem 2-19) the chord is at least that of the circle: the
/// distance is at most 2ρ asin(c / 2ρ). At 10 km both bounds differ by a millimeter.
enum Chord {
  /// 1 / 24ρ², the first term of either series.
  static let bend = 1 / (24 * Surface.leastCurvatureRadius * Surface.leastCurvatureRadius)

  /// An upper bound of the distance over this chord; infinite if the chord is too long for a bound.
  static func longestWay(over chord: Double) -> Double {
    // The sum of the series' further terms is less than a tenth of the first up to half of ρ.
    chord < Surface.leastCurvatureRadius / 2 ? chord + 1.1 * bend * chord * chord * chord : .infinity
  }

  /// The chord over which no distance exceeds `way`: 2ρ sin(s / 2ρ) is more than the first two terms of its series.
  static func ofWay(notBeyond way: Double) -> Double { way - bend * way * way * way }
}

/// A point of the earth-centered frame in whole 256ths of a meter, 12 bytes: each coordinate is at most 2 mm off.
struct GridPoint: Hashable, Sendable {
  var x: Int32
  var y: Int32
  var z: Int32

  /// Units per meter. The earth fits: 6,378,137 × 256 < 2³¹.
  static let perMeter = 256.0
  /// The largest error of the distance between two such points, compared to the original points: √3 of a unit, with some margin.
  static let slackMeters = 0.008

  init(x: Int32, y: Int32, z: Int32) { (self.x, self.y, self.z) = (x, y, z) }

  init(_ point: SIMD3<Double>) {
    let scaled = (point * Self.perMeter).rounded(.toNearestOrEven)
    (x, y, z) = (Int32(scaled.x), Int32(scaled.y), Int32(scaled.z))
  }

  /// The position on a Morton curve through all cubes of an octree, to 8 m: neighbors mostly have close positions.
  var curveKey: UInt64 { Self.spread(x) | Self.spread(y) << 1 | Self.spread(z) << 2 }

  /// The upper 21 bits with two zeros after each.
  private static func spread(_ value: Int32) -> UInt64 {
    var bits = UInt64(UInt32(bitPattern: value) ^ 0x8000_0000) >> 11
    bits = (bits | bits << 32) & 0x1F_0000_0000_FFFF
    bits = (bits | bits << 16) & 0x1F_0000_FF00_00FF
    bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F
    bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3
    return (bits | bits << 2) & 0x1249_2492_4924_9249
  }

  /// In units.
  @inline(__always) var values: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
}

/// The position of a point relative to a border, as far as fast arithmetic can determine it: meters.
struct BorderDistance: Hashable, Sendable {
  /// `nil`: too near the border to determine the side.
  var isInside: Bool?
  /// A lower bound of the distance to the border; ≥ 0.
  var atLeast: Double
}
