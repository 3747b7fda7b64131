/// The transverse Mercator projection by Krüger's series to order 6, whose error within a UTM zone is a few nanometers.
///
/// Karney, "Transverse Mercator with an accuracy of a few nanometers" (2011): equations (10) to (15) and the coefficients of
/// equations (35) and (36), taken to n⁶. Northing is zero on the equator, easting zero on the central meridian.
struct TransverseMercator {
  /// The scale on the central meridian.
  private let scale: Double
  /// Radius of the sphere whose meridians are as long as those of the ellipsoid (A in equation (14)), meters.
  private let rectifyingRadius: Double
  private let α: [Double]
  private let β: [Double]
  private let conformal: ConformalLatitude

  /// UTM's projection of WGS 84: scale 0.9996 (NGA.SIG.0012, section 7).
  static let utm = TransverseMercator(.wgs84, scale: 0.9996)

  init(_ ellipsoid: Ellipsoid, scale: Double) {
    self.scale = scale
    conformal = ConformalLatitude(ellipsoid)
    let n = ellipsoid.thirdFlattening
    let n2 = n * n
    rectifyingRadius = ellipsoid.equatorialRadius / (1 + n) * (1 + n2 * (1 / 4 + n2 * (1 / 64 + n2 / 256)))
    α = Self.series(Self.forward, n)
    β = Self.series(Self.inverse, n)
  }

  /// Meters east of the central meridian and north of the equator; `longitude` is relative to the central meridian.
  func project(latitude: Angle, longitude: Angle) -> (easting: Double, northing: Double) {
    let φ = Direction(degrees: latitude.degrees)
    let λ = Direction(degrees: longitude.degrees)
    let τ = conformal.tangent(ofGeodetic: φ.sine / φ.cosine)
    let ξ = Math.atan2(τ, λ.cosine)
    let η = Math.asinh(λ.sine / Math.hypot(τ, λ.cosine))
    var (northward, eastward) = (ξ, η)
    for (index, coefficient) in α.enumerated() {
      let multiple = 2 * Double(index + 1)
      northward += coefficient * Math.sin(multiple * ξ) * Math.cosh(multiple * η)
      eastward += coefficient * Math.cos(multiple * ξ) * Math.sinh(multiple * η)
    }
    return (scale * rectifyingRadius * eastward, scale * rectifyingRadius * northward)
  }

  /// The inverse of `project`.
  func position(easting: Double, northing: Double) -> (latitude: Angle, longitude: Angle) {
    let ξ = northing / (scale * rectifyingRadius)
    let η = easting / (scale * rectifyingRadius)
    var (northward, eastward) = (ξ, η)
    for (index, coefficient) in β.enumerated() {
      let multiple = 2 * Double(index + 1)
      northward -= coefficient * Math.sin(multiple * ξ) * Math.cosh(multiple * η)
      eastward -= coefficient * Math.cos(multiple * ξ) * Math.sinh(multiple * η)
    }
    let (sine, cosine) = (Math.sinh(eastward), Math.cos(northward))
    let τ = conformal.geodeticTangent(of: Math.sin(northward) / Math.hypot(sine, cosine))
    return (
      Angle(degrees: Direction(sine: τ, cosine: 1).degrees),
      Angle(degrees: Direction(sine: sine, cosine: cosine).degrees)
    )
  }

  /// The values of the coefficients for the third flattening `n`. Row k, counted from 1, contains the factors of nᵏ,
  /// nᵏ⁺¹, ….
  private static func series(_ rows: [[Double]], _ n: Double) -> [Double] {
    var power = 1.0
    return rows.map { row in
      power *= n
      return power * row.reversed().reduce(0) { $0 * n + $1 }
    }
  }

  /// α of equation (35), from geodetic to projected.
  private static let forward: [[Double]] = [
    [1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37_800],
    [13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1_983_433 / 1_935_360],
    [61 / 240, -103 / 140, 15_061 / 26_880, 167_603 / 181_440],
    [49_561 / 161_280, -179 / 168, 6_601_661 / 7_257_600],
    [34_729 / 80_640, -3_418_889 / 1_995_840],
    [212_378_941 / 319_334_400],
  ]

  /// β of equation (36), from projected to geodetic.
  private static let inverse: [[Double]] = [
    [1 / 2, -2 / 3, 37 / 96, -1 / 360, -81 / 512, 96_199 / 604_800],
    [1 / 48, 1 / 15, -437 / 1440, 46 / 105, -1_118_711 / 3_870_720],
    [17 / 480, -37 / 840, -209 / 4480, 5569 / 90_720],
    [4397 / 161_280, -11 / 504, -830_251 / 7_257_600],
    [4583 / 161_280, -108_847 / 3_991_680],
    [20_648_693 / 638_668_800],
  ]
}
