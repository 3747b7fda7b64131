import Geodesy

/// What the straight line between two places, in metres, says of the way between them over the ellipsoid.
///
/// The way is no shorter. And no way bends more than a circle of the least radius of curvature ρ, so that by Schur's theorem
/// (Guggenheimer, "Differential Geometry", 1963, theorem 2-19) the chord is no shorter than that circle's: the way is at most
/// 2ρ asin(c / 2ρ). At 10 km both are a millimetre apart.
enum Chord {
  /// 1 / 24ρ², the first term of either series.
  static let bend = 1 / (24 * Surface.leastCurvatureRadius * Surface.leastCurvatureRadius)

  /// A way that is no shorter than the one over this chord; infinite where the chord is too long to tell.
  static func longestWay(over chord: Double) -> Double {
    // Σ of the series' further terms is less than a tenth of the first up to half of ρ.
    chord < Surface.leastCurvatureRadius / 2 ? chord + 1.1 * bend * chord * chord * chord : .infinity
  }

  /// A chord over which no way is longer than this: 2ρ sin(s / 2ρ) is more than the first two terms of its series.
  static func ofWay(notBeyond way: Double) -> Double { way - bend * way * way * way }
}
